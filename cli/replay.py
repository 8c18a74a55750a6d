"""`nemesis-cli replay`: play a game file or a transcript again and say whether it comes out the same."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cli.messages import FINDING, OK, Stop, counted, listed
from cli.packs import content_roots
from cli.resume import changed_packs, game_of, read_record
from cli.session import Given
from cli.transcript import GOD, transcript_lines


def replay(args: argparse.Namespace) -> int:
    """Run the command; 1 if the game comes out differently, 2 if the file cannot be read."""
    path: Path = args.file
    roots = content_roots(args.content)
    rows = _rows(path)
    if "eyes" in rows[0]:
        return _replay_transcript(path, rows, roots)
    return _replay_game(path, roots)


def _rows(path: Path) -> list[dict[str, Any]]:
    try:
        with open(path, encoding="utf-8") as handle:
            first = json.loads(handle.readline() or "null")
            rest = handle.read().splitlines() if isinstance(first, dict) and "eyes" in first else []
        rows = [first, *(json.loads(line) for line in rest)]
    except OSError as error:
        raise Stop(f"{path}: {error.strerror or error}.") from error
    except ValueError as error:
        raise Stop(f"{path}: not a game file or transcript ({error}).") from error
    if not all(isinstance(row, dict) for row in rows):
        raise Stop(f"{path}: not a game file or transcript.")
    return rows


def _replay_game(path: Path, roots: Sequence[Path]) -> int:
    from nemesis.game import ContentStopped, IllegalAnswer

    record = read_record(path)
    game = game_of(record, path, roots)
    changed = changed_packs(record, game)
    if changed:
        print(f"The content of {listed(changed)} has changed since.")
    marks: dict[int, str] = {frame.answers: frame.hash for frame in record.frames}
    for number, answer in enumerate((*record.answers, None)):
        if number in marks and marks[number] != str(game.hash()):
            return _differs(f"after {counted(number, 'answer')} the state is another one than it was")
        if answer is None:
            break
        decision = game.decision
        if decision is None or decision.id != answer.decision:
            stands = f"at {decision.id}" if decision is not None else "at its end"
            return _differs(f"answer {number + 1} was for {answer.decision}; the game stands {stands}")
        try:
            game.answer(answer.choice, decision=decision.id)
        except (IllegalAnswer, ContentStopped) as error:
            return _differs(f"answer {number + 1} ({answer.decision}: {answer.choice}): {error}")
    end = "to its end" if game.over else f"to decision {game.decision.id}" if game.decision is not None else ""
    print(f"The same: {counted(len(record.answers), 'answer')} {end}, {counted(len(marks), 'state')} compared.")
    return OK


def _replay_transcript(path: Path, rows: list[dict[str, Any]], roots: Sequence[Path]) -> int:
    from nemesis.game import ContentStopped, IllegalAnswer
    from nemesis.game_file import Answered, GameRecord, dump

    if "seed" not in rows[0] or rows[0]["eyes"] != GOD:
        raise Stop(f"{path}: written for the eyes of {rows[0]['eyes']}, it holds not all that playing it again needs. Use the game file.")
    answers = [Answered(row["d"], row["x"]) for row in rows[1:] if "x" in row and isinstance(row.get("d"), str)]
    record = GameRecord(rows[0], tuple(answers))
    game = game_of(record, path, roots)
    given: list[Given] = []
    trouble = ""
    for answer in answers:
        decision = game.decision
        if decision is None or decision.id != answer.decision:
            trouble = f"it stands at {decision.id if decision is not None else 'its end'}, the answer is for {answer.decision}"
            break
        try:
            game.answer(answer.choice, decision=decision.id)
        except (IllegalAnswer, ContentStopped) as error:
            trouble = f"{answer.decision}: {error}"
            break
        given.append(Given(decision.id, decision.seq, answer.choice))
    header = {key: value for key, value in rows[0].items() if key not in ("eyes", "level")}
    again = list(transcript_lines(game, header, given, GOD, str(rows[0].get("level", "events"))))
    for number, row in enumerate(rows):
        line = again[number] if number < len(again) else "(nothing)"
        if dump(row) != line:
            return _differs(f"line {number + 1}\n  was {dump(row)}\n  is  {line}", trouble)
    if len(again) > len(rows):
        return _differs(f"line {len(rows) + 1}\n  was (nothing)\n  is  {again[len(rows)]}", trouble)
    print(f"The same: {counted(len(rows), 'line')}, {counted(len(given), 'answer')}.")
    return OK


def _differs(what: str, trouble: str = "") -> int:
    print(f"Differs: {what}.{f' The game went no further: {trouble}.' if trouble else ''}")
    return FINDING
