"""The oracle's half about things: where they lie, who sees them, what they are, what they answer. Slow and plain, from the docs alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nemesis.kernel.offer import abilities
from nemesis.kernel.signal import ContentError, Unknown
from nemesis.state import State
from nemesis.world.thing import Deed, Ref, Stale
from rulescript import tree as t
from rulescript.table.declarations import slug

CLASSES = {"=": 0, "+": 1, "-": 1, "|": 2, "except": 3, "at_least": 4, "at_most": 5}


# ---- places (semantics 1) ----------------------------------------------------------------------------------------------------
def parent(S: State, x: int) -> Ref | None:
    """What holds a thing; a zone is held by its holder."""
    world = S.program.world
    if x in world.zone_name:
        holder = world.zone_holder[x]
        return holder if type(holder) is Ref else None
    return world.refs[S.place[x]] if S.place[x] >= 0 else None


def chain(S: State, x: int) -> Iterator[Ref]:
    at = parent(S, x)
    while at is not None:
        yield at
        at = parent(S, at)


def shows(S: State, zone: int) -> str:
    info = S.program.table.zones.get(S.program.world.zone_name.get(zone, ""))
    if S.program.world.zone_name.get(zone) == "box":
        return "nobody"  # what goes out of the game unseen stays unseen
    return info.shows if info is not None else "all"


def out_of_play(S: State, zone: int) -> bool:
    return S.program.world.zone_name.get(zone) in ("pool", "box") or shows(S, zone) == "nobody"


def in_play(S: State, x: int) -> bool:
    return not any(out_of_play(S, at) for at in chain(S, x))


def has_property(S: State, x: int, name: str) -> Any:
    """A property of a thing's kinds (`owns`, `acts`, `owner_live` …)."""
    table = S.program.table
    return next((got for up in lineage(S, x) if up in table.kinds and (got := getattr(table.kinds[up], name))), None)


def owns(S: State, x: int) -> bool:
    return S.program.world.kind[x] == "seat" or bool(has_property(S, x, "owns"))


def owner(S: State, x: Any) -> Ref | None:
    return next((at for at in chain(S, x) if owns(S, at)), None) if type(x) is Ref else None


def seat_of(S: State, x: int) -> int:
    world = S.program.world
    for at in (S.program.refs[x], *chain(S, x)):
        if world.kind[at] == "seat":
            return world.copy[at] - 1
        address = world.field_at["seat"][at] if "seat" in world.field_at else -1
        seat = S.v[address] if address >= 0 else None
        if type(seat) is Ref:
            return world.copy[seat] - 1
    return -1


def within(S: State, place: Ref, outermost: bool = True) -> Iterator[Ref]:
    """All that lies in a place, at any depth; what somebody else in it owns is not in it, nor what is out of play."""
    for x in S.inside[place]:
        yield x
        yield from within(S, x, False)
    if outermost or not owns(S, place):
        for zone, holder in S.program.world.zone_holder.items():
            if type(holder) is Ref and holder == place and not out_of_play(S, zone):
                yield from within(S, S.program.refs[zone], False)


# ---- sight (semantics 1 and 7 d) ---------------------------------------------------------------------------------------------
def face_seen(S: State, x: int) -> bool:
    """Whether the trial's view sees the face of a thing; outside of trials everything may be read."""
    if S.trial is None:
        return True
    view, known, place = S.trial.view, S.known[x], S.place[x]
    if place < 0 or known >> 31 & 1 or (view >= 0 and known >> view & 1):
        return True
    if not S.program.hideable[x]:
        return True
    how = shows(S, place)
    if how == "owner":
        return view >= 0 and seat_of(S, place) == view
    return how == "all"


def need_face(S: State, x: Any) -> None:
    if type(x) is Ref and not face_seen(S, x):
        raise Unknown


def need_kind(S: State, x: Any, mask: bytes) -> None:
    """The kind of an unseen thing is known as far as what its zone holds says it."""
    if type(x) is not Ref or face_seen(S, x) or not any(a and b for a, b in zip(mask, S.program.hideable, strict=True)):
        return
    info = S.program.table.zones.get(S.program.world.zone_name.get(S.place[x], ""))
    if info is None or not info.holds or len({mask[y] for y in S.program.world.members(info.holds)}) > 1:
        raise Unknown


def need_field(S: State, x: Ref, name: str) -> None:
    if name not in S.program.world.hidden_fields:
        need_face(S, x)
    elif S.trial is not None:
        seats = S.program.all_seats if S.trial.view < 0 else 1 << S.trial.view
        if S.known[x] >> 32 & seats != seats:
            raise Unknown


