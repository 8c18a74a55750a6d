"""What a seat cannot see, made up anew: copies of a state that look the same to the seat and are otherwise as likely.

A bot that thinks ahead plays on in such copies and never in the game itself. What is hidden changes places with its likes (things of the
same kinds from the same content file, of one owner where the owner of a deck is known); hidden fields change among themselves; and chance
begins anew. A copy depends on what the seat sees and on a number, and on nothing else: not on where the hidden things really lie.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from nemesis.kernel.chance import draw_number
from nemesis.kernel.frame import Event, Frame
from nemesis.kernel.sight import seen_by
from nemesis.view import knows_field
from nemesis.world.thing import Deed, Ref, Stale

if TYPE_CHECKING:
    from nemesis.state import State

Slot = tuple[int, int, int, int]
"""Where a thing lies (container and place in it), and what seats know of what lies there: `known` and `last`."""


class Unseen:
    """What one seat does not see of a state; `imagine` makes as many copies as are wanted."""

    def __init__(self, S: State, seat: int) -> None:
        self.state = S
        self.groups: list[tuple[list[Ref], list[Slot]]] = []
        self.fields: list[tuple[list[int], list[Ref], list[Any]]] = []
        self._find_things(seat)
        self._find_fields(seat)

    def _find_things(self, seat: int) -> None:
        S = self.state
        program = S.program
        world = program.world
        fast = set(_speaking(S))
        groups: dict[Any, list[tuple[Slot, Ref]]] = {}
        for zone, inside in enumerate(S.inside):
            if not inside or not (zone in program.zone_info or zone == world.box):
                continue
            info = program.zone_info.get(zone)
            front = zone if program.shows[zone] == 3 else None
            owner = world.zone_holder[zone] if front is not None or (info is not None and info.holds == "card") else None
            for index, x in enumerate(inside):
                if program.hideable[x] and x not in fast and not seen_by(S, x, seat):
                    made = world.definition[x]
                    likes = (world.kinds[x], made.source.file if made is not None else "", owner, front)
                    groups.setdefault(likes, []).append(((zone, index, S.known[x], S.last[x]), x))
        self.groups = [([x for _, x in rows], [slot for slot, _ in rows]) for rows in groups.values() if len(rows) > 1]

    def _find_fields(self, seat: int) -> None:
        S = self.state
        world = S.program.world
        for name in sorted(world.hidden_fields):
            address = world.field_at[name]
            unknown = [x for x in world.refs if address[x] >= 0 and S.place[x] >= 0 and not knows_field(S, x, seat)]
            values = sorted((S.v[address[x]] for x in unknown), key=repr)
            if len(set(values)) > 1:
                self.fields.append((address, unknown, values))

    @property
    def things(self) -> tuple[Ref, ...]:
        """The things that change places."""
        return tuple(x for things, _ in self.groups for x in things)

    def imagine(self, number: int) -> State:
        """The copy with this number: the same one for all states that the seat cannot tell apart."""
        S = self.state.clone()
        S.seed = number
        S.script = {}
        S.journal.on = False
        keys = S.program.card_keys
        changed: dict[int, Ref] = {}
        lists: dict[int, list[Ref]] = {}
        for things, slots in self.groups:
            for old, x, (zone, index, known, last) in zip(things, _shuffled(things, number, -1, keys), slots, strict=True):
                if old != x:
                    changed[old] = x
                S.place[x], S.known[x], S.last[x] = zone, known, last
                lists.setdefault(zone, list(S.inside[zone]))[index] = x
        for zone, inside in lists.items():
            S.inside[zone] = tuple(inside)
        if changed:
            _rename_all(S, changed)
        for name, (address, unknown, values) in enumerate(self.fields):
            for x, value in zip(_shuffled(unknown, number, name, keys), values, strict=True):
                S.v[address[x]] = value
        return S


def _shuffled(things: list[Ref], number: int, what: int, keys: Sequence[str]) -> list[Ref]:
    """In an order that depends on the numbers and on what the things are called, and not on how they came."""
    return sorted(things, key=lambda x: draw_number(number, "unseen", what, keys[x]))


def _speaking(S: State) -> Iterator[int]:
    """Things that stay: those whose text is running or lasts, whose uses are counted, and what was noted of them."""
    yield from (int(part) for key in S.ledger for part in key if type(part) is Ref)
    yield from _things((S.records, [(one.this, one.you, one.locals) for one in S.lasting]))
    for frame in S.frames:
        yield from _things((frame.this, frame.you, frame.pay))
        yield from _things([value for value in _deep(frame.locals) if isinstance(value, Deed)])
        if isinstance(frame, Event):
            yield from _things((frame.queue, frame.applied, frame.running, frame.body, frame.boss, frame.rules))
            yield from _things([value for value in _deep(frame.args) if isinstance(value, Deed)])
        else:
            yield from _things(frame.deed)
    if S.pending is not None:
        yield from _things([value for value in _deep(S.pending.options) if isinstance(value, Deed)])


def _deep(value: Any) -> Iterator[Any]:
    """The single values in lists, tuples and maps."""
    if isinstance(value, Deed | Stale):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _deep(one)
    elif isinstance(value, dict):
        yield from _deep((*value.keys(), *value.values()))
    else:
        yield value


def _things(value: Any) -> Iterator[int]:
    for one in _deep(value):
        if type(one) is Ref:
            yield int(one)
        elif isinstance(one, Deed):
            yield from (int(x) for x in (one.card, one.doer) if x is not None)


def _renamed(value: Any, changed: dict[int, Ref]) -> Any:
    if type(value) is Ref:
        return changed.get(value, value)
    if isinstance(value, Deed | Stale):
        return value
    if isinstance(value, tuple):
        return tuple([_renamed(one, changed) for one in value])
    if isinstance(value, list):
        return [_renamed(one, changed) for one in value]
    if isinstance(value, dict):
        return {key: _renamed(one, changed) for key, one in value.items()}
    return value


def _rename_all(S: State, changed: dict[int, Ref]) -> None:
    """What fields, running effects and the open decision hold, by what lies there now."""
    for address in S.program.reference_fields:
        S.v[address] = _renamed(S.v[address], changed)
    done: set[int] = set()
    for frame in S.frames:
        if id(frame.locals) not in done:
            done.add(id(frame.locals))
            frame.locals[:] = _renamed(frame.locals, changed)
        frame.result = _renamed(frame.result, changed)
        if not isinstance(frame, Frame):
            frame.args = _renamed(frame.args, changed)
            frame.subjects = _renamed(frame.subjects, changed)
    S.result = _renamed(S.result, changed)
    if S.pending is not None:
        S.pending = copy.copy(S.pending)
        S.pending.options = _renamed(S.pending.options, changed)
        S.pending.extra = _renamed(S.pending.extra, changed)
        S.pending.target = _renamed(S.pending.target, changed)
