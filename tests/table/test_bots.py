"""Bots: only legal answers, the same ones each time, and greedy wins more than chance does."""

from __future__ import annotations

from typing import Any, cast

from nemesis.bots import make_bot
from nemesis.bots.stream import Stream

from .fake_game import Game


def played(kinds: tuple[str, str], seed: int) -> tuple[Game, list[Any]]:
    game = Game.new(["tests/fake"], ["one", "two"], seed)
    bots = {name: make_bot(kind, seed) for name, kind in zip(game.seats, kinds, strict=True)}
    answers: list[Any] = []
    while (decision := game.decision) is not None:
        choice = bots[decision.chooser].choose(cast(Any, game), cast(Any, decision))
        if choice == "jam":
            choice = "rest"
        game.answer(choice, decision.id)
        answers.append(choice)
    return game, answers


def test_the_same_seed_gives_the_same_game() -> None:
    assert played(("random", "greedy"), 4)[1] == played(("random", "greedy"), 4)[1] != played(("random", "greedy"), 5)[1]


def test_greedy_does_better_than_chance() -> None:
    greedy = sum(played(("greedy", "random"), seed)[0].plain.points["one"] for seed in range(40))
    chance = sum(played(("random", "random"), seed)[0].plain.points["one"] for seed in range(40))
    assert greedy > chance


def test_every_option_comes_about_as_often() -> None:
    counts = [0] * 5
    for number in range(5000):
        counts[Stream(1, "one", f"d{number}").below(5)] += 1
    assert all(900 < count < 1100 for count in counts)
