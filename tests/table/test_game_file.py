"""The game file: whole lines, torn ends, damage, undo, two programs at once, a disk that refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from nemesis.game_file import Answered, GameFile, GameFileBusy, GameFileError, read_game_file

HEADER = {"format": 1, "language": 1, "options": {}, "packs": [["tests/fake", "1", "aa"]], "seats": ["anna"], "seed": 7}


def made(path: Path) -> GameFile:
    file = GameFile.create(path, HEADER)
    file.answer("d0", "walk")
    file.answer("d1", ["a", "b"])
    file.answer("d2", 3)
    return file


def test_reads_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "x.game.jsonl"
    file = made(path)
    file.key_frame({"n": 1}, 9, "h1")
    record = read_game_file(path)  # while it is open: everything is flushed
    assert record.answers == (Answered("d0", "walk"), Answered("d1", ["a", "b"]), Answered("d2", 3))
    assert record.header == HEADER and not record.torn and record.frames[0].answers == 3
    file.close()


def test_taken_back_answers_do_not_stand(tmp_path: Path) -> None:
    path = tmp_path / "x.game.jsonl"
    file = made(path)
    file.key_frame({}, 9, "h1")
    file.take_back("d1")
    file.answer("d1", "other")
    file.close()
    record = read_game_file(path)
    assert record.answers == (Answered("d0", "walk"), Answered("d1", "other")) and record.frames == ()


@pytest.mark.parametrize("cut", range(1, 17))
def test_a_torn_end_is_dropped_and_written_over(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "x.game.jsonl"
    made(path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    record = read_game_file(path)
    kept = 3 if cut == 1 else 2
    assert len(record.answers) == kept and record.torn == (cut > 1)
    file = GameFile.reopen(path, record)
    file.answer("d9", "on")
    file.close()
    assert read_game_file(path).answers[kept:] == (Answered("d9", "on"),)


def test_damage_before_the_end_is_an_error_that_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "x.game.jsonl"
    made(path).close()
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join([lines[0], lines[1][:9] + "\n", *lines[2:]]))
    with pytest.raises(GameFileError, match="line 2"):
        read_game_file(path)


@pytest.mark.parametrize("text", ["", "\n", "[]\n", "{}\n", '{"format": 99, "seats": []}\n', "\x00\x00\x00"])
def test_what_is_no_game_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.game.jsonl"
    path.write_text(text)
    with pytest.raises(GameFileError):
        read_game_file(path)


def test_two_programs_cannot_write_one_game(tmp_path: Path) -> None:
    path = tmp_path / "x.game.jsonl"
    file = made(path)
    with pytest.raises(GameFileBusy):
        GameFile.reopen(path, read_game_file(path))
    file.close()
    GameFile.reopen(path, read_game_file(path)).close()
