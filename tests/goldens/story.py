"""Games and scenarios as stories: one line for each entry of the level `story`, in scenarios with the rules it cites."""

from __future__ import annotations

from pathlib import Path

from nemesis.entry import Entry, entries
from nemesis.game import Game
from nemesis.pack_tests import FileRunner, TestRun
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
    """What happens in a scenario, from its position on."""
    if not _runner:
        _runner.append(FileRunner(load_packs([PACK]), PACK, (NEIGHBOUR,), ()))
    problems: list[str] = []
    run = TestRun(_runner[0], node, problems)
    begun = run.S.seq
    run.run()
    assert not problems, problems
    return "\n".join(line(entry) for entry in entries(run.S, None, begun, "story"))


def game_story(game: Game) -> str:
    """The story of a game for all eyes, and who won."""
    told = [entry.text for entry in game.journal(None, 0, "story")]
    return "\n".join([*told, f"won: {', '.join(game.winners) or 'nobody'}"])
