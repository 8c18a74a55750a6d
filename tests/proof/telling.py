"""Plays a game and its twin on, and compares what a pair of eyes is shown and told, byte by byte.

The eyes are a seat's (the one that is asked or another) or the public's. In the twin each seat answers as in the game, with the things that
lie there where those of the game lie. The lines are compared until the eyes legitimately come to see what was permuted: until then
they must be the same. Whether they may see it is asked of the zones as the packs declare them, not of the entry's own mask.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from nemesis.entry import MOVES, make_entry
from nemesis.game import Decision, Game
from nemesis.kernel.frame import Pending
from nemesis.state import State
from nemesis.world.thing import Deed, Ref

from .hidden import Sigma, permute, references, renamed

Line = tuple[tuple[Any, ...], str]
"""A raw entry and its text and JSON for a pair of eyes."""


def shown(game: Game, eyes: int) -> dict[str, Any]:
    """All that a face may show now: the view, the public view, the past; for the asked seat its decision, refusals, forecasts too."""
    S, decision = game.state, game.decision
    seat = game.seats[eyes] if eyes >= 0 else None
    parts: dict[str, Any] = {
        "view": game.view(seat),
        "public": game.view(None),
        "harm": game.harm(seat),
        "past": [[entry.text, entry.to_json()] for entry in game.journal(seat or "table", max(S.seq - 30, 0), "full")],
    }
    if decision is not None and seat == decision.chooser:
        parts["decision"] = decision.to_json()
        parts["why_not"] = game.why_not("", seat)
        parts["forecast"] = [game.forecast(option.id, seat) for option in decision.options]
    parsed: dict[str, Any] = json.loads(json.dumps(parts, sort_keys=True))
    return parsed


def told(S: State, eyes: int, since: int) -> list[Line]:
    """What the eyes are told from the raw journal's number `since` on."""
    made = [(raw, make_entry(S, raw, eyes)) for raw in S.journal.since(since)]
    return [(raw, json.dumps([entry.text, entry.to_json()], sort_keys=True)) for raw, entry in made if entry is not None]


def open_to(S: State, zone: int, eyes: int) -> bool:
    """Whether what comes into a container is seen by the eyes, by what the packs say of it; what leaves the game is not."""
    program, world = S.program, S.program.world
    if zone < 0 or zone in program.gone_set:
        return False
    info = program.zone_info.get(zone)
    if info is None or info.shows == "all":
        return True
    holder = world.zone_holder[zone]
    return bool(info.shows == "owner" and eyes >= 0 and type(holder) is Ref and program.seat_of_thing(S, holder) == eyes)


def exposures(S: State, eyes: int, since: int) -> Iterator[tuple[int, int]]:
    """(sequence number, thing) of what came out: revealed, moved into the open, or looked at by anybody, since what follows may tell."""
    for raw in S.journal.since(since):
        seq, word, _, _, seats, facts = raw
        if word == "look" or (word == "reveal" and (seats == -1 or (eyes >= 0 and seats >> eyes & 1))):
            yield from ((seq, x) for x in references(facts))
        elif word in MOVES and len(facts) >= 3 and (open_to(S, facts[2], eyes) or open_to(S, facts[1], eyes)):
            yield seq, int(facts[0])


def speaking(S: State) -> set[int]:
    """The things whose abilities are being used: whoever uses one says so."""
    deeds = [deed for frame in S.frames for deed in (frame.pay, frame.deed if frame.kind == 0 else frame.args.get("0"))]
    return {int(deed.card) for deed in deeds if isinstance(deed, Deed) and deed.card is not None}


def has_hidden_field(S: State, x: int) -> bool:
    world = S.program.world
    return any(world.field_at[name][x] >= 0 for name in world.hidden_fields)


def about(S: State, raw: tuple[Any, ...]) -> list[set[int]]:
    """What an entry is about, by its facts, the names in them, and the cards whose text acts; of a card the copies it may be."""
    found = [{x} for x in references(raw[5])]
    words = {one for value in raw[5] for one in (value if isinstance(value, tuple) else (value,)) if isinstance(one, str)}
    names = {S.name(x): int(x) for x in S.program.world.refs}
    found += [{names[word]} for word in words if word in names]
    chain = (raw[2], raw[3])
    while chain is not None:
        number, chain = chain
        address = S.program.lines[number][0] if number in S.program.lines else ""
        item = address.partition(":")[2].partition("/")[0]  # of a card; else the sort of what it is
        found.append({int(x) for x in S.program.world.refs if (made := S.program.world.definition[x]) is not None and made.id == item})
    return found


def difference(games: tuple[Game, Game], lines: tuple[list[Line], list[Line]], eyes: int, since: tuple[int, int], moved: set[int]) -> str:
    """The first line that differs and should not, or nothing; `moved` are the things that were permuted."""
    for at in range(max(len(lines[0]), len(lines[1]))):
        pair = [one[at] if at < len(one) else None for one in lines]
        if pair[0] is not None and pair[1] is not None and pair[0][1] == pair[1][1]:
            continue
        for game, line, begun in zip(games, pair, since, strict=True):
            open_ = list(exposures(game.state, eyes, begun))
            seq = line[0][0] if line is not None else game.state.seq
            if any((x in moved or has_hidden_field(game.state, x)) and when <= seq for when, x in open_):
                return ""  # the eyes have seen something that is otherwise in the other game
            named = [group for group in about(game.state, line[0]) if group & moved] if line is not None else []
            known = {x for _, x in open_} | speaking(game.state)
            if named and all(group & known for group in named):
                return ""  # it is told of what is shown a moment later, or of a card that is being used
        return " / ".join(line[1][:300] if line is not None else "(nothing)" for line in pair)
    return ""


