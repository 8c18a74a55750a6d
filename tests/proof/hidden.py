"""Permutes what a seat cannot see, and compares what the seat is shown and told with the game as it was.

Hidden things change places with their likes: cards in hidden decks, in the hands and bags of others, face-down fields of cards. Likes are
things of the same kinds from the same content file, so that nothing that the table may know from the backs, the counts or the owner of a
deck changes. Things that a running effect has in hand stay where they are.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from nemesis.entry import MOVES, make_entry
from nemesis.game import Game
from nemesis.kernel.sight import seen_by
from nemesis.state import State
from nemesis.view import knows_field
from nemesis.world.thing import Deed, Ref, Stale

CHANCE = frozenset({"roll", "shuffle", "renew", "look", "reveal"})


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


def held_fast(S: State) -> set[int]:
    """Things in the hands of the running effects, of the open decision, of fields and of use counts."""
    found = set(references((list(S.frames), list(S.lasting), S.pending, S.result, list(S.records))))
    found |= {int(x) for value in S.v for x in references(value)}
    return found | {int(key[1]) for key in S.ledger if type(key[1]) is Ref}


def permute(game: Game, seat: int, rng: random.Random) -> tuple[Game, set[int]]:
    """A copy in which what the seat (0-based) does not see is otherwise, and the things that changed."""
    twin = game.clone()
    S = twin.state
    world, program = S.program.world, S.program
    fast = held_fast(S)
    groups: dict[Any, list[int]] = {}
    for x in range(world.count):
        zone = S.place[x]
        if zone in program.zone_info and program.hideable[x] and x not in fast and not seen_by(S, x, seat):
            made = world.definition[x]
            info = program.zone_info[zone]
            owner = world.zone_holder[zone] if info.holds == "card" or program.shows[zone] == 3 else None
            fronts = zone if program.shows[zone] == 3 else None
            groups.setdefault((world.kinds[x], made.source.file if made else "", owner, fronts), []).append(x)
    changed: set[int] = set()
    lists = {place: list(inside) for place, inside in enumerate(S.inside) if inside}
    for things in groups.values():
        slots = [(S.place[x], lists[S.place[x]].index(x), S.known[x], S.last[x]) for x in things]
        shuffled = rng.sample(things, len(things))
        for x, (place, index, known, last) in zip(shuffled, slots, strict=True):
            S.place[x], S.known[x], S.last[x] = place, known, last
            lists[place][index] = world.refs[x]
        if len(things) > 1:
            changed |= set(things)
    for place, inside in lists.items():
        S.inside[place] = tuple(world.refs[x] for x in inside)
    for name in sorted(world.hidden_fields):
        address = world.field_at[name]
        unknown = [x for x in range(world.count) if address[x] >= 0 and S.place[x] >= 0 and not knows_field(S, x, seat)]
        values = rng.sample([S.v[address[x]] for x in unknown], len(unknown))
        for x, value in zip(unknown, values, strict=True):
            S.v[address[x]] = value
    return twin, changed


def shown(game: Game, seat: str) -> str:
    """All that a face may show a seat at its decision: its view, the public view, the decision, the refused, the forecasts, the past."""
    decision = game.decision
    assert decision is not None
    parts = {
        "view": game.view(seat),
        "public": game.view(None),
        "decision": decision.to_json(),
        "why_not": game.why_not("", seat),
        "forecast": [game.forecast(option.id, seat) for option in decision.options],
        "harm": game.harm(seat),
        "past": [[entry.text, entry.to_json()] for entry in game.journal(seat, max(game.state.seq - 30, 0), "full")],
    }
    return json.dumps(parts, sort_keys=True)


def told(game: Game, seat: int, since: int, hidden: set[int]) -> tuple[list[str], bool]:
    """The seat's entries from the raw journal's number `since` to the next chance, hidden draw or answer of another; whether one came."""
    S = game.state
    found = []
    for raw in S.journal.since(since):
        word, facts = raw[1], raw[5]
        moved = word in MOVES and int(facts[0]) in hidden
        if word in CHANCE or moved or (word == "take" and facts[1] == "chance") or (word == "choose" and facts[0] != seat):
            return found, True
        entry = make_entry(S, raw, seat)
        if entry is not None:
            found.append(json.dumps([entry.text, entry.to_json()], sort_keys=True))
    return found, False


def leaks(game: Game, rng: random.Random, steps: int = 6) -> list[str]:
    """What the open decision's seat could learn of hidden facts: from what it is shown, and from what it is told when it plays on."""
    decision = game.decision
    assert decision is not None and game.state.pending is not None
    seat, name = game.state.pending.seat, decision.chooser
    here = game.clone()
    twin, hidden = permute(game, seat, rng)
    for step in range(steps):
        one, two = shown(here, name), shown(twin, name)
        if one != two:
            return [f"{decision.id} {name} step {step}: {_difference(one, two)}"]
        open_ = here.decision
        assert open_ is not None
        many = open_.kind in ("choose_some", "order")
        ids = [option.id for option in open_.options]
        answer = rng.sample(ids, rng.randint(open_.min, open_.max)) if many else rng.choice(ids)
        since = len(here.state.journal)
        for each in (here, twin):
            each.answer(answer)
        (first, stopped), (second, stopped_too) = told(here, seat, since, hidden), told(twin, seat, since, hidden)
        length = min(len(first), len(second)) if stopped or stopped_too else max(len(first), len(second))
        if first[:length] != second[:length]:
            return [f"{decision.id} {name} step {step} after {open_.id} {answer}: {_first(first, second)}"]
        if stopped or stopped_too or here.state.pending is None or here.state.pending.seat != seat:
            return []
        if twin.state.pending is None or twin.state.pending.seat != seat:
            return [f"{decision.id} {name} step {step} after {open_.id} {answer}: one game asks {name}, the other does not"]
    return []


def _difference(one: str, two: str) -> str:
    first, second = json.loads(one), json.loads(two)
    for part, value in first.items():
        if value != second[part]:
            return f"{part} differs: {_inner(value, second[part])}"
    return "order of bytes"


def _inner(a: Any, b: Any, path: str = "") -> str:
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return next(_inner(a[key], b[key], f"{path}.{key}") for key in a if a[key] != b[key])
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return next(_inner(x, y, f"{path}[{n}]") for n, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
    return f"{path}: {json.dumps(a)[:200]} / {json.dumps(b)[:200]}"


def _first(first: list[str], second: list[str]) -> str:
    for a, b in zip([*first, "(nothing)"], [*second, "(nothing)"], strict=False):
        if a != b:
            return f"{a[:300]} / {b[:300]}"
    return "one is told more"
