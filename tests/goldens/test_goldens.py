"""Stories that change only on purpose: 25 scenarios of one rule each, three whole games, the table of components.

`pytest --snapshot-update` writes them anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from nemesis.bots import make_bot
from nemesis.game import Game
from rulescript.pack.load import load_packs

from .components import component_table
from .story import game_story, scenario_story, scenarios

MINIGAMES = (Path(__file__).resolve().parent.parent / "minigames",)


@pytest.mark.parametrize("title", scenarios())
def test_scenario(title: str, snapshot: SnapshotAssertion) -> None:
    assert scenario_story(scenarios()[title]) == snapshot


def test_there_are_25_scenarios() -> None:
    assert len(scenarios()) >= 25


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


@pytest.mark.parametrize("pack", ["retaliation/base", "classic/base"])
def test_components(pack: str, snapshot: SnapshotAssertion) -> None:
    assert "\n".join(component_table(load_packs([pack]))) == snapshot
