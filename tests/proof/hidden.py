"""Permutes what a pair of eyes cannot see: a copy of a game that must look just the same to them.

Hidden things change places with their likes: cards in hidden decks, in the hands and bags of others, in the box, face-down fields of cards.
Likes are things of the same kinds from the same content file, so that nothing that the table may know from the backs, the counts or the
owner of a deck changes. What a running effect has in hand changes with the rest if the eyes are not those that are asked; abilities, and
the things on which a running text stands, stay where they are, since they have begun to speak.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

from nemesis.game import Game
from nemesis.kernel.offer import do_act
from nemesis.kernel.sight import seen_by
from nemesis.state import State
from nemesis.view import knows_field
from nemesis.world.thing import Deed, Ref, Stale

Sigma = dict[int, Ref]
"""Which thing lies in the twin where a thing lies in the game; things that did not move are not in it."""


def references(value: Any, depth: int = 0) -> Iterator[int]:
    """All things that a value, frame or record holds."""
    if type(value) is Ref:
        yield int(value)
    elif isinstance(value, Deed):
        yield from (int(x) for x in (value.card, value.doer) if x is not None)
    elif isinstance(value, Stale) or value is None or isinstance(value, str | int):
        return
    elif isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from references(one, depth + 1)
    elif isinstance(value, dict):
        yield from references((*value.keys(), *value.values()), depth + 1)
    elif depth < 6 and type(value).__module__ == "nemesis.kernel.frame":
        for name in type(value).__slots__:
            if name not in ("code", "chain"):
                yield from references(getattr(value, name, None), depth + 1)


def deeds(value: Any) -> Iterator[int]:
    """The things of the abilities that a value holds."""
    if isinstance(value, Deed):
        yield from references(value)
    elif isinstance(value, tuple | list) and not isinstance(value, Stale):
        for one in value:
            yield from deeds(one)
    elif isinstance(value, dict):
        yield from deeds(list(value.values()))


def can_be_renamed(S: State) -> bool:
    """Whether the open decision is a menu, or is among plain values outside of an ability, where no trial has narrowed them."""
    ability = any(frame.pay is not None or (frame.kind == 0 and frame.deed is not None) for frame in S.frames)
    return S.pending is not None and not ability and (S.pending.kind == "action" or S.pending.target[0] in ("local", "order"))


def held_fast(S: State, asked: bool) -> set[int]:
    """Things that must stay: those with use counts; in the hands of the running effects, or (not `asked`) only those that speak there."""
    found = {int(key[1]) for key in S.ledger if type(key[1]) is Ref}
    found |= set(references((list(S.lasting), list(S.records))))
    if asked or not can_be_renamed(S):
        return found | set(references((list(S.frames), S.pending, S.result)))
    for frame in S.frames:
        found |= set(references((frame.this, frame.you, frame.pay)))
        found |= set(deeds(frame.locals))
        if frame.kind == 1:
            found |= set(references((frame.queue, frame.applied, frame.body, frame.boss))) | set(deeds(frame.args))
        else:
            found |= set(references(frame.deed))
    return found


def renamed(value: Any, sigma: Sigma) -> Any:
    """A value with the things of the twin in the place of the game's."""
    if type(value) is Ref:
        return sigma.get(value, value)
    if isinstance(value, Deed | Stale):
        return value
    if isinstance(value, tuple):
        return tuple([renamed(one, sigma) for one in value])
    if isinstance(value, list):
        return [renamed(one, sigma) for one in value]
    if isinstance(value, dict):
        return {key: renamed(one, sigma) for key, one in value.items()}
    return value


def rename_running(S: State, sigma: Sigma) -> None:
    """What the running effects have in hand, by the names of the twin."""
    done: set[int] = set()
    for frame in S.frames:
        if id(frame.locals) not in done:
            done.add(id(frame.locals))
            frame.locals[:] = renamed(frame.locals, sigma)
        frame.result = renamed(frame.result, sigma)
        if frame.kind == 1:
            frame.args = renamed(frame.args, sigma)
            frame.subjects = renamed(frame.subjects, sigma)
    S.result = renamed(S.result, sigma)
    if S.pending is not None:
        S.pending = copy.copy(S.pending)
        S.pending.options = renamed(S.pending.options, sigma)
        S.pending.extra = renamed(S.pending.extra, sigma)
        S.pending.target = renamed(S.pending.target, sigma)


def ask_anew(S: State) -> None:
    """The menu of an open action again: which abilities can be done depends on what its seat has in hand."""
    pending = S.pending
    assert pending is not None
    S.pending = None
    do_act(S, S.frames[-1], pending.target[1], pending.extra)


def permute(game: Game, eyes: int, rng: random.Random) -> tuple[Game, Sigma]:
    """A copy in which what the eyes (a 0-based seat, -1 = the public) do not see is otherwise."""
    twin = game.clone()
    S = twin.state
    world, program = S.program.world, S.program
    asked = S.pending is None or S.pending.seat == eyes
    fast = held_fast(S, asked)
    groups: dict[Any, list[int]] = {}
    for x in range(world.count):
        zone = S.place[x]
        if (zone in program.zone_info or zone == world.box) and program.hideable[x] and x not in fast and not seen_by(S, x, eyes):
            made = world.definition[x]
            info = program.zone_info.get(zone)
            front = zone if program.shows[zone] == 3 else None
            owner = world.zone_holder[zone] if front is not None or (info is not None and info.holds == "card") else None
            groups.setdefault((world.kinds[x], made.source.file if made else "", owner, front), []).append(x)
    sigma: Sigma = {}
    lists = {place: list(inside) for place, inside in enumerate(S.inside) if inside}
    for things in groups.values():
        slots = [(S.place[x], lists[S.place[x]].index(world.refs[x]), S.known[x], S.last[x]) for x in things]
        shuffled = rng.sample(things, len(things))
        for old, x, (place, index, known, last) in zip(things, shuffled, slots, strict=True):
            S.place[x], S.known[x], S.last[x] = place, known, last
            lists[place][index] = world.refs[x]
            if old != x:
                sigma[old] = world.refs[x]
    for place, inside in lists.items():
        S.inside[place] = tuple(inside)
    for address in program.reference_fields:
        S.v[address] = renamed(S.v[address], sigma)
    if not asked and can_be_renamed(S):
        rename_running(S, sigma)
    for name in sorted(world.hidden_fields):
        address = world.field_at[name]
        unknown = [x for x in range(world.count) if address[x] >= 0 and S.place[x] >= 0 and not knows_field(S, x, eyes)]
        values = rng.sample([S.v[address[x]] for x in unknown], len(unknown))
        for x, value in zip(unknown, values, strict=True):
            S.v[address[x]] = value
    if not asked and S.pending is not None and S.pending.kind == "action":
        ask_anew(S)
    return twin, sigma