def mate_of(here: Pending, twin: Pending, index: int, sigma: Sigma) -> int:
    """The option of the twin that is an option of the game, -1 if there is none."""
    if here.kind == "action" and here.labels is not None and twin.labels is not None:
        return twin.labels.index(here.labels[index]) if here.labels[index] in twin.labels else -1
    if here.target[0] not in ("local", "order"):
        same = here.labels == twin.labels and here.options == twin.options
        return index if same else next((n for n, option in enumerate(twin.options) if option == here.options[index]), -1)
    wanted = renamed(here.options[index], sigma)
    return next((n for n, option in enumerate(twin.options) if option == wanted), -1)


def pair_of_answers(here: Game, twin: Game, sigma: Sigma, rng: random.Random) -> tuple[list[str], list[str]] | None:
    """A random answer for the open decision of both games; None if they do not ask the same seat for the same."""
    one, two = here.state.pending, twin.state.pending
    if one is None or two is None or (one.seat, one.kind, one.prompt, one.target[0]) != (two.seat, two.kind, two.prompt, two.target[0]):
        return None
    first, second = here.decision, twin.decision
    assert first is not None and second is not None
    able = [(n, mate) for n in range(len(one.options)) if (mate := mate_of(one, two, n, sigma)) >= 0]
    least = first.min if first.kind in ("choose_some", "order") else 1
    most = first.max if first.kind in ("choose_some", "order") else 1
    if len(able) < least or not able or (first.min, first.max) != (second.min, second.max):
        return None
    picked = rng.sample(able, rng.randint(least, min(most, len(able))))
    return [first.options[n].id for n, _ in picked], [second.options[m].id for _, m in picked]


def given(decision: Decision, ids: list[str]) -> str | list[str]:
    return ids if decision.kind in ("choose_some", "order") else ids[0]


def leaks_to(game: Game, eyes: int, rng: random.Random, steps: int = 8) -> list[str]:
    """What the eyes (a 0-based seat, -1 = the public) could learn of hidden facts: from what they are shown, and told when all play on."""
    here = game.clone()
    twin, sigma = permute(game, eyes, rng)
    moved = set(sigma)
    name = game.seats[eyes] if eyes >= 0 else "the public"
    start = game.decision.id if game.decision is not None else "the end"
    known: dict[int, str] = {}
    for step in range(steps):
        where = f"{start} {name} step {step}"
        one, two = shown(here, eyes), shown(twin, eyes)
        if one != two:
            return [f"{where}: {unlike(one, two)}"]
        both = pair_of_answers(here, twin, sigma, rng)
        asked, asked_too = here.decision, twin.decision
        if both is None or asked is None or asked_too is None:
            return [f"{where}: the games ask {name} for different things"] if _asks(here, eyes) or _asks(twin, eyes) else []
        since = (len(here.state.journal), len(twin.state.journal))
        ahead = here.forced - twin.forced
        here.answer(given(asked, both[0]))
        twin.answer(given(asked_too, both[1]))
        lines = (told(here.state, eyes, since[0]), told(twin.state, eyes, since[1]))
        parted = (_asks_other(here, eyes) or _asks_other(twin, eyes)) and not _asks_same(here, twin)
        # Choices with one candidate are made without asking: a decision of another seat that only one of the games has had.
        parted = parted or (here.forced - twin.forced != ahead and not _asks(here, eyes))
        if parted:
            shorter = min(len(lines[0]), len(lines[1]))  # another seat's decision has come in one of them
            lines = (lines[0][:shorter], lines[1][:shorter])
        found = difference((here, twin), lines, eyes, since, moved)
        if found:
            return [f"{where} after {asked.id} {' '.join(both[0])}: {found}"]
        if parted:
            return []
        again = {raw[0]: text for raw, text in told(here.state, eyes, max(since[0] - 30, 0))}
        known |= {seq: text for seq, text in again.items() if seq not in known}
        for seq, text in again.items():
            if known[seq] != text:
                return [f"{where}: what was told is told otherwise later: {known[seq][:300]} / {text[:300]}"]
        if [text for _, text in lines[0]] != [text for _, text in lines[1]] or any(
            x in moved for game_, begun in zip((here, twin), since, strict=True) for _, x in exposures(game_.state, eyes, begun)
        ):
            return []
    return []


def leaks(game: Game, rng: random.Random, steps: int = 8) -> list[str]:
    """What each seat and the public could learn of hidden facts."""
    return [leak for eyes in range(-1, len(game.seats)) for leak in leaks_to(game, eyes, rng, steps)]


def _asks(game: Game, eyes: int) -> bool:
    return game.state.pending is not None and game.state.pending.seat == eyes


def _asks_other(game: Game, eyes: int) -> bool:
    return game.state.pending is not None and game.state.pending.seat != eyes


def _asks_same(here: Game, twin: Game) -> bool:
    one, two = here.state.pending, twin.state.pending
    return one is not None and two is not None and (one.seat, one.kind, one.lid) == (two.seat, two.kind, two.lid)


def unlike(a: Any, b: Any, path: str = "") -> str:
    """Where two values of JSON differ first."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return next(unlike(a[key], b[key], f"{path}.{key}") for key in a if a[key] != b[key])
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return next(unlike(x, y, f"{path}[{n}]") for n, (x, y) in enumerate(zip(a, b, strict=True)) if x != y)
    return f"{path} differs: {json.dumps(a)[:200]} / {json.dumps(b)[:200]}"
