"""Games and scenarios as stories: one line for each entry of the level `story`, in scenarios with the rules it cites; games by rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path

from nemesis.bots import Bot
from nemesis.entry import Entry, entries
from nemesis.game import Game
from nemesis.pack_tests import FileRunner, TestRun
from nemesis.state import State
from nemesis.world.thing import Ref
from nemesis.world.world import World
from rulescript import tree as t
from rulescript.pack.load import load_packs
from rulescript.syntax.parse import parse_text

SCENARIOS = Path(__file__).parent / "scenarios.nrs"
PACK, NEIGHBOUR = "retaliation/base", "noise_test.nrs"


def line(entry: Entry) -> str:
    rules = f"  [{', '.join(entry.rules)}]" if entry.rules else ""
    return f"{entry.text}{rules}"


def scenarios() -> dict[str, t.Test]:
    """Title -> test of the scenario file."""
    parsed = parse_text(SCENARIOS.read_text(encoding="utf-8"), str(SCENARIOS), cached=False)
    assert not parsed.diagnostics, parsed.diagnostics
    return {item.node.title: item.node for item in parsed.items if isinstance(item.node, t.Test)}


_runner: list[FileRunner] = []


def scenario_story(node: t.Test) -> str:
    """What happens in a scenario, from its position on, and what is otherwise at its end: things that lie elsewhere, fields that differ."""
    if not _runner:
        _runner.append(FileRunner(load_packs([PACK]), PACK, (NEIGHBOUR,), ()))
    problems: list[str] = []
    run = TestRun(_runner[0], node, problems)
    begun = run.S.seq
    run.run()
    assert not problems, problems
    return "\n".join([*(line(entry) for entry in entries(run.S, None, begun, "story")), "--", *changes(run.start, run.S)])


def changes(before: State, after: State) -> list[str]:
    """One line for each thing, in the order of numbers: `recon: b2 > b3, oxygen 3 > 2`."""
    world = after.program.world
    lines = []
    for x in world.refs:
        parts = []
        if before.place[x] != after.place[x]:
            parts.append(f"{_name(world, before.place[x])} > {_name(world, after.place[x])}")
        for field, addresses in world.field_at.items():
            at = addresses[x]
            if at >= 0 and before.v[at] != after.v[at]:
                parts.append(f"{field} {_name(world, before.v[at])} > {_name(world, after.v[at])}")
        if parts:
            lines.append(f"{_name(world, x)}: {', '.join(parts)}")
    return lines


def _name(world: World, value: object) -> str:
    return world.name_of(value) if isinstance(value, Ref) else str(value)


def game_story(game: Game) -> str:
    """The story of a game for all eyes, and who won."""
    told = [entry.text for entry in game.journal(None, 0, "story")]
    return "\n".join([*told, f"won: {', '.join(game.winners) or 'nobody'}"])


def game_by_rounds(game: Game, players: Mapping[str, Bot]) -> str:
    """A game played to its end, one line for each round: who stands where, what lies on the map, and a hash of what was told in it."""
    lines: list[str] = []
    decisions = begun = 0
    marker = game.program.world.track_at["round"]
    before = game.state.v[marker]
    while (decision := game.decision) is not None:
        game.answer(players[decision.chooser].choose(game, decision), decision.id)
        decisions += 1
        if (now := game.state.v[marker]) != before or game.decision is None:
            told = [entry.text for entry in game.journal(None, begun, "story")]
            lines.append(f"round {before}: {decisions} decisions, {len(told)} told ({_hash(told)}); {board(game)}")
            decisions, begun, before = 0, game.state.seq, now
    return "\n".join([*lines, f"won: {', '.join(game.winners) or 'nobody'}"])


def board(game: Game) -> str:
    """Where those stand who act, and how many of each kind of thing lie on the map."""
    view = game.view(None)
    stand = []
    on_map: Counter[str] = Counter()
    for name, thing in view["things"].items():
        fields = thing["fields"]
        if "health_slot" in fields and fields["seat"] is not None:
            where = thing["place"] if fields["state"] == "active" else fields["state"]
            stand.append(f"{name} {where} {fields['health_slot']}/{fields['oxygen']}")
        elif thing["place"] in view["places"]:
            on_map[thing["kind"]] += 1
    return f"{', '.join(stand)}; {', '.join(f'{count} {kind}' for kind, count in sorted(on_map.items())) or 'nothing'}"


def _hash(told: list[str]) -> str:
    return blake2b("\n".join(told).encode(), digest_size=4).hexdigest()
