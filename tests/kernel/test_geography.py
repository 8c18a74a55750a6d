"""Distances and first steps in play against networkx, on boards as they grow; printed boards hang together."""

from __future__ import annotations

import random

import pytest

from nemesis.game import Game
from nemesis.kernel.geography import map_distance, map_first_steps
from nemesis.programs import program_of
from nemesis.world.atlas import board_faults, shortest, walking_graph


@pytest.mark.parametrize("pack", ["retaliation/base", "classic/base"])
def test_printed_boards_hang_together(pack: str) -> None:
    assert board_faults(program_of((pack,), 2)[0].world) == []


@pytest.mark.parametrize(("pack", "seats"), [("retaliation/base", 3), ("classic/base", 2)])
def test_tables_agree_with_networkx(pack: str, seats: int) -> None:
    asked = 0
    for seed in range(4):
        rng = random.Random(seed)
        game = Game.new([pack], [f"s{n}" for n in range(seats)], seed)
        while (pending := game.state.pending) is not None:
            S = game.state
            if rng.random() < 0.15:
                places = sorted(walking_graph(S).nodes)
                for _ in range(5):
                    start, goal = (S.program.refs[rng.choice(places)] for _ in range(2))
                    steps, first = shortest(S, start, goal)
                    assert map_distance(S, start, goal) == steps
                    if start != goal:
                        assert {int(x) for x in map_first_steps(S, start, goal)} == first
                    asked += 1
            if pending.kind in ("choose_some", "order"):
                game.answer_index(tuple(rng.sample(range(len(pending.options)), rng.randint(pending.minimum, pending.maximum))))
            else:
                game.answer_index(rng.randrange(len(pending.options)))
    assert asked > 100
