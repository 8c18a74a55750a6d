"""The table with the shipped games and with content that stops: whole games, looking without touching, loops."""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nemesis.bots import make_bot
from nemesis.game import Game

from .conftest import ROOT, run_process

GAMES = [("retaliation/base", 3, None), ("classic/base", 2, None), ("parlour/forest", 3, "tests/minigames")]


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "cli.nemesis_command", *map(str, words)]


def started(pack: str, seats: int, content: str | None, seed: int = 5) -> Game:
    roots = (ROOT / content,) if content else ()
    return Game.new([pack], [f"seat{n}" for n in range(seats)], seed, content=roots)


@pytest.mark.parametrize("loop", ["echo", "mirror", "well"])
def test_content_that_loops_is_reported_and_the_game_is_kept(tmp_path: Path, loop: str) -> None:
    begun = time.perf_counter()
    words = command("play", "--content", "tests/bad_packs", "--pack", f"loops/{loop}", "--seats", "bot:random,bot:random", "--seed", "7",
                    "--saves", tmp_path)  # fmt: skip
    done = run_process(words)
    assert time.perf_counter() - begun < 5  # about half a second on a quiet machine
    assert done.returncode == 3 and done.stderr == b""
    assert b"Round and round go:" in done.stdout and b"Saved as game-1, 1 answer." in done.stdout
    assert f"{loop}.nrs:".encode() in done.stdout


@pytest.mark.parametrize(("pack", "seats", "content"), GAMES)
def test_a_whole_game_between_bots_replays(tmp_path: Path, pack: str, seats: int, content: str | None) -> None:
    where = ["--content", content] if content else []
    path = tmp_path / "t.jsonl"
    bots = ",".join(["bot:random"] * seats)
    done = run_process(command("play", *where, "--pack", pack, "--seats", bots, "--seed", "7", "--transcript", path))
    assert done.returncode == 0 and b"The game is over." in done.stdout, done.stderr
    assert run_process(command("replay", *where, path)).returncode == 0
    assert json.loads(path.read_text().splitlines()[0])["seed"] == 7


@pytest.mark.parametrize(("pack", "seats", "content"), GAMES)
def test_looking_changes_nothing(pack: str, seats: int, content: str | None) -> None:
    plain, looked = started(pack, seats, content), started(pack, seats, content)
    bot = make_bot("random", 5)
    for _ in range(40):
        decision = plain.decision
        if decision is None:
            break
        before = looked.hash(), looked.barrier, looked.state.purse, looked.state.fuel
        other = looked.decision
        assert other is not None
        looked.view(other.chooser)
        looked.why_not("", other.chooser)
        looked.why("last", other.chooser)
        for option in other.options[:3]:
            looked.forecast(option.id, other.chooser)
        assert (looked.hash(), looked.barrier, looked.state.purse, looked.state.fuel) == before
        choice = bot.choose(plain, decision)
        plain.answer(choice)
        looked.answer(choice)
    assert plain.hash() == looked.hash()


@pytest.mark.parametrize(("pack", "seats", "content"), GAMES)
def test_sim_plays_the_games_that_play_plays(pack: str, seats: int, content: str | None) -> None:
    from cli.simulate import _run, _run_quickly

    ends: list[Any] = []
    for run in (_run, _run_quickly):
        game = started(pack, seats, content)
        played = [0, 0]
        assert run(game, dict.fromkeys(game.seats, "random"), 5, played)
        ends.append((game.hash(), game.winners, played))
    assert ends[0] == ends[1]


def test_no_raw_names_are_told() -> None:
    game = started("retaliation/base", 3, None)
    bot = make_bot("random", 5)
    while (decision := game.decision) is not None:
        for option in decision.options:
            assert "#" not in option.text and "_" not in option.text, option
        game.answer(bot.choose(game, decision))
    for entry in game.journal(None, 0, "story"):
        assert "#" not in entry.text and "_" not in entry.text and "{" not in entry.text, entry.text


