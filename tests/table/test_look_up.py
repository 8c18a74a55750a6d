"""`nemesis-cli cards` and `rules`: what is known of a card and of a numbered rule, from any folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.nemesis_command import main
from tests.proof.playing import ROOT

MINE = """
id: toys/mine
title: "Toys"
version: 0.1.0
language: 1
kind: base
requires: []
players: [1, 2]
"""
TOYS = """
kind toy is card { has size: number = 1 }
toy "Tin Soldier" x2 reported "a friend" cites TOY-CARD-01 { size 2 }
toy "Paper Boat" house "placeholder: nobody knows its size" { size 3 }
procedure sink toy cites TOY-SINK-01 { done none }
"""
TESTS = """
test "a boat is bigger" cites TOY-CARD-01 { expect paper_boat.size = 3 }
"""
RULINGS = """
- rules: [TOY-SINK-01]
  cards: [paper_boat]
  question: Does a toy float?
  choice: it sinks
  others: [it floats]
  certainty: house
  source: our reading
"""


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A small pack in a folder of its own, and the working directory elsewhere."""
    folder = tmp_path / "content/toys/mine"
    folder.mkdir(parents=True)
    for name, text in (("pack.yaml", MINE), ("toys.nrs", TOYS), ("toys_test.nrs", TESTS), ("rulings.yaml", RULINGS)):
        (folder / name).write_text(text.lstrip(), encoding="utf-8")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    return ["--content", str(tmp_path / "content"), "--pack", "toys/mine"]


def test_a_card_with_its_source(toys: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", "tin soldier", *toys]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Tin Soldier x2 (Toy)"
    assert out[1:4] == ["  Size: 2.", "  Reported: a friend.", "  Rules: TOY-CARD-01"]
    assert out[4].endswith("/toys.nrs:2")


def test_a_list_and_the_stand_ins(toys: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cards", *toys]) == 0
    assert capsys.readouterr().out == "Tin Soldier x2 (Toy): reported\nPaper Boat (Toy): house\n2 cards\n"
    assert main(["cards", "--house", *toys]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].endswith("toys.nrs:3: Paper Boat: placeholder: nobody knows its size") and out[1] == "1 stand-in"
    assert main(["cards", "toy", "--house", "--json", *toys]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == ["paper_boat"]


def test_a_rule_with_its_ruling_places_and_tests(toys: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "TOY-SINK-01", *toys]) == 0
    out = capsys.readouterr().out
    assert "Open: Does a toy float?\n  Read as: it sinks\n  Not as: it floats\n  On the word of: our reading (house)\n" in out
    assert "toys.nrs:4  procedure sink" in out and "No test cites it." in out
    assert main(["cards", "Paper Boat", *toys]) == 0
    assert "Open: Does a toy float?" in capsys.readouterr().out
    assert main(["rules", "toy-card", "--json", *toys]) == 0
    (rule,) = json.loads(capsys.readouterr().out)
    assert rule["id"] == "TOY-CARD-01" and rule["rulings"] == []
    assert rule["content"][0]["what"] == "Tin Soldier" and rule["tests"][0]["what"] == "a boat is bigger"
    assert main(["rules", *toys]) == 0
    assert capsys.readouterr().out == "TOY-CARD-01: 1 line, 1 test\nTOY-SINK-01: 1 line, 0 tests, 1 ruling\n2 rules\n"


@pytest.mark.parametrize("word", ["sink", "SINK", "procedure sink"])
def test_a_rule_by_a_word(toys: list[str], capsys: pytest.CaptureFixture[str], word: str) -> None:
    """A word of its id, or of what cites it, finds it."""
    assert main(["rules", word, "--json", *toys]) == 0
    assert [row["id"] for row in json.loads(capsys.readouterr().out)] == ["TOY-SINK-01"]


@pytest.mark.parametrize(
    ("words", "nearest"),
    [(["cards", "tin soldir"], "Tin Soldier"), (["rules", "TOY-SINC-01"], "TOY-SINK-01"), (["cards", "toi"], "toy")],
)
def test_an_unknown_name_gets_the_nearest(toys: list[str], capsys: pytest.CaptureFixture[str], words: list[str], nearest: str) -> None:
    assert main([*words, *toys]) == 2
    assert capsys.readouterr().err.rstrip().endswith(f"Did you mean `{nearest}`?")


def test_what_has_changed_is_read_again(toys: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(toys[1]) / "toys/mine/rulings.yaml"
    assert main(["rules", "TOY-SINK-01", *toys]) == 0
    path.write_text(RULINGS.replace("our reading", "the maker"), encoding="utf-8")
    assert main(["rules", "TOY-SINK-01", *toys]) == 0
    assert "On the word of: the maker" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("others: [it floats]", "others: []", "'others' is a list of one or more readings"),
        ("others: [it floats]", "others: it floats", "'others' is a list of texts"),
        ("certainty: house", "certainty: sure", "'certainty' is one of printed, reported, house"),
        ("TOY-SINK-01", "sinking", "'rules' is a list of rule ids"),
        ("  source: our reading\n", "", "has the keys rules, question, choice"),
        ("- rules", "- {rules", "rulings.yaml:"),
    ],
)
def test_a_faulty_file_of_rulings(toys: list[str], capsys: pytest.CaptureFixture[str], old: str, new: str, said: str) -> None:
    (Path(toys[1]) / "toys/mine/rulings.yaml").write_text(RULINGS.replace(old, new), encoding="utf-8")
    assert main(["rules", *toys]) == 2
    assert said in capsys.readouterr().err


def test_the_default_pack_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["cards", "Shoot First"]) == 0
    assert "Reported: " in capsys.readouterr().out
    assert main(["rules", "RET-SEC-09"]) == 0
    out = capsys.readouterr().out
    assert f"{ROOT}/content/retaliation/base/" in out and "_test.nrs:" in out
