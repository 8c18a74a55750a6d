"""Who sees what: the one place where visibility is decided, and the checked reads of trials.

Functions that end in `_c` are the checked twins of those in `reading`: in a trial they raise `Unknown` where the answer needs a fact that
the trial's view does not see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.reading import any_at, at_kind, is_value, is_word, position, seq, set_of
from nemesis.kernel.signal import Unknown
from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from nemesis.state import State


def fld_c(S: State, address: list[int], x: Any) -> Any:
    if type(x) is not Ref:
        return None
    see(S, x)
    return S.v[address[x]]


def hid_c(S: State, address: list[int], x: Any, name: str) -> Any:
    """A field that shows to nobody until it is known."""
    if type(x) is not Ref:
        return None
    trial = S.trial
    if trial is not None:
        seats = S.program.all_seats if trial.view < 0 else 1 << trial.view
        if S.known[x] >> 32 & seats != seats:
            raise Unknown
    return S.v[address[x]]


def see(S: State, x: int) -> None:
    """In a trial: stop where its view does not see the face of x."""
    trial = S.trial
    if trial is None or not S.program.hideable[x]:
        return
    program = S.program
    shows, is_zone, place_of = program.shows, program.is_zone, S.place
    place = place_of[x]
    while place >= 0:
        if shows[place]:
            bits = S.known[x]
            if shows[place] == 1:
                bits |= program.holder_bit(S, place)
            if bits >> 31 & 1 or (trial.view >= 0 and bits >> trial.view & 1):
                return
            raise Unknown
        if is_zone[place]:
            return
        place = place_of[place]


def seen_mask(S: State, x: int) -> int:
    """Bits of the seats that see the face of x now (-1 = everybody)."""
    program = S.program
    place = S.place[x]
    if not program.hideable[x] or program.open_to_all[place]:
        return -1
    while place >= 0:
        shows = program.shows[place]
        if shows == 0 and program.is_zone[place]:
            return -1
        if shows in (1, 2, 3):
            bits = S.known[x] & 0xFFFFFFFF
            if shows == 1:
                bits |= program.holder_bit(S, place)
            return -1 if bits >> 31 else bits
        place = S.place[place]
    return -1


def seen_by(S: State, x: int, view: int) -> bool:
    mask = seen_mask(S, x)
    if mask == -1:
        return True
    return view >= 0 and bool(mask >> view & 1)


def veil(S: State, values: tuple[Any, ...]) -> tuple[tuple[Ref, int, int], ...]:
    """What is not for all eyes among values that a journal entry names: (thing, bits of the seats that see it, where it lies)."""
    hideable = S.program.hideable
    found: list[tuple[Ref, int, int]] = []
    for value in values:
        if type(value) is Ref:
            if hideable[value] and (mask := seen_mask(S, value)) != -1:
                found.append((value, mask, S.place[value]))
        elif type(value) is tuple:
            found += [(x, mask, S.place[x]) for x in value if type(x) is Ref and hideable[x] and (mask := seen_mask(S, x)) != -1]
    return tuple(found)


def at_kind_c(S: State, mask: bytes, place: Any) -> tuple[Ref, ...]:
    if S.trial is not None:
        check_zone(S, mask, place)
    return at_kind(S, mask, place)


def any_at_c(S: State, mask: bytes, place: Any) -> bool:
    if S.trial is not None:
        check_zone(S, mask, place)
    return any_at(S, mask, place)


def set_of_c(S: State, members: tuple[Ref, ...], mask: bytes, zones: tuple[int, ...]) -> tuple[Ref, ...]:
    """Those of a kind in play; `zones` are the hidden ones that may hold some."""
    if S.trial is not None:
        for zone in zones:
            check_zone(S, mask, S.program.refs[zone])
    return set_of(S, members)


def check_zone(S: State, mask: bytes, place: Any) -> None:
    """In a trial: which of a hidden zone's things are of a kind below what it `holds` is not known; nor of a hidden zone inside a place."""
    trial = S.trial
    if trial is None:
        return
    if type(place) is Ref:
        program = S.program
        shows = program.shows[place]
        if shows == 0:
            zones, open_zones = program.zones_of[place], program.open_zones
            for x in S.inside[place]:
                if open_zones[x]:
                    zones += open_zones[x]
            for zone in zones:
                if program.shows[zone] and not program.out[zone] and S.inside[zone]:
                    check_zone(S, mask, zone)
            return
        view = trial.view
        if shows == 1 and view >= 0 and S.program.holder_bit(S, place) >> view & 1:
            return
        inside = S.inside[place]
        if inside and not S.program.holds_only(place, mask):
            for x in inside:
                if not seen_by(S, x, view):
                    raise Unknown
        return
    for each in seq(place):
        check_zone(S, mask, each)


def position_c(S: State, x: Any) -> Any:
    if type(x) is Ref:
        see(S, x)
    return position(S, x)


def is_value_c(S: State, a: Any, b: Any) -> bool:
    return is_word_c(S, a, b) if type(b) is str else is_value(S, a, b)


def is_named_c(S: State, a: Any, b: Any) -> bool:
    """Whether a is the thing that a word names: of two cards one must not see, this tells which is which."""
    if type(a) is Ref and type(b) is Ref:
        see(S, a)
    return is_value(S, a, b)


def is_word_c(S: State, x: Any, word: str) -> bool:
    if type(x) is Ref:
        see_kind(S, x, word)
    return is_word(S, x, word)


def kind_is_c(S: State, x: Any, mask: bytes, word: str) -> bool:
    """`x is kind`, where the word can mean nothing else but some of the kind may be hidden."""
    if type(x) is Ref:
        see_kind(S, x, word)
        return bool(mask[x])
    return is_word_c(S, x, word)


def see_kind(S: State, x: Ref, word: str) -> None:
    """In a trial: stop where its view sees neither the face of x nor, by what the zone `holds`, whether x is of the kind."""
    if S.trial is not None and S.program.hideable[x] and not S.program.public_kind(S, x, word):
        see(S, x)
