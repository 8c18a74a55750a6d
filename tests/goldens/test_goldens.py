"""Stories that change only on purpose: scenarios of one rule each, whole games in full or by rounds, the table of components.

`pytest --snapshot-update` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from nemesis.bots import make_bot
from nemesis.game import Game
from rulescript.pack.load import load_packs
from rulescript.table.survey import walk
from tests.proof.breaking import cites_of

from .components import component_table
from .story import game_by_rounds, game_story, scenario_story, scenarios

MINIGAMES = (Path(__file__).resolve().parent.parent / "minigames",)


@pytest.mark.parametrize("title", scenarios())
def test_scenario(title: str, snapshot: SnapshotAssertion) -> None:
    assert scenario_story(scenarios()[title]) == snapshot


def test_every_area_of_the_rules_has_a_scenario() -> None:
    """The areas are the middle parts of the rule ids that the content cites (`RET-NOISE-01`: NOISE)."""
    cited = {rule for node, _ in load_packs(["retaliation/base"]).nodes() for one in walk(node) for rule in cites_of(one)}
    shown = {rule for node in scenarios().values() for rule in node.notes.cites}
    assert {area(rule) for rule in cited} - {area(rule) for rule in shown} == set()


def area(rule: str) -> str:
    return rule.split("-")[1]


GAMES = {
    "retaliation": ("retaliation/base", ("greedy", "random", "random"), ()),
    "classic": ("classic/base", ("random", "random"), ()),
    "forest": ("parlour/forest", ("random", "random", "random"), MINIGAMES),
}


@pytest.mark.parametrize("name", GAMES)
def test_whole_game(name: str, snapshot: SnapshotAssertion) -> None:
    pack, bots, roots = GAMES[name]
    game = Game.new([pack], [f"bot{n + 1}" for n in range(len(bots))], 7, content=roots)
    players = dict(zip(game.seats, (make_bot(bot, 7) for bot in bots), strict=True))
    while (decision := game.decision) is not None:
        game.answer(players[decision.chooser].choose(game, decision), decision.id)
    assert game_story(game) == snapshot


MODES: dict[str, dict[str, object]] = {
    "standard": {},
    "deadly": {"deadly": True},
    "coop": {"coop": True},
    "deadly_coop": {"deadly": True, "coop": True},
}
SEATS = [(mode, seats) for mode in MODES for seats in range(1, 6) if (mode, seats) != ("coop", 1) and (mode != "deadly_coop" or seats == 3)]


@pytest.mark.parametrize(("mode", "seats"), SEATS)
def test_game_by_rounds(mode: str, seats: int, snapshot: SnapshotAssertion) -> None:
    """A game of each mode and number of seats; one seat alone is solo, in each mode."""
    game = Game.new(["retaliation/base"], [f"bot{n + 1}" for n in range(seats)], 11, MODES[mode])
    players = {seat: make_bot("random" if n % 2 else "greedy", 11) for n, seat in enumerate(game.seats)}
    assert game_by_rounds(game, players) == snapshot


@pytest.mark.parametrize("pack", ["retaliation/base", "classic/base"])
def test_components(pack: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(component_table(load_packs([pack]))) == snapshot
