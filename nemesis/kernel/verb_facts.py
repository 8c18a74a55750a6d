"""The primitive verbs that change facts: fields and tracks, faces, what is known, dice, winners, notes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel import chance
from nemesis.kernel.commit import note, put_field, set_known
from nemesis.kernel.reading import seq
from nemesis.kernel.signal import ContentError, Unknown
from nemesis.world.thing import Ref, Stale

if TYPE_CHECKING:
    from nemesis.state import State

HIDDEN_BITS = 32


def do_set(S: State, f: Any, lid: int, address: Any, x: Any, name: str, value: Any, length: int) -> None:
    """Write a field of one thing or of many; the value of a track is its slot."""
    S.done = True
    if type(address) is int:
        put_field(S, f, lid, None, name, address, max(1, min(length, value or 1)))
        return
    if type(value) is Stale:
        value = None
    if type(value) is list:
        value = tuple(value)
    for one in seq(x):
        if type(one) is Ref:
            at = address[one]
            if at < 0:
                raise ContentError(f"{S.name(one)} has no field {name}")
            new = max(1, min(length, value or 1)) if length else value
            if S.v[at] != new or type(S.v[at]) is not type(new):
                put_field(S, f, lid, one, name, at, new)


def do_raise(S: State, f: Any, lid: int, address: Any, x: Any, name: str, by: Any, length: int) -> None:
    _shift(S, f, lid, address, x, name, by or 0, length)


def do_lower(S: State, f: Any, lid: int, address: Any, x: Any, name: str, by: Any, length: int) -> None:
    _shift(S, f, lid, address, x, name, -(by or 0), length)


def _shift(S: State, f: Any, lid: int, address: Any, x: Any, name: str, by: int, length: int) -> None:
    """Tracks stop at their ends, plain numbers at 0."""
    S.done = False
    if type(address) is int:
        old = S.v[address]
        assert isinstance(old, int)
        new = max(1, min(length, old + by))
        if new != old:
            put_field(S, f, lid, None, name, address, new)
            S.done = True
        return
    for one in seq(x):
        if type(one) is not Ref or address[one] < 0:
            continue
        value = S.v[address[one]]
        old = value if isinstance(value, int) else 0
        new = max(1, min(length, old + by)) if length else max(0, old + by)
        if new != old:
            put_field(S, f, lid, one, name, address[one], new)
            S.done = True


def do_flip(S: State, f: Any, lid: int, *, things: Any = None, to_: Any = None, **_: Any) -> bool:
    """Turn to the other face of the kind's `faces`, or to a named one."""
    program = S.program
    address = program.world.field_at.get("face")
    S.done = False
    for x in seq(things):
        if type(x) is not Ref or address is None or address[x] < 0:
            continue
        faces: tuple[str, ...] = ()
        for kind in program.world.kinds[x]:
            for up in program.table.ancestors(kind):
                info = program.table.kinds.get(up)
                if info is not None and info.faces and not faces:
                    faces = info.faces
        now = S.v[address[x]]
        new = to_ if to_ is not None else next((face for face in faces if face != now), None)
        if new is not None and new != now:
            put_field(S, f, lid, x, "face", address[x], new)
            S.done = True
    return False


def do_orient(S: State, f: Any, lid: int, *, things: Any = None, to_: Any = None, **_: Any) -> bool:
    """Turn a thing toward a word or place (its field `facing`)."""
    address = S.program.world.field_at.get("facing")
    S.done = False
    for x in seq(things):
        if type(x) is Ref and address is not None and address[x] >= 0:
            put_field(S, f, lid, x, "facing", address[x], to_)
            S.done = True
    return False


def do_look(S: State, f: Any, lid: int, *, things: Any = None, by_: Any = None, for_: Any = None, **_: Any) -> bool:
    """A seat knows the things, or one hidden field of them, from now on."""
    seat = S.program.seat_of_thing(S, by_) if type(by_) is Ref else -1
    S.done = False
    for x in seq(things):
        if type(x) is Ref and seat >= 0:
            if S.trial is not None and not S.known[x] >> seat & 1:
                raise Unknown
            bits = 1 << seat if for_ is None else 1 << (HIDDEN_BITS + seat)
            if set_known(S, f, lid, "look", x, bits):
                S.done = True
    return False


def do_reveal(S: State, f: Any, lid: int, *, things: Any = None, to_: Any = None, **_: Any) -> bool:
    every = S.program.all_seats
    S.done = False
    for x in seq(things):
        if type(x) is Ref:
            if S.trial is not None and S.program.hideable[x]:
                raise Unknown
            if to_ == "all" or to_ is None:
                bits = every | 1 << 31 | every << HIDDEN_BITS
            else:
                seat = S.program.seat_of_thing(S, to_)
                bits = 0 if seat < 0 else 1 << seat | 1 << (HIDDEN_BITS + seat)
            if set_known(S, f, lid, "reveal", x, bits):
                S.done = True
    return False


def do_hide(S: State, f: Any, lid: int, *, things: Any = None, **_: Any) -> bool:
    S.done = True
    for x in seq(things):
        if type(x) is Ref and S.known[x]:
            S.put(S.known, x, 0)
            S.commits += 1
    return False


def do_roll(S: State, f: Any, lid: int, *, things: Any = None, by_: Any = None, **_: Any) -> bool:
    S.result = chance.roll(S, f, lid, str(things), by_)
    S.done = True
    S.commits += 1
    return False


def do_win(S: State, f: Any, lid: int, seats: Any) -> None:
    """Mark winners; it ends nothing by itself."""
    world = S.program.world
    found = [world.seats[n] for x in seq(seats) if type(x) is Ref and (n := S.program.seat_of_thing(S, x)) >= 0]
    S.winners = tuple(dict.fromkeys((*S.winners, *found)))
    if S.interest:
        for seat in found:
            S.records.append(("win", None, {"by": seat}))
    S.done = True
    note(S, f, lid, "win", tuple(found))


def do_note(S: State, f: Any, lid: int, text: str) -> None:
    S.done = True
    note(S, f, lid, "note", (text,))


def set_result(S: State, f: Any, value: Any) -> None:
    """`set result to`: what the hooked event gives."""
    event = nearest_event(S)
    if event is not None:
        event.result = value
        S.commits += 1
    f.result = value
    S.done = True


def nearest_event(S: State) -> Any:
    for frame in reversed(S.frames):
        if frame.kind == 1:
            return frame
    return None


def start_each(S: State, L: list[Any], items: int, at: int, keep: int, xs: Any) -> None:
    """Snapshot the things of a loop; `keep` remembers whether things out of play were meant."""
    found = tuple(xs)
    L[items] = found
    L[at] = 0
    out, place = S.program.out, S.place
    L[keep] = any(type(x) is Ref and place[x] >= 0 and out[place[x]] for x in found)


class End:
    """The end of a loop."""


END = End


def next_each(S: State, L: list[Any], items: int, at: int, keep: int) -> Any:
    """The next thing of a loop that is still there."""
    S.fuel -= 1
    found = L[items]
    i = L[at]
    while i < len(found):
        x = found[i]
        i += 1
        if type(x) is Stale:
            continue
        if type(x) is Ref and not L[keep]:
            place = S.place[x]
            if place >= 0 and S.program.out[place] and not S.program.is_zone[x] and place in S.program.gone_set:
                continue
        L[at] = i
        return x
    L[at] = i
    return END