# ---- kinds -------------------------------------------------------------------------------------------------------------------
def lineage(S: State, x: int) -> list[str]:
    return [up for own in S.program.world.kinds[x] for up in S.program.table.ancestors(own)]


def mask_of(S: State, kind: str) -> bytes:
    """1 for each thing of a kind, with what modifiers of kinds add."""
    table, world = S.program.table, S.program.world
    plain = world.mask(kind)
    rules = [rule.node for rule in table.rules if isinstance(rule.node, t.Modify) and rule.node.member == "kinds"]
    if not any(isinstance(one.value, t.Name) and table.is_kind(table.singular(one.value.name), kind) for one in rules):
        return plain
    return bytes(any(table.is_kind(own, kind) for own in ask(S, x, "kinds")) if S.place[x] >= 0 else plain[x] for x in world.refs)


def copies_mask(S: State, name: str) -> bytes:
    return bytes(made is not None and made.id == name for made in S.program.world.definition)


def set_in_play(S: State, mask: bytes) -> tuple[Ref, ...]:
    for zone in S.program.world.zone_name:
        if S.trial is not None and shows(S, zone) != "all" and not out_of_play(S, zone):
            for x in S.inside[zone]:
                need_kind(S, x, mask)
    return tuple(x for x in S.program.refs if mask[x] and in_play(S, x))


def is_word(S: State, x: Any, word: str) -> bool:
    """Kind, title or face of a thing, or the word itself (a kind's word is also the kinds above it)."""
    table, world = S.program.table, S.program.world
    if type(x) is tuple:
        return len(x) == 1 and is_word(S, x[0], word)
    if type(x) is str:
        return x == word or (x in table.kinds and word in table.kinds and table.is_kind(x, word))
    if type(x) is Deed:
        return table.actions[x.action].name == word
    if type(x) is Stale:
        return word in table.kinds and bool(world.mask(word)[x.thing])
    if type(x) is not Ref:
        return False
    if word in table.kinds:
        mask = mask_of(S, word)
        need_kind(S, x, mask)
        if mask[x] or not face_seen(S, x):
            return bool(mask[x])
    need_face(S, x)
    made = world.definition[x]
    face = world.field_at["face"][x] if "face" in world.field_at else -1
    return (
        (made is not None and made.id == word) or (face >= 0 and S.v[face] == word)
        or (x in world.slot_of and world.slot_of[x][0] == word) or world.zone_name.get(x) == word
    )  # fmt: skip


# ---- questions (semantics 8) -------------------------------------------------------------------------------------------------
def ask(S: State, x: Any, name: str, args: tuple[Any, ...] = ()) -> Any:
    """`x.name(args)`: the base value, then the modifiers in force."""
    if type(x) is tuple and len(x) == 1 and name not in ("first", "last", "count", "cards"):
        x = x[0]
    if x is None or type(x) is Stale:
        return _of_none(S, x, name)
    if type(x) is tuple:
        return _of_set(x, name, args)
    value, fixed = _base(S, x, name, args), False
    for op, change in modifiers(S, x, name, args):
        if op == "=":
            value, fixed = (value if fixed else change), True
        elif op in ("+", "-"):
            value = (value or 0) + (change or 0) * (1 if op == "+" else -1)
        elif op in ("|", "except"):
            kept = many(value) if op == "|" else tuple(one for one in many(value) if one not in many(change))
            value = kept + tuple(one for one in many(change) if op == "|" and one not in kept)
        else:
            value = (max if op == "at_least" else min)(value or 0, change or 0)
    return value


def many(x: Any) -> tuple[Any, ...]:
    return () if x is None or type(x) is Stale else tuple(x) if type(x) in (tuple, list) else (x,)


def _of_none(S: State, x: Any, name: str) -> Any:
    if type(x) is Stale and name == "last_place" and x.incarnation == S.incarnation[x.thing] - 1 and S.left[x.thing] >= 0:
        return S.program.refs[S.left[x.thing]]
    if type(x) is Stale and name == "type":
        return S.program.world.kind[x.thing]
    return {"count": 0, "cards": (), "abilities": (), "links": (), "ends": (), "labels": (), "full": False, "top_cards": ()}.get(name)


def _of_set(x: tuple[Any, ...], name: str, args: tuple[Any, ...]) -> Any:
    if name == "first" and args:
        return x[: max(args[0], 0)]
    if name in ("first", "bottom", "last", "top"):
        return (x[0] if name in ("first", "bottom") else x[-1]) if x else None
    return len(x) if name == "count" else x if name in ("cards", "order") else None


