"""Permuting what a pair of eyes cannot see changes nothing that it is shown or told: view, options, reasons, forecasts, past and journal.

`bench/long/leaks.py` does fifty games at twenty points.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from .hidden import permute
from .playing import CLASSIC_2, FOREST_3, RETALIATION_2, RETALIATION_3, Setting, answers
from .telling import leaks, shown

GAMES = [(RETALIATION_3, 1), (RETALIATION_3, 2), (CLASSIC_2, 3), (FOREST_3, 4)]


@pytest.mark.parametrize(("setting", "seed"), GAMES, ids=[f"{setting.pack}-{seed}" for setting, seed in GAMES])
def test_no_leak(setting: Setting, seed: int) -> None:
    rng = random.Random(f"leaks/{seed}")
    game = setting.begin(seed)
    points = 0
    for _ in answers(game, seed):
        if rng.random() < 0.06:
            points += 1
            assert leaks(game, rng) == [], f"seed {seed}"
    assert points >= 3


def test_the_check_sees_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A view that shows too much is found, so the permutation does change something."""
    game = FOREST_3.begin(1)
    rng = random.Random(1)
    pending = game.state.pending
    assert pending is not None and game.decision is not None
    twin, sigma = permute(game, pending.seat, rng)
    assert len(sigma) >= 8 and twin.hash() != game.hash()
    assert shown(game, pending.seat) == shown(twin, pending.seat)
    monkeypatch.setattr("nemesis.view.seen_by", lambda *_: True)
    assert any("public" in leak for leak in leaks(game, rng))


ALL_EYES: list[tuple[str, Callable[..., object], Setting, int]] = [
    ("commit.seen_mask", lambda *_: -1, RETALIATION_2, 11),  # moves into the box, draws into hands: with their names
    ("commit.veil", lambda *_: (), RETALIATION_3, 2022),  # what a told procedure speaks of
    ("decide.choice_seats", lambda *_: -1, RETALIATION_3, 6),  # which of the own cards was chosen
]


@pytest.mark.parametrize(("place", "broken", "setting", "seed"), ALL_EYES, ids=[row[0] for row in ALL_EYES])
def test_the_check_hears_a_leak(
    place: str, broken: Callable[..., object], setting: Setting, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal that tells everybody what one seat sees is found, wherever the hiding is broken."""
    games = [(number, setting.begin(number)) for number in range(seed, seed + 8)]
    monkeypatch.setattr(f"nemesis.kernel.{place}", broken)
    points = 0
    for number, game in games:  # whether a game comes to such a place at all hangs on its seed
        rng, steady = random.Random(1), random.Random(f"points/{number}")
        for _ in answers(game, number):
            if steady.random() < 0.25:
                points += 1
                if leaks(game, rng):
                    return
    pytest.fail(f"not found at {points} points")


def test_the_check_hears_what_goes_into_the_box() -> None:
    """Objectives that their owner puts out of the game are named to nobody else; if the box lay open, that would be heard."""
    game = RETALIATION_3.begin(5)
    program = game.program
    rng = random.Random(5)
    program.shows[program.world.box] = 0
    try:
        found = [leak for _ in zip(range(20), answers(game, 5), strict=False) for leak in leaks(game, rng)]
    finally:
        program.shows[program.world.box] = 2
    assert any("moves to box" in leak for leak in found)
