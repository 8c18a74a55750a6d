"""Permuting what a seat cannot see changes nothing that it is shown or told: view, options, reasons, forecasts, its past, and its journal.

`bench/long/leaks.py` does fifty games at twenty points.
"""

from __future__ import annotations

import random

import pytest

from .hidden import leaks, permute, shown
from .playing import CLASSIC_2, FOREST_3, RETALIATION_3, Setting, answers

GAMES = [(RETALIATION_3, 1), (RETALIATION_3, 2), (CLASSIC_2, 3), (FOREST_3, 4)]


@pytest.mark.parametrize(("setting", "seed"), GAMES, ids=[f"{setting.pack}-{seed}" for setting, seed in GAMES])
def test_no_leak(setting: Setting, seed: int) -> None:
    rng = random.Random(f"leaks/{seed}")
    game = setting.begin(seed)
    points = 0
    for _ in answers(game, seed):
        if rng.random() < 0.15:
            points += 1
            assert leaks(game, rng) == [], f"seed {seed}"
    assert points >= 5


def test_the_check_sees_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows too much is found, so the permutation does change something."""
    game = FOREST_3.begin(1)
    rng = random.Random(1)
    pending = game.state.pending
    assert pending is not None and game.decision is not None
    twin, changed = permute(game, pending.seat, rng)
    assert len(changed) > 10 and twin.hash() != game.hash()
    assert shown(game, game.decision.chooser) == shown(twin, game.decision.chooser)
    monkeypatch.setattr("nemesis.view.seen_by", lambda *_: True)
    assert any("public differs" in leak for leak in leaks(game, rng))
