"""A game saved at every decision, and another process that loads each save and plays some of them on.

Run as a program (`python -m tests.proof.saving SETTING FOLDER`) it is the other process: for each save of the folder it prints a line of
JSON with the state's hash, the open decision and, where answers to the end were left beside the save, a hash of the rest of the transcript.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import attrs

from nemesis.game import Game

from .playing import ROOT, SETTINGS, answers


@attrs.define
class SavedGame:
    """What a process that saved found, to be compared with the one that loads."""

    expected: list[dict[str, Any]]
    undone: int
    barriers: int
    faults: list[str]


def rest_of_transcript(game: Game, since: int) -> str:
    """A hash of all journal entries after `since`, for all eyes, at full level."""
    digest = hashlib.blake2b(digest_size=12)
    for entry in game.journal(None, since, "full"):
        digest.update(json.dumps(entry.to_json(), sort_keys=True).encode())
    return digest.hexdigest()


def decision_text(game: Game) -> str:
    return json.dumps(game.decision.to_json(), sort_keys=True) if game.decision is not None else "over"


def save_each(name: str, seed: int, folder: Path, every: int = 25) -> SavedGame:
    """Plays a game; saves at each decision, and takes back each answer that may be taken back."""
    game = SETTINGS[name].begin(seed)
    given: list[Any] = []
    points: list[tuple[int, int]] = []
    found = SavedGame([], 0, 0, [])
    before: tuple[Game, str, Any] | None = None
    for number, (_, answer) in enumerate(answers(game, seed)):
        if before is not None:
            _take_back(game, before, found)
        (folder / f"{number:05}.json").write_text(json.dumps(game.save()), encoding="utf-8")
        found.expected.append({"number": number, "hash": game.hash(), "decision": decision_text(game)})
        if number % every == 0:
            points.append((number, game.state.seq))
        before = (game.clone(), game.hash(), answer)
        given.append(answer)
    for number, since in points:
        (folder / f"{number:05}.answers").write_text(json.dumps(given[number:]), encoding="utf-8")
        found.expected[number] |= {"rest": rest_of_transcript(game, since), "end": game.hash()}
    return found


def _take_back(game: Game, before: tuple[Game, str, Any], found: SavedGame) -> None:
    """The game before the last answer still has its hash and leads to the same game again."""
    old, hashed, answer = before
    if old.barrier != game.barrier:
        found.barriers += 1
        return
    found.undone += 1
    if old.hash() != hashed:
        found.faults.append(f"before {game.state.decisions}: taken back, the state is another")
    old.answer(answer)
    if old.hash() != game.hash():
        found.faults.append(f"before {game.state.decisions}: taken back and answered again, the state is another")


def load_all(name: str, folder: Path) -> list[dict[str, Any]]:
    """What a process that knows only the saves makes of them."""
    rows = []
    for file in sorted(folder.glob("*.json")):
        game = SETTINGS[name].load(json.loads(file.read_text(encoding="utf-8")))
        row = {"number": int(file.stem), "hash": game.hash(), "decision": decision_text(game)}
        answers_file = file.with_suffix(".answers")
        if answers_file.exists():
            since = game.state.seq
            for answer in json.loads(answers_file.read_text(encoding="utf-8")):
                game.answer(answer)
            row |= {"rest": rest_of_transcript(game, since), "end": game.hash()}
        rows.append(row)
    return rows


def load_elsewhere(name: str, folder: Path, hash_seed: str = "77") -> list[dict[str, Any]]:
    """`load_all` in another process with another hash seed."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.proof.saving", name, str(folder)],
        cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if run.returncode:
        raise AssertionError(run.stderr[-2000:])
    return [json.loads(line) for line in run.stdout.splitlines()]


def differences(found: SavedGame, rows: list[dict[str, Any]]) -> list[str]:
    faults = list(found.faults)
    if len(rows) != len(found.expected):
        faults.append(f"{len(found.expected)} saves, {len(rows)} loaded")
    for expected, row in zip(found.expected, rows, strict=False):
        faults += [f"decision {expected['number']}: {name} differs" for name in expected if expected[name] != row.get(name)]
    return faults


if __name__ == "__main__":
    for one in load_all(sys.argv[1], Path(sys.argv[2])):
        print(json.dumps(one))
