"""Whatever is typed, the table answers in words, keeps the game and ends with a known code."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from .conftest import Outcome

WORDS = [
    "walk", "b1", "pick", "1", "2", "10", "0", "none", "all", "bid", "3", "-1", "toss", "rest", "jam", "undo", "undo all", "undo 3",
    "why", "why 2", "why zebra", "why-not", "why-not fly", "fly", "map", "look", "look b1", "hand", "team", "where pawn", "near",
    "near b1", "route b1", "route nowhere", "status", "log", "log 2", "again", "", " ", ":", ":x", ":why", "verbosity full",
    "verbosity brief", "verbosity", "help", "line 1 2 3", "3 2 1", "red green blue", "red,red", "{0}", "%d", "ünïcödé", "日本", "\u0007",
    "#", "1,,2", "9999999999999999999", "²", "1 10 2",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_any_typing(run: Callable[..., Outcome], seed: int) -> None:
    keyed = random.Random(seed)
    typed = "".join(keyed.choice(WORDS) + "\n" for _ in range(120))
    seats = keyed.choice(["me", "me,bot:greedy", "anna,ben", "anna,ben,bot"])
    told = run("play", "--name", "x", "--seats", seats, "--seed", str(seed), typed=typed)
    assert told.code in (0, 3) and told.err == "", told.err
    if "The game is over" not in told.out:
        again = run("play", "--resume", "x", typed="status\n")
        assert again.code == 0 and again.err == ""