def _base(S: State, x: Any, name: str, args: tuple[Any, ...]) -> Any:
    from .walker import Walk

    world, table = S.program.world, S.program.table
    infos = table.queries.get(name, ())
    if type(x) is Ref:
        made = world.definition[x]
        if any(info.definition for info in infos) or name in world.overrides:
            need_face(S, x)
        for info in infos:
            if info.definition is not None and made is not None and made.id == info.definition:
                return Walk.query(S, info, x, args)
        if x in world.overrides.get(name, {}):
            return world.overrides[name][x]
        has_field = name in world.field_at and world.field_at[name][x] >= 0
        for info in infos:
            need_kind(S, x, world.mask(info.receiver))
        for up in lineage(S, x):  # the most specific receiver
            if has_field and up in table.kinds and name in table.kinds[up].fields:
                need_field(S, x, name)
                return S.v[world.field_at[name][x]]
            for info in infos:
                if info.definition is None and info.receiver == up:
                    return Walk.query(S, info, x, args)
        if (name, x) in world.zone_ids:
            return world.zone_ids[(name, x)]
        for action in table.actions:
            if action.name == name and ((made is not None and action.definition == made.id) or (action.kind in lineage(S, x))):
                return Deed(action.index, x, None)
    if type(x) is Deed and name == "cost":
        node = table.actions[x.action].node.cost
        return 0 if node is None else Walk(S, {"you": x.doer, "this": x.card}).value(node) or 0
    return built_in(S, x, name, args) if type(x) in (Ref, Deed) else pool(S, x) if name == "pool" else None


def modifiers(S: State, x: Any, name: str, args: tuple[Any, ...]) -> list[tuple[str, Any]]:
    """(operation, value) of the modifiers in force, in the order in which they apply."""
    from .walker import Walk

    table, world, found = S.program.table, S.program.world, []
    standing: list[tuple[Any, Any, Any, dict[str, Any]]] = []
    for rule in table.rules:
        if isinstance(rule.node, t.Modify) and rule.node.member == name:
            for this in living(S, rule):
                you = None if this is None else owner(S, this) or (this if owns(S, this) else None)
                if all(Walk(S, {"you": you, "this": this}).value(guard) for guard in rule.guards):
                    standing.append((rule, this, you, {}))
    for one in S.lasting:
        for until in S.program.untils[one.until][2]:
            if until.node.member == name:
                kept = {local: one.locals[slot] for local, slot in until.captured.slots.items()} if until.captured else {}
                standing.append((until, one.this, one.you, kept))
    want = Walk.result_want(S, name)
    for rule, this, you, kept in standing:
        node = rule.node
        if node.receiver in ("this", "your"):
            fits = x == this if node.receiver == "this" else you is not None and x == you
        elif type(x) is Ref and node.receiver != "thing":
            need_kind(S, x, world.mask(node.receiver))
            fits = bool(world.mask(node.receiver)[x])
        else:
            fits = node.receiver == ("ability" if type(x) is Deed else "thing")
        given = {param: arg for (param, _), arg in zip(node.params, args, strict=False)}
        for param, type_ in node.params:
            if type_.name in table.kinds and param in given:
                fits = fits and type(given[param]) is Ref and bool(world.mask(type_.name)[given[param]])
        eyes = Walk(S, {**kept, **given, "it": x, "you": you, "this": this})
        if fits and (node.condition is None or eyes.value(node.condition)):
            rank = -rule.source.rank if node.op == "=" else rule.source.rank
            found.append(((CLASSES[node.op], rank, rule.index), node.op, eyes.value(node.value, want)))
    return [(op, value) for _, op, value in sorted(found, key=lambda one: one[0])]


def living(S: State, rule: Any) -> list[Any]:
    """The things through which a rule lives now; [None] for a patch."""
    table, world = S.program.table, S.program.world
    if rule.definition is None and rule.kind is None:
        return [None]
    mask = copies_mask(S, rule.definition) if rule.definition is not None else world.mask(rule.kind)
    found: list[Any] = []
    for x in (x for x in world.refs if mask[x]):
        ups = [table.kinds[up] for up in lineage(S, x) if up in table.kinds]
        live_in = {zone for up in ups for zone in up.live_in}
        mine = owner(S, x)
        alive = has_property(S, mine, "owner_live") if mine is not None else None
        if world.zone_name.get(S.place[x]) not in live_in if live_in else not in_play(S, x):
            continue
        if alive is not None and not ask(S, mine, alive):
            continue
        if not (any(up.unique for up in ups) and any(owner(S, other) == mine for other in found)):
            found.append(x)
    return found


