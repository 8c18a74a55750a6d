"""The primitive verbs that move things: place, move, return, remove, swap, attach, draw, shuffle, renew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.chance import from_bag, shuffled
from nemesis.kernel.commit import move, note
from nemesis.kernel.reading import place_of_kind, seq
from nemesis.kernel.sight import seen_by
from nemesis.kernel.signal import ContentError, Unknown
from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from nemesis.state import State


def living(things: Any) -> list[Ref]:
    return [x for x in seq(things) if type(x) is Ref]


def limited(S: State, kinds: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """(kind, kind that says so) of everything with a limit per place."""
    program = S.program
    found = program.limited.get(kinds)
    if found is None:
        table = program.table
        found = tuple(
            (kind, up) for kind in kinds for up in table.ancestors(kind) if (info := table.kinds.get(up)) and (info.one_in or info.up_to)
        )
        program.limited[kinds] = found
    return found


def room_for(S: State, kinds: tuple[str, ...], to: int, x: int | None = None) -> int | None:
    """How many more things of a kind a container takes; None = any number."""
    program = S.program
    best: int | None = None
    said = limited(S, kinds)
    if said:
        for kind, up in said:
            info = program.table.kinds[up]
            limit: int | None = None
            for place in info.one_in:
                if program.world.mask(place)[to]:
                    limit = 1
            for number, place in info.up_to:
                if program.world.mask(place)[to]:
                    limit = number
            if limit is None:
                continue
            if program.is_modified("limit_in"):
                limit = bent_limit(S, kind, to, limit)
            mask = program.world.mask(up)
            left = limit - sum(1 for y in S.inside[to] if mask[y])
            best = left if best is None else min(best, left)
    zone = program.zone_info.get(to)
    if zone is not None and zone.limit is not None:
        left = zone_limit(S, to) - len(S.inside[to])
        best = left if best is None else min(best, left)
    return None if best is None else max(best, 0)


def bent_limit(S: State, kind: str, to: int, limit: int) -> int:
    from nemesis.kernel.modifier import apply, in_force

    for rule, change in in_force(S.program, S, "limit_in", kind, (S.program.refs[to],), False):
        limit = apply(rule.node.op, limit, change)
    return limit


def zone_limit(S: State, zone: int) -> int:
    """The capacity of a zone now (its `limit` may ask a question of its holder)."""
    program = S.program
    limit = program.zone_limits.get(zone)
    if limit is None:
        from nemesis.lower.scope import Scope

        info = program.zone_info[zone]
        writer = program.writer_class(program, Scope(), event="None")
        limit = program.function(f"def z(S, this):\n    return {writer.value(info.limit)}", "z", f"zone/{info.name}")
        program.zone_limits[zone] = limit
    up = program.up[zone]
    value = limit(S, program.refs[up] if up >= 0 else None)
    return int(value) if value is not None else 1 << 20


def target(to: Any) -> Any:
    if type(to) is tuple:
        to = to[0] if to else None
    return to if type(to) is Ref else None


def do_place(
    S: State, f: Any, lid: int, *, things: Any = None, n: Any = None, kind_word: Any = None, in_: Any = None, with_: Any = None,
    to_: Any = None, end: bool = False, chosen: Any = None, **_: Any,
) -> bool:  # fmt: skip
    """Take things of a kind from their pool, or lay out the things of a list; True if a run-out procedure was pushed."""
    to = target(in_ if in_ is not None else to_)
    S.done = False
    S.result = None
    if to is None:
        return False
    program = S.program
    if kind_word is None:
        placed = []
        for x in living(things):
            room = room_for(S, program.world.kinds[x], to)
            if room is None or room > 0:
                move(S, f, lid, "place", x, to, end)
                placed.append(x)
        S.done = bool(placed)
        S.result = placed[0] if len(placed) == 1 else tuple(placed)
        return False
    kind = str(kind_word)
    want = int(n or 0)
    room = room_for(S, (kind,), to)
    if room is not None:
        want = min(want, room)
    pool = program.world.pools.get(kind)
    if pool is None:
        raise ContentError(f"there is no pool of {kind}: the kind has no limit")
    from_pool = list(chosen)[:want] if chosen is not None else sorted(S.inside[pool])[:want]
    for x in from_pool:
        move(S, f, lid, "place", x, to, end)
    S.done = bool(from_pool)
    S.result = from_pool[0] if want == 1 and from_pool else tuple(from_pool) if from_pool else None
    missing = want - len(from_pool)
    return missing > 0 and run_out(S, f, lid, kind, to, missing)


def run_out(S: State, f: Any, lid: int, kind: str, to: Ref, missing: int) -> bool:
    """Call what a kind says should happen when its pool is dry."""
    program = S.program
    for up in program.table.ancestors(kind):
        info = program.table.kinds.get(up)
        if info is not None and info.when_out is not None:
            from nemesis.kernel.proposal import call

            S.commits += 1
            result = S.result
            heads = program.heads_for(info.when_out, None)
            pushed = call(S, f, lid, heads, {"in": to, "with": kind, "for": missing, "by": None}, False)
            S.done = True
            S.result = result
            if pushed:
                S.frames[-1].quiet = True
            return pushed
    return False


def do_move(
    S: State, f: Any, lid: int, *, things: Any = None, to_: Any = None, in_: Any = None, with_: Any = None, end: bool = False, **_: Any
) -> bool:
    to = target(to_ if to_ is not None else in_)
    S.done = False
    S.result = None
    if to is None:
        return False
    moved = []
    program = S.program
    for x in living(things):
        if S.place[x] == to and not end and len(S.inside[to]) == 1:
            continue
        room = room_for(S, program.world.kinds[x], to)
        if room is not None and room <= 0 and S.place[x] != to:
            continue
        move(S, f, lid, "move", x, to, end)
        moved.append(x)
    S.done = bool(moved)
    S.result = moved[0] if len(moved) == 1 else tuple(moved)
    return False


def do_return(S: State, f: Any, lid: int, *, things: Any = None, **_: Any) -> bool:
    """Back to the pool of its kind (a thing without a pool goes to the box)."""
    program = S.program
    found = living(things)
    for x in found:
        move(S, f, lid, "return", x, home(S, x))
        inside = [y for y in S.inside[x] if type(y) is Ref]
        for y in inside:
            move(S, f, lid, "return", y, home(S, y))
        for zone in program.zones_of[x]:
            for y in S.inside[zone]:
                move(S, f, lid, "return", y, home(S, y))
    S.done = bool(found)
    S.result = None
    return False


def home(S: State, x: int) -> Ref:
    pool = S.program.world.pools.get(S.program.world.kind[x])
    return pool if pool is not None else S.program.world.box


def do_remove(S: State, f: Any, lid: int, *, things: Any = None, **_: Any) -> bool:
    found = living(things)
    for x in found:
        move(S, f, lid, "remove", x, S.program.world.box)
    S.done = bool(found)
    return False


def do_swap(S: State, f: Any, lid: int, *, things: Any = None, with_: Any = None, **_: Any) -> bool:
    """Two things change places; in one ordered zone they change positions."""
    a, b = living(things)[:1], living(with_)[:1]
    S.done = bool(a and b)
    if not S.done:
        return False
    x, y = a[0], b[0]
    p, q = S.place[x], S.place[y]
    if p == q:
        order = [y if z == x else x if z == y else z for z in S.inside[p]]
        S.put(S.inside, p, tuple(order))
        S.commits += 1
        note(S, f, lid, "swap", (x, y), 0)
        return False
    move(S, f, lid, "swap", x, q)
    move(S, f, lid, "swap", y, p)
    return False


def do_attach(S: State, f: Any, lid: int, *, things: Any = None, to_: Any = None, **_: Any) -> bool:
    to = target(to_)
    found = living(things)
    S.done = bool(found) and to is not None
    if S.done:
        for x in found:
            move(S, f, lid, "attach", x, to)
    return False


def zone_key(S: State, zone: int) -> str:
    """The name of a zone in chance keys: by the fixed name of its holder."""
    world = S.program.world
    holder = world.zone_holder.get(zone)
    if isinstance(holder, Ref):
        return f"{world.name_of(holder)}.{world.zone_name[zone]}"
    return world.base_name[zone]


def do_draw(
    S: State, f: Any, lid: int, *, n: Any = 1, from_: Any = None, to_: Any = None, in_: Any = None, by_: Any = None, end: bool = False,
    **_: Any,
) -> bool:  # fmt: skip
    """From the top of a zone (by chance from a mixed one) to another; renews an empty deck from its discards."""
    zone, to = target(from_), target(to_ if to_ is not None else in_)
    S.done = False
    S.result = None
    if zone is None or to is None:
        return False
    drawn: list[Ref] = []
    want = int(n or 0)
    for _turn in range(want):
        if room_for_one(S, to) is False:
            break
        x = next_card(S, f, lid, zone)
        if x is None:
            break
        move(S, f, lid, "draw", x, to, end)
        drawn.append(x)
    S.done = bool(drawn)
    S.result = (drawn[0] if drawn else None) if want == 1 else tuple(drawn)
    return False


def room_for_one(S: State, to: int) -> bool:
    info = S.program.zone_info.get(to)
    return info is None or info.limit is None or len(S.inside[to]) < zone_limit(S, to)


def next_card(S: State, f: Any, lid: int, zone: Ref) -> Ref | None:
    """The card that a draw takes now."""
    program = S.program
    info = program.zone_info.get(zone)
    if not S.inside[zone]:
        if info is None or info.renewed_from is None:
            return None
        do_renew(S, f, lid, things=zone)
        if not S.inside[zone]:
            return None
    inside = S.inside[zone]
    name = zone_key(S, zone)
    scripted = S.script.get(name) or S.script.get(program.world.zone_name.get(zone, ""))
    if S.trial is not None:
        if info is not None and (info.order == "mixed" or (program.shows[zone] != 0 and not seen_by(S, inside[-1], S.trial.view))):
            raise Unknown
        return inside[-1]
    if scripted:
        if type(scripted[0]) is Ref:
            if scripted[0] == inside[-1]:
                scripted.pop(0)
        else:
            from nemesis.kernel.script import scripted_card

            return scripted_card(S, zone, scripted.pop(0))
    if info is not None and info.order == "mixed":
        S.barrier += 1
        return from_bag(S, f, zone, inside, getattr(f, "you", None), name)
    if program.shows[zone] != 0:
        S.barrier += 1
    return inside[-1]


def do_shuffle(S: State, f: Any, lid: int, *, things: Any = None, **_: Any) -> bool:
    zone = target(things)
    S.done = True
    if zone is None:
        return False
    if S.trial is not None:
        if len(S.inside[zone]) > 1:
            raise Unknown
        return False
    order = shuffled(S, zone, S.inside[zone], zone_key(S, zone))
    S.put(S.inside, zone, order)
    S.commits += 1
    S.barrier += 1
    if S.program.shows[zone] != 0:
        rename(S, order, zone)
    note(S, f, lid, "shuffle", (zone,))
    return False


def rename(S: State, cards: tuple[Ref, ...], zone: Ref) -> None:
    """Cards shuffled out of sight change numbers among their likes, so that a number seen before marks no card."""
    world = S.program.world
    alike: dict[str, list[Ref]] = {}
    if cards and S.program.place_mask[cards[0]]:
        S.distances = {}  # what was seen of these tiles is no longer known
    for x in cards:
        S.known[x] = 0
        # A tile that is named by its printed number keeps it: whoever sees the name sees the number anyway.
        printed = world.definition[x] is not None and world.base_name[x] == world.kind[x]
        if S.alias[x] and not printed:
            alike.setdefault(world.base_name[x], []).append(x)
    for group in alike.values():
        if len(group) > 1:
            numbers = sorted(S.alias[x] for x in group)
            for x, number in zip(group, numbers, strict=True):
                S.alias[x] = number


def do_renew(S: State, f: Any, lid: int, *, things: Any = None, **_: Any) -> bool:
    """Shuffle the zone that renews this one into it."""
    zone = target(things)
    S.done = True
    if zone is None:
        return False
    program = S.program
    info = program.zone_info.get(zone)
    if info is None or info.renewed_from is None:
        return do_shuffle(S, f, lid, things=zone)
    source = program.world.zone_of(info.renewed_from, program.world.zone_holder[zone])
    if source is None:
        raise ContentError(f"zone {info.name} is renewed from {info.renewed_from}, which its holder does not have")
    if S.trial is not None and len(S.inside[source]) + len(S.inside[zone]) > 1:
        raise Unknown
    for x in S.inside[source]:
        move(S, f, lid, "renew", x, zone)
    do_shuffle(S, f, lid, things=zone)
    return False


def holder_of_kind(S: State, x: Any, kind: str) -> Any:
    return place_of_kind(S, x, S.program.world.mask(kind))