def test_a_seat_that_is_not_given_is_a_bots(tmp_path: Path) -> None:
    words = command("play", "--content", "tests/minigames", "--pack", "parlour/forest", "--seed", "3", "--saves", tmp_path)
    done = run_process(words, b"quit\n")
    assert done.returncode == 0 and b"At the table: me, bot2 (bot greedy) and bot3 (bot greedy)." in done.stdout


def test_a_game_for_one_starts_with_one(tmp_path: Path) -> None:
    done = run_process(command("play", "--seed", "3", "--saves", tmp_path), b"status\nquit\n")
    assert done.returncode == 0 and b"At the table: me." in done.stdout
    assert re.search(rb"^Task row: [A-Z][A-Za-z -]+\.$", done.stdout, re.MULTILINE), "what lies open is named, not counted"


def test_an_unknown_option_names_the_nearest(tmp_path: Path) -> None:
    done = run_process(command("play", "--option", "windws=open", "--saves", tmp_path))
    assert done.returncode == 2 and b"Did you mean `windows`?" in done.stderr and b"Traceback" not in done.stderr


def test_a_mode_is_of_the_sort_that_its_pack_says(tmp_path: Path) -> None:
    for words, told in (
        ("more_tasks", b"--mode more_tasks: a whole number is wanted, not `True`."),
        ("coop=3", b"--mode coop: on or off is wanted, not `3`."),
    ):
        done = run_process(command("play", "--mode", words, "--saves", tmp_path))
        assert done.returncode == 2 and told in done.stderr
    done = run_process(command("play", "--mode", "more_tasks=1", "--mode", "deadly", "--seed", "3", "--saves", tmp_path), b"quit\n")
    assert done.returncode == 0 and b"At the table: me." in done.stdout


def test_the_map_of_a_new_game_needs_no_seats() -> None:
    done = run_process(command("map"))
    assert done.returncode == 0 and done.stdout and done.stderr == b""


def test_a_card_that_cannot_be_played_has_its_own_reason() -> None:
    game, bot = started("retaliation/base", 2, None, 4), make_bot("random", 4)
    for _ in range(60):
        decision = game.decision
        if decision is None:
            break
        if decision.kind == "action":
            cards = [row for row in game.why_not("", decision.chooser) if "#" in row["id"]]
            if cards:
                assert cards[0]["because"] and cards[0] in game.why_not(cards[0]["text"].lower(), decision.chooser)
                return
        game.answer(bot.choose(game, decision))
    raise AssertionError("no card was refused in 60 decisions")


def test_content_that_breaks_the_program_is_shown_as_findings(tmp_path: Path) -> None:
    """A wrong type is named with file and line, and ends with 1; it is no failure of the program."""
    folder = tmp_path / "toys/text"
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(
        "id: toys/text\nkind: base\nversion: 0.1.0\nlanguage: 1\nplayers: [1, 2]\n"
        "ruleset: {main: play, asks: seating, policy: lowest_id, chance_period: turn}\n"
    )
    (folder / "text.nrs").write_text(
        "kind game { has calls: number = 5 }\n"
        "procedure play { period turn; each (all seat by seating) as s { choose n from 1..2 by s }; call_out }\n"
        'procedure call_out { lower game.calls by "two" }\n'
    )
    words = ("--content", tmp_path, "--pack", "toys/text", "--seats", "bot:random,bot:random", "--seed", "7", "--saves", tmp_path / "s")
    done = run_process(command("play", *words))
    assert done.returncode == 1, done.stderr
    assert b"text.nrs:3:42: error E-TYPE" in done.stderr and b"The content in play has these errors" in done.stderr
    done = run_process([sys.executable, "-m", "cli.rulescript_command", "procedures", "--content", str(tmp_path), "--bogus"])
    assert done.returncode == 2 and done.stderr.startswith(b"usage: rulescript procedures ")
    assert done.stderr.endswith(b"rulescript procedures: error: there is no --bogus\n")
    done = run_process(command("play", "--seets", "me"))
    assert done.returncode == 2 and done.stderr.endswith(b"nemesis-cli play: error: there is no --seets; did you mean '--seats'?\n")
