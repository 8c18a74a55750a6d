"""The one way in which a game changes: every change is written here, with its cause, and noted in the journal.

Journal entries are tuples (sequence, word, line, chain, seats, facts): `line` is the number of the line that did it, `chain` the calls
above it, `seats` the bit mask of those who may see the facts (-1 = everybody).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.sight import seen_mask, veil
from nemesis.state import next_map_version
from nemesis.world.thing import Ref, Stale

if TYPE_CHECKING:
    from nemesis.state import State


PLAIN = frozenset({bool, int, str, type(None)})
"""Types of values that name no thing."""


def note(S: State, f: Any, lid: int, word: str, facts: tuple[Any, ...], seats: int = -1) -> None:
    """One journal entry without a change of its own."""
    if S.undo is None:
        S.seq += 1
        if S.journal.on:
            S.journal.entries.append((S.seq, word, lid, f.chain if f is not None else None, seats, facts))


def note_call(S: State, f: Any, lid: int, index: int, values: tuple[Any, ...]) -> None:
    """The entry of a told procedure, by its head's number; what it speaks of may be for some eyes only."""
    if S.undo is None:
        note(S, f, lid, "call", (index, values, veil(S, values) if S.journal.on else ()))


def put_field(S: State, f: Any, lid: int, x: Any, name: str, address: int, value: Any) -> None:
    """Write a field of a thing (or, without a thing, a track of the table)."""
    before = S.v[address]
    S.memo.clear()
    if S.undo is not None:
        S.undo.append((S.v, address, before))
        S.v[address] = value
        S.commits += 1
        if name in S.program.over_names:
            S.dirty = True
        return
    S.v[address] = value
    S.commits += 1
    if name in S.program.over_names:
        S.dirty = True
    S.seq += 1
    if S.journal.on:
        seats = seen_mask(S, x) if x is not None else -1
        if name in S.program.world.hidden_fields:
            seats = 0
        alias = S.alias[x] if x is not None else 0
        plain = type(value) in PLAIN and type(before) in PLAIN
        facts = (x, name, before, value, alias, () if plain else veil(S, (before, value)))
        S.journal.entries.append((S.seq, "set", lid, f.chain, seats, facts))


def move(S: State, f: Any, lid: int, word: str, x: Ref, to: int, bottom: bool = False) -> None:
    """Move a thing into a container; entering a pool ends its incarnation, entering a shuffled hidden zone hides it."""
    program = S.program
    S.memo.clear()
    source = S.place[x]
    can_hide = program.hideable[x]
    before = seen_mask(S, x) if can_hide and not program.open_to_all[source] else -1
    undo = S.undo
    if source >= 0:
        old = S.inside[source]
        if undo is not None:
            undo.append((S.inside, source, old))
        if old and old[-1] == x:
            S.inside[source] = old[:-1]
        else:
            at = old.index(x)
            S.inside[source] = old[:at] + old[at + 1 :]
    target = S.inside[to]
    if undo is not None:
        undo.append((S.inside, to, target))
        undo.append((S.place, x, source))
        undo.append((S.last, x, S.last[x]))
    S.inside[to] = (x, *target) if bottom else (*target, x)
    S.place[x] = to
    S.last[x] = source
    S.commits += 1
    if program.over_things[x]:
        S.dirty = True
    if program.place_mask[x]:
        S.map_version = next_map_version()
        S.distances = {}
    hides = program.shows[to] in (1, 2, 3) if program.is_zone[to] else False
    if to == program.world.box:
        # Who saw it go knows what lies there; what goes out of the game unseen stays unseen.
        if can_hide:
            S.put(S.known, x, S.known[x] >> 32 << 32 | (program.all_seats | 1 << 31 if before == -1 else before))
    elif hides and can_hide and S.known[x] and (program.shows[to] != 1 or program.shuffles[to]):
        S.put(S.known, x, 0)
    after = seen_mask(S, x) if can_hide and not program.open_to_all[to] else -1
    if S.ledger:
        forget_uses(S, x)
    if undo is None:
        S.seq += 1
        if after != before and (after & ~before if before != -1 else 0):
            S.barrier += 1
        if S.journal.on:
            seats = -1 if before == -1 or after == -1 else before | after
            S.journal.entries.append((S.seq, word, lid, f.chain if f is not None else None, seats, (x, source, to, S.alias[x])))
    if program.out[to] and to in program.pool_set:
        S.put(S.left, x, source)
        end_incarnation(S, x)
        as_new(S, x)


def as_new(S: State, x: Ref) -> None:
    """What goes into its pool is one like the others there: its fields have the values of the beginning."""
    first = S.program.world.v0
    for at in S.program.fields_of(x):
        if S.v[at] != first[at]:
            S.put(S.v, at, first[at])


def forget_uses(S: State, x: int) -> None:
    """A card that moves may be used afresh."""
    for key in [key for key in S.ledger if key[1] == x]:
        if S.undo is not None:
            S.put_new(S.ledger, key, 0)
        else:
            del S.ledger[key]


def end_incarnation(S: State, x: Ref) -> None:
    """All references to x that the state holds become stale."""
    stale = Stale(int(x), S.incarnation[x])
    S.put(S.incarnation, x, S.incarnation[x] + 1)
    undo = S.undo
    for frame in S.frames:
        locals_ = frame.locals
        for at, value in enumerate(locals_):
            if value is x or (type(value) is tuple and x in value):
                S.put(locals_, at, made_stale(value, x, stale))
        if frame.kind == 1:
            args = frame.args
            for name, value in args.items():
                if value is x or (type(value) is tuple and x in value):
                    S.put(args, name, made_stale(value, x, stale))
            if frame.queue:
                if undo is not None:
                    undo.append((frame, "queue", frame.queue))
                frame.queue = [tuple(made_stale(part, x, stale) for part in item) for item in frame.queue]
            if frame.subjects and x in frame.subjects:
                if undo is not None:
                    undo.append((frame, "subjects", frame.subjects))
                frame.subjects = tuple(stale if one is x else one for one in frame.subjects)
        if frame.you is x:
            if undo is not None:
                undo.append((frame, "you", x))
            frame.you = stale
        if frame.this is x:
            if undo is not None:
                undo.append((frame, "this", x))
            frame.this = stale
    for address in S.program.reference_fields:
        value = S.v[address]
        if value is x:
            S.put(S.v, address, None)
        elif type(value) is tuple and x in value:
            S.put(S.v, address, tuple([one for one in value if one is not x]))
    for lasting in S.lasting:
        lasting.locals = [made_stale(value, x, stale) for value in lasting.locals]
    if S.result is x:
        S.result = stale


def made_stale(value: Any, x: Ref, stale: Stale) -> Any:
    if value is x:
        return stale
    if type(value) is tuple and not isinstance(value, Stale) and x in value:
        return tuple([stale if one is x else one for one in value])
    if type(value) is list:
        return [made_stale(one, x, stale) for one in value]
    return value


def set_known(S: State, f: Any, lid: int, word: str, x: Ref, bits: int) -> bool:
    """Let the seats of `bits` know a thing from now on; yes if that is new."""
    old = S.known[x]
    if old | bits == old:
        return False
    S.put(S.known, x, old | bits)
    S.commits += 1
    if S.undo is None:
        S.barrier += 1
        S.seq += 1
        if S.journal.on:
            S.journal.entries.append((S.seq, word, lid, f.chain, -1 if bits >> 31 & 1 else bits & 0xFFFFFFFF, (x,)))
    return True