# ---- built-in properties (reference.md) --------------------------------------------------------------------------------------
def pool(S: State, x: Any) -> Any:
    world = S.program.world
    return world.pools.get(x) if type(x) is str else world.pools.get(world.kind[x]) if type(x) is Ref else None


def spot(S: State, x: int) -> Ref | None:
    world = S.program.world
    return next((at for at in (S.program.refs[x], *chain(S, x)) if at in world.links or at in world.ends), None)


def tile(S: State, x: int) -> Ref | None:
    return next((y for y in S.inside[x] if S.program.world.is_a(y, "place")), None)


def step(S: State, x: Ref, by: int) -> Any:
    world = S.program.world
    if world.kind[x] == "seat":
        return world.seats[(world.copy[x] - 1 + by) % len(world.seats)]
    if x not in world.slot_of:
        return None
    track, slot = world.slot_of[x]
    places = world.track_places[track]
    return places[slot - 1 + by] if 0 <= slot - 1 + by < len(places) else None


def built_in(S: State, x: Any, name: str, args: tuple[Any, ...]) -> Any:
    world, program = S.program.world, S.program
    if type(x) is Deed:
        action = program.table.actions[x.action]
        known = {"name": action.name, "card": x.card, "doer": x.doer, "title": action.node.label}
        return known.get(name)
    inside, made, slot = S.inside[x], world.definition[x], world.slot_of.get(x, (None, None))[1]
    if name in ("type", "title", "position", "abilities"):
        need_face(S, x)
    if name in ("top", "bottom", "first", "last") and S.script:
        S.script.setdefault("", []).append(x)  # a scripted card that a test looks at counts as used
    if name in ("place", "last_place"):
        at = S.place[x] if name == "place" else S.last[x]
        return program.refs[at] if at >= 0 else None
    if name in ("owner", "spot", "tile", "pool", "abilities"):
        return {"owner": owner, "spot": spot, "tile": tile, "pool": pool, "abilities": abilities}[name](S, x)
    if name == "position":
        return S.inside[S.place[x]].index(x) + 1 if S.place[x] >= 0 else None
    if name == "place_of":
        return next((at for at in chain(S, x) if is_word(S, at, args[0])), None)
    if name == "is":
        return is_word(S, x, args[0]) if type(args[0]) is str else x == args[0]
    if name == "first" and args:
        return inside[: max(args[0], 0)]
    if name == "top_cards":
        return tuple(reversed(inside))[: args[0] or 0]
    if name in ("first", "bottom", "last", "top"):
        return (inside[0] if name in ("first", "bottom") else inside[-1]) if inside else None
    if name == "full":
        from .walker import Walk

        info = program.table.zones.get(world.zone_name.get(x, ""))
        limit = Walk(S, {"this": world.zone_holder[x]}).value(info.limit) if info is not None and info.limit is not None else None
        return limit is not None and len(inside) >= limit
    if name in ("next", "previous"):
        return step(S, x, 1 if name == "next" else -1)
    if name == "toward":
        there = world.slot_of.get(args[0], (None, None))[1]
        return x if slot is None or there is None or slot == there else step(S, x, 1 if there > slot else -1)
    if name == "distance":
        if slot is not None:
            there = world.slot_of.get(args[0], (None, None))[1]
            return None if there is None else abs(slot - there)
        first = max(seat_of(S, args[0]), 0) if type(args[0]) is Ref else 0
        return (seat_of(S, x) - first) % len(world.seats) if seat_of(S, x) >= 0 else None
    plain = {
        "type": world.kind[x], "title": slug(made.title) if made is not None and made.title else None, "number": world.copy[x],
        "cards": inside, "order": inside, "count": len(inside), "links": tuple(world.links.get(x, ())), "ends": world.ends.get(x, ()),
        "labels": world.labels.get(x, ()), "index": seat_of(S, x) + 1 or None, "slot": slot, "name": world.base_name[x],
        "kinds": world.kinds[x], "revealed_to": None,
    }  # fmt: skip
    if name in plain:
        return plain[name]
    if name in program.world.field_at or name in program.table.queries or name in program.table.zones or name in ("limit_in", "cost"):
        return None
    if any(action.name == name for action in program.table.actions):
        return None
    raise ContentError(f"{S.name(x)} has no field, zone, question or property `{name}`")
