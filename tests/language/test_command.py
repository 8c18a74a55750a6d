"""The command line: what is printed, and the exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.rulescript_command import main

HERE = Path(__file__).parent


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "toys/ward"
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text("id: toys/ward\nkind: base\nruleset: {main: play}\n", encoding="utf-8")
    (folder / "world.nrs").write_text((HERE / "world.nrs").read_text(encoding="utf-8"), encoding="utf-8")
    return folder


def test_clean(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "toys"]) == 0
    assert capsys.readouterr().out == "2 files: 0 errors, 0 warnings\n"


def test_findings_name_file_line_and_column(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "more.nrs").write_text("procedure feast by cat { lsoe 2 health }\n", encoding="utf-8")
    assert main(["lint", "toys/ward"]) == 1
    out = capsys.readouterr().out
    assert out.startswith("toys/ward/more.nrs:1:26: error E-WORD") and "did you mean 'lose'?" in out


def test_json(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "more.nrs").write_text("procedure feast by cat { lsoe 2 health }\n", encoding="utf-8")
    assert main(["lint", "--json", "toys/ward/more.nrs"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [(one["code"], one["line"], one["column"], one["hint"]) for one in found] == [("E-WORD", 1, 26, "did you mean 'lose'?")]


def test_only_the_named_file_is_reported(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "more.nrs").write_text("procedure feast by cat { lsoe 2 health }\n", encoding="utf-8")
    assert main(["lint", "toys/ward/world.nrs"]) == 0


def test_a_broken_manifest_is_a_finding(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "pack.yaml").write_text("id: toys/ward\nkind: bsae\n", encoding="utf-8")
    assert main(["lint", "toys/ward"]) == 1
    assert "did you mean 'base'?" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["lint", "nowhere"], ["render", "nobody", "--with", "toys/ward", "--content", "."], []])
def test_misuse(pack: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    assert main(words) == 2


def test_render(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["render", "pounce", "--with", "toys/ward", "--content", "."]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Pounce x2 (Trick)") and "you lose 1 Health" in out.replace("You", "you")


def test_procedures_show_hooks(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["procedures", "--with", "toys/ward", "--content", "."]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("scare x: mouse in ward by cat") for line in lines)
    assert any("after    toys/ward" in line for line in lines)


def test_a_broken_position_fails_its_own_test_only(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = 'test "broken" { given "place ]"; expect 1 = 1 }\ntest "whole" { expect 1 = 1 }\n'
    (pack / "broken_test.nrs").write_text(text, encoding="utf-8")
    assert main(["test", str(pack)]) == 1
    out = capsys.readouterr().out
    assert "line 1: column 7: ']' cannot stand here" in out and out.endswith("1 failed\n")


def test_coverage_lists_what_no_test_reaches(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pack / "more.nrs").write_text("procedure feast { if any crumb { return crumb } else { roll noise_die } }\n", encoding="utf-8")
    (pack / "more_test.nrs").write_text('test "none left" { feast; expect no crumb }\n', encoding="utf-8")
    assert main(["test", str(pack), "--coverage"]) == 0
    out = capsys.readouterr().out
    assert "more.nrs:1:34 not reached: procedure feast\n" in out and "more.nrs:1:56" not in out
    assert "lines and branches reached: " in out
