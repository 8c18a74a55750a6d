"""Built-in properties of things (see docs/reference.md) that need more than a look at one column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.reading import in_play, owner, seq
from nemesis.kernel.sight import see, see_kind
from nemesis.kernel.signal import ContentError
from nemesis.world.thing import Deed, Ref, Stale
from rulescript.table.declarations import slug

if TYPE_CHECKING:
    from nemesis.state import State


def type_word(S: State, x: Any) -> Any:
    if type(x) is Ref:
        return S.program.world.kind[x]
    if type(x) is Stale:
        return S.program.world.kind[x.thing]
    return None


def type_word_c(S: State, x: Any) -> Any:
    if type(x) is Ref:
        see(S, x)
    return type_word(S, x)


def title_word(S: State, x: Any) -> Any:
    if type(x) is not Ref:
        return None
    made = S.program.world.definition[x]
    return slug(made.title) if made is not None and made.title else None


def title_word_c(S: State, x: Any) -> Any:
    if type(x) is Ref:
        see(S, x)
    return title_word(S, x)


def number_of(S: State, x: Any) -> Any:
    return S.program.world.copy[x] if type(x) is Ref else None


def contents(S: State, x: Any) -> tuple[Any, ...]:
    if type(x) is Ref:
        return S.inside[x]
    return seq(x)


def count_in(S: State, x: Any) -> int:
    return len(contents(S, x))


def is_full(S: State, x: Any) -> bool:
    if type(x) is not Ref:
        return False
    info = S.program.zone_info.get(x)
    if info is None or info.limit is None:
        return False
    from nemesis.kernel.verb_things import zone_limit

    return len(S.inside[x]) >= zone_limit(S, x)


def links(S: State, x: Any) -> tuple[Any, ...]:
    return tuple(S.program.world.links.get(x, ())) if type(x) is Ref else ()


def ends(S: State, x: Any) -> tuple[Any, ...]:
    return S.program.world.ends.get(x, ()) if type(x) is Ref else ()


def labels(S: State, x: Any) -> Any:
    return S.program.world.labels.get(x, ()) if type(x) is Ref else ()


def seat_index(S: State, x: Any) -> Any:
    if type(x) is not Ref:
        return None
    seat = S.program.seat_of_thing(S, x)
    return seat + 1 if seat >= 0 else None


def next_of(S: State, x: Any) -> Any:
    """The next seat clockwise, or the next slot of a track."""
    return _step(S, x, 1)


def previous_of(S: State, x: Any) -> Any:
    return _step(S, x, -1)


def _step(S: State, x: Any, by: int) -> Any:
    if type(x) is not Ref:
        return None
    world = S.program.world
    if world.kind[x] == "seat":
        return world.seats[(world.copy[x] - 1 + by) % len(world.seats)]
    if x in world.slot_of:
        track, slot = world.slot_of[x]
        places = world.track_places[track]
        at = slot - 1 + by
        return places[at] if 0 <= at < len(places) else None
    return None


def slot_number(S: State, x: Any) -> Any:
    return S.program.world.slot_of[x][1] if type(x) is Ref and x in S.program.world.slot_of else None


def toward_of(S: State, x: Any, goal: Any) -> Any:
    """The neighbouring slot in the direction of another slot of the same track."""
    here, there = slot_number(S, x), slot_number(S, goal)
    if here is None or there is None or here == there:
        return x
    return _step(S, x, 1 if there > here else -1)


def distance_of(S: State, x: Any, other: Any) -> Any:
    """Seats clockwise from `other` to x; without other, from the first seat. For slots the number of steps between."""
    if type(x) is not Ref:
        return None
    if x in S.program.world.slot_of:
        here, there = slot_number(S, x), slot_number(S, other)
        return None if here is None or there is None else abs(here - there)
    seat = S.program.seat_of_thing(S, x)
    first = S.program.seat_of_thing(S, other) if type(other) is Ref else 0
    if seat < 0:
        return None
    return (seat - max(first, 0)) % len(S.program.world.seats)


def pool_of(S: State, x: Any) -> Any:
    world = S.program.world
    if type(x) is str:
        return world.pools.get(x)
    return world.pools.get(world.kind[x]) if type(x) is Ref else None


def mode(S: State, name: str) -> Any:
    """A mode of the packs: a switch, or the number or word that a pack gives it and an option may change."""
    usual = S.program.modes.get(name, False)
    value = S.options.get(name, usual)
    return value in (True, "on", "yes") if type(usual) is bool else value


def unknown_member(S: State, x: Any, name: str) -> Any:
    what = S.name(x) if type(x) is Ref else repr(x)
    raise ContentError(f"{what} has no field, zone, question or property `{name}`")


def unknown_line(S: State, word: str, lid: int) -> None:
    where = S.program.lines[lid][2].where
    raise ContentError(f"{where}: no verb or procedure `{word}`")


# ---- tracks ----------------------------------------------------------------------------------------------------------------
def track_value(values: tuple[Any, ...], slot: Any) -> Any:
    return values[slot - 1] if slot is not None and 1 <= slot <= len(values) else None


track_section = track_value


def track_section_at(values: tuple[Any, ...], slot: Any, n: Any) -> Any:
    return track_value(values, n)


track_value_at = track_section_at


def track_full(values: tuple[Any, ...], slot: Any) -> bool:
    return bool(slot == len(values))


def track_left(values: tuple[Any, ...], slot: Any) -> int:
    return len(values) - (slot or 0)


def track_low(values: tuple[Any, ...], slot: Any) -> int:
    return 1


def track_last(values: tuple[Any, ...], slot: Any) -> int:
    return len(values)


def track_at(places: tuple[Any, ...], slot: Any, n: Any, ahead: Any = None) -> Any:
    """The place of slot n; `at(place, 5)`: five slots further."""
    if type(n) is Ref and ahead is not None:
        at = places.index(n) + ahead
        return places[at] if 0 <= at < len(places) else None
    return places[n - 1] if n is not None and 1 <= n <= len(places) else None


def track_here(places: tuple[Any, ...], slot: Any) -> Any:
    return places[slot - 1] if places else None


def track_behind(places: tuple[Any, ...], slot: Any) -> Any:
    return places[-1] if places else None


# ---- around the running event ------------------------------------------------------------------------------------------------
def event_around(S: State, x: Any) -> Any:
    if x is not None and getattr(x, "kind", None) == 1:
        return x
    for frame in reversed(S.frames):
        if frame.kind == 1:
            return frame
    return None


def result_of(S: State, x: Any) -> Any:
    event = event_around(S, x)
    return event.result if event is not None else S.result


def actor_of(S: State, x: Any) -> Any:
    """The nearest event's or procedure's `by`."""
    if x is not None and getattr(x, "kind", None) == 1 and x.args.get("by") is not None:
        return x.args["by"]
    for frame in reversed(S.frames):
        if frame.kind == 1:
            if frame.args.get("by") is not None:
                return frame.args["by"]
        elif frame.shared < 0:
            for word, slot in frame.code.arg_slots:
                if word == "by" and frame.locals[slot] is not None:
                    return frame.locals[slot]
    return None


def source_of(S: State, x: Any) -> str:
    """What sort of effect is running: the nearest ability's or card's word."""
    program = S.program
    for frame in reversed(S.frames):
        if frame.kind == 1 and frame.verb == "use" and frame.step is None:
            deed = frame.args.get("0")
            if type(deed) is Deed:
                return "deed" if deed.card is None else effect_word(S, deed.card)
        elif frame.kind == 0 and type(frame.this) is Ref and frame.code.verb is None and program.world.definition[frame.this] is not None:
            return effect_word(S, frame.this)
    return "phase"


def effect_word(S: State, x: Ref) -> str:
    program = S.program
    for kind in program.world.kinds[x]:
        for up in program.table.ancestors(kind):
            info = program.table.kinds.get(up)
            if info is not None and info.effect_source:
                return info.effect_source
    return program.world.kind[x]


def cause(S: State, verb: str, name: str) -> Any:
    """A local or argument of the nearest running procedure of that verb."""
    for frame in reversed(S.frames):
        if frame.kind == 0 and frame.shared < 0 and frame.code.verb is not None and verb in (frame.code.verb, frame.code.step_verb):
            if name == "you":
                return frame.you
            at = frame.code.names.get(name)
            return frame.locals[at] if at is not None and at < len(frame.locals) else None
        if frame.kind == 1 and frame.step is None and frame.verb == verb:
            return frame.you if name == "you" else frame.args.get({"operand": "0"}.get(name, name))
    return None


def did_records(S: State, x: Any) -> list[Any]:
    """What has begun since the event around began."""
    if x is None:
        return S.records[S.trial.records if S.trial is not None else 0 :]
    event = event_around(S, x)
    return S.records[event.records :] if event is not None else S.records


def subjects_of(args: dict[str, Any]) -> tuple[Any, ...]:
    """The operands of a record, one by one; one that has none counts once."""
    operand = args.get("0")
    if type(operand) is tuple and not isinstance(operand, Stale | Deed):
        return operand or (None,)
    return (operand,)


def isk(x: Any, mask: bytes) -> bool:
    if type(x) is Ref:
        return bool(mask[x])
    return type(x) is Stale and bool(mask[x.thing])


def isk_c(S: State, x: Any, mask: bytes, word: str) -> bool:
    if type(x) is Ref:
        see_kind(S, x, word)
    return isk(x, mask)


def is_kind(S: State, x: Any, kind: str) -> bool:
    if type(x) is Ref:
        return S.program.thing_is(S, x, kind) if kind in S.program.table.kinds else False
    return type(x) is Stale and bool(S.program.world.mask(kind)[x.thing])


def is_deed(x: Any) -> bool:
    return type(x) is Deed


def object_is(S: State, args: dict[str, Any], x: Any, word: str) -> bool:
    """Whether an event is about a kind or unit: by its object word, else by its operand."""
    about = args.get("object")
    if about is not None:
        return S.program.word_below(str(about), word)
    if word == "ability":
        return type(x) is Deed
    if word in S.program.table.kinds:
        return is_kind(S, x, word)
    return False


def object_is_c(S: State, args: dict[str, Any], x: Any, word: str) -> bool:
    """The checked twin: in a trial it raises `Unknown` where the kind of the operand is not seen."""
    if args.get("object") is None and type(x) is Ref:
        see_kind(S, x, word)
    return object_is(S, args, x, word)


def all_of_kind(S: State, xs: Any, kind: str) -> bool:
    found = seq(xs)
    return bool(found) and all(is_kind(S, x, kind) for x in found)


def alive_doer(S: State, x: Any) -> bool:
    """At the `after` stage the doer must still be in play."""
    if type(x) is not Ref:
        return False
    return in_play(S, x)


def mask_of(S: State, kind: str) -> bytes:
    """A kind's mask with what modifiers of kinds add."""
    program = S.program
    base = bytearray(program.world.mask(kind))
    for x in program.changeable_kinds():
        base[x] = 1 if program.thing_is(S, x, kind) else 0
    return bytes(base)


def set_of_kind(S: State, kind: str) -> tuple[Ref, ...]:
    mask = mask_of(S, kind)
    return tuple(x for x in S.program.refs if mask[x] and in_play(S, x))


def kinds_of(S: State, x: Any) -> tuple[str, ...]:
    return S.program.world.kinds[x] if type(x) is Ref else ()


def owner_of(S: State, x: Any) -> Any:
    return owner(S, x)


def expect(S: State, f: Any, lid: int, holds: Any) -> None:
    """A test's expectation; the runner reads what failed."""
    if not holds:
        S.warnings.append(f"expect:{lid}")


def twin_value(S: State, *names: str) -> Any:
    raise ContentError("twin stands outside a test")
