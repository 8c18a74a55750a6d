"""The bot `planner` sees nothing hidden: where that is otherwise it makes up the same games and gives the same answer, byte by byte."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from cli.nemesis_command import main
from nemesis.bots.planner import PlannerBot
from nemesis.game import Game

from .hidden import permute
from .playing import CLASSIC_2, FOREST_3, RETALIATION_2, RETALIATION_3, ROOT, Setting, answers

GAMES = [(RETALIATION_3, 1), (RETALIATION_2, 2), (CLASSIC_2, 3), (FOREST_3, 4)]
ORCHARD = Setting("parlour/orchard", 2, (ROOT / "tests/minigames",))


@pytest.mark.parametrize(("setting", "seed"), GAMES, ids=[f"{setting.pack}-{seed}" for setting, seed in GAMES])
def test_hidden_things_do_not_matter(setting: Setting, seed: int) -> None:
    rng = random.Random(f"planner/{seed}")
    game = setting.begin(seed)
    moved = points = 0
    for _ in answers(game, seed):
        if rng.random() < 0.08 or points < 2:
            points += 1
            pending = game.state.pending
            assert pending is not None
            twin, sigma = permute(game, pending.seat, rng)
            moved += len(sigma)
            name = game.seats[pending.seat]
            assert game.imagine(game.unseen(name), 5).hash() == twin.imagine(twin.unseen(name), 5).hash()
            if points <= 6:
                assert PlannerBot(1, 12).think(game) == PlannerBot(1, 12).think(twin)
    assert points >= 3 and moved >= 50


def test_a_game_that_is_made_up_looks_the_same_and_is_another() -> None:
    game = RETALIATION_3.begin(3)
    for _ in answers(game, 3):
        if game.state.decisions > 60:
            break
    pending = game.state.pending
    assert pending is not None
    seat = game.seats[pending.seat]
    worlds = [game.imagine(game.unseen(seat), number) for number in range(4)]
    assert all(world.view(seat) == game.view(seat) for world in worlds)
    assert all(world.decision is not None and game.decision is not None for world in worlds)
    assert {world.decision.options for world in worlds if world.decision} == {game.decision.options if game.decision else ()}
    assert len({world.hash() for world in worlds} | {game.hash()}) == 5
    other = game.seats[(pending.seat + 1) % 3]
    assert any(world.view(other) != game.view(other) for world in worlds)


@pytest.mark.parametrize("setting", [CLASSIC_2, FOREST_3], ids=["harm alone", "neither"])
def test_a_pack_need_not_say_what_to_hope_for(setting: Setting) -> None:
    game = setting.begin(2)
    for _ in range(12):
        decision = game.decision
        assert decision is not None
        game.answer(PlannerBot(2, 36).choose(game, decision), decision.id)


def test_planning_leaves_the_game_alone() -> None:
    game = RETALIATION_2.begin(5)
    for _ in answers(game, 5):
        if game.state.decisions > 40:
            break
    before = game.hash()
    entries = len(game.state.journal)
    one = PlannerBot(3, 20).think(game)
    assert game.hash() == before and len(game.state.journal) == entries
    assert PlannerBot(3, 20).think(game.clone()) == one == PlannerBot(3, 20).think(Game.load(game.save()))


def test_it_finds_a_good_deed_behind_bad_ways_on() -> None:
    """Two answers deep, among ways that lose: the planner takes the right ladder every day, whatever its seed."""
    for seed in range(5):
        game = ORCHARD.begin(seed)
        bot = PlannerBot(seed, 40)
        taken = []
        while (decision := game.decision) is not None:
            choice = bot.choose(game, decision)
            taken.append(choice)
            game.answer(choice, decision.id)
        assert taken == ["climb", "3", "reach_up"] * 6


def test_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its budget is kept with its name; two runs write the same bytes; a saved game says itself how much a planner may think."""
    game = ["--content", str(ROOT / "tests/minigames"), "--pack", "parlour/orchard"]
    told = []
    for name in ("one", "two"):
        seats = "bot:planner,bot:random" if name == "one" else "bot:planner:8,bot:random"
        words = ["play", *game, "--seats", seats, "--playouts", "8", "--seed", "3", "--saves", str(tmp_path), "--name", name]
        assert main([*words, "--transcript", str(tmp_path / f"{name}.jsonl")]) == 0
        told.append((tmp_path / f"{name}.jsonl").read_bytes())
    assert told[0] == told[1]
    assert json.loads(told[0].splitlines()[0])["bots"] == {"bot1": "planner:8", "bot2": "random"}
    assert main(["sim", *game, "--games", "2", "--bots", "planner,random", "--playouts", "4", "--json"]) == 0
    assert main(["play", "--resume", "one", "--saves", str(tmp_path), "--playouts", "9"]) == 2
    assert main(["play", *game, "--seats", "bot:planner:0,bot:random"]) == 2
    assert "No bot `planner:0`" in capsys.readouterr().err
