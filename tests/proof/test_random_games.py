"""Random games end, refuse nothing that they offered, and keep places, lists, counts and limits in order after every decision.

`bench/long/random_games.py` does the same for thousands of games.
"""

from __future__ import annotations

import pytest

from .columns import AfterEachCommit, Columns
from .playing import CLASSIC_2, FOREST_3, RETALIATION_2, RETALIATION_3, Setting, answers

GAMES = [(RETALIATION_3, range(1, 21)), (RETALIATION_2, range(101, 111)), (CLASSIC_2, range(1, 21)), (FOREST_3, range(1, 21))]
NAMES = ["retaliation-3", "retaliation-2", "classic-2", "forest-3"]


@pytest.mark.parametrize(("setting", "seeds"), GAMES, ids=NAMES)
def test_games_end_in_order(setting: Setting, seeds: range) -> None:
    for seed in seeds:
        game = setting.begin(seed)
        columns = Columns(game)
        assert columns.components(game) == []
        for decision, _ in answers(game, seed):
            assert columns.faults(game.state) == [], f"seed {seed}, {decision.id}"
        assert columns.faults(game.state) == [], f"seed {seed}, at the end"
        assert game.over and game.refused == 0, f"seed {seed}"


@pytest.mark.parametrize("setting", [setting for setting, _ in GAMES], ids=NAMES)
def test_every_commit_keeps_order(setting: Setting) -> None:
    with AfterEachCommit() as watch:
        game = setting.begin(5)
        watch.columns = Columns(game)
        for decision, _ in answers(game, 5):
            assert watch.faults == [], decision.id
        assert watch.faults == []
        assert watch.count > 50, "commits go another way than the check knows"


def test_the_check_sees_faults() -> None:
    """A check that never fails proves nothing: each sort of fault is made once and found."""
    game = RETALIATION_3.begin(1)
    S, world = game.state, game.program.world
    columns = Columns(game)
    assert columns.faults(S) == []

    def broken(change: object) -> str:
        twin = S.clone()
        change(twin)  # type: ignore[operator]
        return " / ".join(columns.faults(twin))

    x = columns.things[0]
    place = S.place[x]

    def twice(T: object) -> None:
        T.inside[place] = (*T.inside[place], world.refs[x])  # type: ignore[attr-defined]

    def nowhere(T: object) -> None:
        T.inside[place] = tuple(y for y in T.inside[place] if y != x)  # type: ignore[attr-defined]

    def elsewhere(T: object) -> None:
        T.place[x] = place + 1  # type: ignore[attr-defined]

    assert "twice" in broken(twice)
    assert "nowhere" in broken(nowhere) and "missing" in broken(nowhere)
    assert "its place says" in broken(elsewhere)
