"""The linear table in one process: choosing, asking, undo, hot seat, bad input, transcripts, replay, sim."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Outcome

Run = Callable[..., Outcome]


def test_a_stranger_takes_a_turn(run: Run) -> None:
    typed = "walk b1\nwhy\nwhy-not fly\nfly\n2\nwhy-not rest\nbrust\nmap\nundo\nquit\n"
    told = run("play", "--seed", "3", "--seats", "me,bot:greedy", typed=typed)
    assert told.code == 0 and told.err == ""
    assert "Line 2. Me walks to b1." in told.out
    assert "me walks to b1, because of tests/fake:turn (FAKE-01)" in told.out
    assert told.out.count("2 Fly: refused, you have no wings.") >= 1
    assert told.out.count("Fly: refused, you have no wings (FAKE-02).") == 3
    assert "It is possible: 0." in told.out
    assert "No `brust`" in told.out
    assert "b1 Tower: Pawn of me" in told.out
    assert "Undone. The game stands at decision d1 again." in told.out
    assert "Go on with: nemesis-cli play --resume game-1" in told.out


def test_a_refused_choice_is_known_by_its_number(run: Run) -> None:
    told = run("play", "--seed", "3", "--seats", "me,bot:greedy", typed="why-not 2\nwhy-not 99\nquit\n")
    assert "2 Fly: refused, you have no wings." in told.out
    assert "Fly: refused, you have no wings (FAKE-02)." in told.out
    assert "Nothing refused is called `99`." in told.out


def test_what_the_first_words_of_a_line_chose_stands(run: Run) -> None:
    """Only what is true is said of a line whose end is wrong; the choice that is open then is shown."""
    told = run("play", "--seed", "3", "--seats", "me,bot:greedy", typed="walk xyz\nundo\nxyz\nquit\n")
    lines = told.out.splitlines()
    wrong = next(at for at, line in enumerate(lines) if line.startswith("No `xyz`"))
    assert lines[wrong] == "No `xyz`. `walk` was taken and stands; `undo` takes it back."
    assert "choose a place" in lines[wrong + 1].lower()
    assert "Undone." in told.out and "No `xyz`. Nothing was spent." in told.out


def test_numbers_of_an_amount_are_shown_once(run: Run) -> None:
    told = run("play", "--seed", "3", "--seats", "me,bot:greedy", typed="bid\nquit\n")
    assert "\n0.\n1.\n2.\n3.\n" in told.out


def test_the_modes_are_told_at_the_start(run: Run) -> None:
    told = run("play", "--seed", "3", "--seats", "me,bot:greedy", typed="quit\n")
    assert "Modes: foggy off and stones 3. A new game takes others: `--mode NAME`, `--mode NAME=VALUE`." in told.out


def test_undo_stops_at_a_barrier(run: Run) -> None:
    told = run("play", "--seed", "3", "--seats", "me,bot:greedy", typed="toss\nundo\nwalk\nundo\nundo\n")
    assert told.out.count("Undo stops here") == 2 and told.out.count("Undone.") == 1


def test_resume_goes_on_where_it_was(run: Run) -> None:
    run("play", "--name", "friday", "--seed", "3", "--seats", "me,bot:greedy", typed="walk b1\nundo\na2\n")
    told = run("play", "--name", "friday", typed="map\nundo\n")
    assert told.code == 0 and "Going on after 2 answers." in told.out and "a2 Pond: Pawn of me" in told.out
    assert "Undone. The game stands at decision d1 again." in told.out
    assert "friday: tests/fake; seats me, bot2; 1 answer" in run("saves").out


def test_the_game_is_the_same_however_often_it_is_left(run: Run, tmp_path: Path) -> None:
    words = ["toss", "walk b1", "pick 1 2", "bid 2", "line 3 2 1", "rest"]
    whole = tmp_path / "whole.jsonl"
    parts = tmp_path / "parts.jsonl"
    one = run("play", "--name", "one", "--seed", "8", "--seats", "me,bot:random", "--transcript", whole, typed="\n".join(words) + "\n")
    assert "The game is over. Winner" in one.out
    for word in words:
        run("play", "--name", "two", "--seed", "8", "--seats", "me,bot:random", "--transcript", parts, typed=word + "\n")
    assert whole.read_bytes() == parts.read_bytes()


def test_hot_seat_shows_each_seat_its_own(run: Run) -> None:
    told = run("play", "--seats", "anna,ben", "--seed", "1", typed="rest\nrest\nrest\n")
    assert "Next at the screen: ben. (The lines above cannot be cleared here.)" in told.out
    assert "ben? " in told.out and "Pawn of ben: points 0." in told.out


def test_bots_play_to_the_end_and_the_transcript_replays(run: Run, tmp_path: Path) -> None:
    texts = []
    for name in ("a.jsonl", "b.jsonl"):
        told = run("play", "--seats", "bot:greedy,bot:random", "--seed", "3", "--transcript", tmp_path / name)
        assert told.code == 0 and "The game is over. Winner" in told.out
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]
    assert run("replay", tmp_path / "a.jsonl").code == 0
    lines = texts[0].decode().splitlines()
    lines[5:] = [line.replace("bids 2", "bids 3") for line in lines[5:]]
    (tmp_path / "a.jsonl").write_text("\n".join(lines) + "\n")
    told = run("replay", tmp_path / "a.jsonl")
    assert told.code == 1 and "Differs: line" in told.out


def test_a_seats_transcript_holds_no_seed(run: Run, tmp_path: Path) -> None:
    run("play", "--seed", "424242", "--transcript", tmp_path / "t.jsonl", typed="rest\n")
    text = (tmp_path / "t.jsonl").read_text()
    assert "424242" not in text and json.loads(text.splitlines()[0])["eyes"] == "me"
    assert run("replay", tmp_path / "t.jsonl").code == 2
    told = run("play", "--seed", "1", "--transcript-for", "god", "--transcript", tmp_path / "g.jsonl", typed="rest\n")
    assert told.code == 2 and not (tmp_path / "g.jsonl").exists()


def test_what_is_wrong_with_a_transcript_is_said_before_the_first_move(run: Run, tmp_path: Path) -> None:
    good = tmp_path / "t.jsonl"
    for words in (("--transcript", tmp_path), ("--transcript", tmp_path / "no" / "t"), ("--transcript", good, "--transcript-for", "zed"),
                  ("--transcript", good, "--transcript-for", "god")):  # fmt: skip
        told = run("play", "--saves", tmp_path / "saves", *words, typed="rest\n")
        assert told.code == 2 and told.out == "" and "--transcript" in told.err
        assert not (tmp_path / "saves").exists() and not good.exists()


def test_undo_says_what_it_takes_and_where_it_stops(run: Run, tmp_path: Path) -> None:
    told = run("play", "--seed", "1", typed="undo\nrest\nundo abc\nundo -1\nundo 0\nwhere\nundo\nrest\ntoss\nundo\nquit\n")
    assert "nothing was answered yet" in told.out and told.out.count("undo takes a number") == 3 and "Say what: `where NAME`" in told.out
    assert told.out.count("Undone.") == 1 and "Undo stops here: line 3 (me tosses" in told.out
    (tmp_path / "file").write_text("")
    assert run("saves", "--saves", tmp_path / "file").code == 2


def test_a_saved_game_is_not_named_or_seeded_anew(run: Run) -> None:
    run("play", "--name", "p1", "--seed", "1", typed="rest\n")
    for words in (("--seed", "5"), ("--name", "q"), ("--seats", "me"), ("--option", "fuel=9")):
        told = run("play", "--resume", "p1", *words)
        assert told.code == 2 and told.out == "" and "do not go together" in told.err


def test_replay_of_a_game_file(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("play", "--saves", tmp_path, "--name", "x", "--seed", "5", typed="toss\nbid 2\ntoss\n")
    path = tmp_path / "x.game.jsonl"
    assert run("replay", path).code == 0
    path.write_text(path.read_text().replace('"x":2', '"x":3'))
    assert run("replay", path).code == 1
    monkeypatch.setenv("FAKE_CHANGED", "rules")
    told = run("replay", path)
    assert told.code == 1 and "The content of tests/fake has changed" in told.out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["play", "--pack", "tests/fuke"], "did you mean 'tests/fake'?"),
        (["play", "--seats", "bot:gredy"], "No bot `gredy`. Did you mean `greedy`?"),
        (["play", "--seats", "anna,anna"], "two seats are called `anna`"),
        (["play", "--seats", "an na"], "cannot be a name"),
        (["play", "--resume", "nothing"], "No saved game `nothing`"),
        (["play", "--name", "../x"], "cannot be a game's name"),
        (["play", "--content", "/nowhere/at/all"], "there is no such folder"),
        (["replay", "/nowhere.jsonl"], "No such file"),
        (["sim", "--bots", "planer"], "No bot `planer`"),
        (["sim", "--games", "0"], "at least 1"),
        (["frobnicate"], "invalid choice"),
        (["play", "--seed", "x"], "invalid int"),
    ],
)
def test_misuse_is_said_and_exits_2(run: Run, words: list[str], says: str) -> None:
    told = run(*words)
    assert told.code == 2 and says in told.err and "Traceback" not in told.err


def test_damage_exits_2_and_nothing_is_written(run: Run, tmp_path: Path) -> None:
    run("play", "--saves", tmp_path, "--name", "x", "--seed", "5", typed="rest\nrest\nrest\n")
    path = tmp_path / "x.game.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*lines[:2], "garbage\n", *lines[2:]]))
    before = path.read_bytes()
    told = run("play", "--saves", tmp_path, "--resume", "x", typed="rest\n")
    assert told.code == 2 and "line 3" in told.err and path.read_bytes() == before


def test_a_torn_end_is_dropped_with_a_message(run: Run, tmp_path: Path) -> None:
    run("play", "--saves", tmp_path, "--name", "x", "--seed", "5", typed="rest\nrest\nrest\n")
    path = tmp_path / "x.game.jsonl"
    path.write_bytes(path.read_bytes()[:-9])
    told = run("play", "--saves", tmp_path, "--resume", "x", typed="rest\n")
    assert told.code == 0 and "was torn and was dropped" in told.out and "Going on after 3 answers" in told.out


def test_content_that_changed(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("play", "--saves", tmp_path, "--name", "x", "--seed", "5", typed="bid 2\nrest\n")
    monkeypatch.setenv("FAKE_CHANGED", "words only")
    told = run("play", "--saves", tmp_path, "--resume", "x", typed="rest\n")
    assert told.code == 0 and "has changed since; all 3 answers still fit" in told.out
    monkeypatch.setenv("FAKE_CHANGED", "rules")
    before = (tmp_path / "x.game.jsonl").read_bytes()
    told = run("play", "--saves", tmp_path, "--resume", "x", typed="rest\n")
    assert told.code == 2 and "answer 1 of 4 (d0: bid) does not fit" in told.err
    assert (tmp_path / "x.game.jsonl").read_bytes() == before


def test_another_game_under_the_same_name(run: Run) -> None:
    run("play", "--name", "x", "--seed", "5", typed="rest\n")
    told = run("play", "--name", "x", "--seed", "6", typed="rest\n")
    assert told.code == 2 and "other seed" in told.err


def test_content_that_stops_the_game(run: Run) -> None:
    told = run("play", "--name", "x", "--seed", "5", typed="rest\njam\n")
    assert told.code == 3 and "The rules stopped the game: Tests/fake:action/jam" in told.out
    told = run("play", "--name", "x", typed="rest\n")
    assert told.code == 0 and "Going on after 1 answer." in told.out


def test_odd_letters_do_no_harm(run: Run) -> None:
    told = run("play", "--seed", "5", typed="\x1b[31mrest\n\x00\n" + "x" * 5000 + "\n{template}\n%s\n:quit\n")
    assert told.code == 0 and "\x1b" not in told.out


def test_sim_counts(run: Run) -> None:
    told = run("sim", "--games", "20", "--players", "2", "--seed", "1", "--json")
    row = json.loads(told.out)
    assert row["games"] == 20 and row["decisions"] > 0 and told.code == 1 and row["unfinished"] > 0 and row["exceptions"] == 0
    again = json.loads(run("sim", "--games", "20", "--players", "2", "--seed", "1", "--json").out)
    assert again["decisions"] == row["decisions"]


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("seed", "abc", "the seed is no whole number"),
        ("bots", {"me": "foo"}, "no bot `foo`"),
        ("bots", {"zed": "greedy"}, "bots for zed"),
        ("packs", None, "names no packs"),
        ("options", {"zebra": 1}, "No option or mode `zebra`"),
        ("seats", [3], "the seats are no list of names"),
    ],
)
def test_a_damaged_header_is_said_and_nothing_is_written(run: Run, tmp_path: Path, key: str, value: object, says: str) -> None:
    run("play", "--saves", tmp_path, "--name", "x", "--seed", "5", typed="rest\n")
    path = tmp_path / "x.game.jsonl"
    first, _, rest = path.read_text().partition("\n")
    header = {**json.loads(first), key: value}
    if value is None:
        del header[key]
    path.write_text(json.dumps(header) + "\n" + rest)
    before = path.read_bytes()
    for words in (("play", "--saves", tmp_path, "--resume", "x"), ("replay", path)):
        told = run(*words, typed="rest\n")
        assert told.code == 2 and says in told.err and told.out == ""
    assert path.read_bytes() == before
