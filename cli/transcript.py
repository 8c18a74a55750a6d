"""Transcripts: what happened, as JSON Lines for one pair of eyes.

A header, then one object for each journal entry. A transcript for all eyes (`god`) also holds the seed and, between the entries, the
answers ``{"d": "d41", "x": "goblin#2"}``, so that it can be played again; one for a seat holds neither.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.messages import MISUSE, Stop

if TYPE_CHECKING:
    from cli.session import Given
    from nemesis.game import Game

GOD = "god"
TABLE = "table"


def game_header(game: Game, seed: int, bots: Mapping[str, str]) -> dict[str, Any]:
    """The header of a game file and of a `god` transcript (FORMATS 5)."""
    header = dict(game.header())
    header.setdefault("format", 1)
    header.setdefault("language", 1)
    header.setdefault("options", {})
    header.setdefault("packs", [[pack, "", ""] if isinstance(pack, str) else list(pack) for pack in game.packs])
    return {**header, "seats": list(game.seats), "seed": seed, "bots": dict(bots)}


def transcript_lines(game: Game, header: Mapping[str, Any], given: Sequence[Given], eyes: str, level: str = "events") -> Iterator[str]:
    """The lines without their newlines. ``eyes`` is a seat's name, `table` (what all see) or `god`."""
    from nemesis.game_file import dump

    god = eyes == GOD
    head = dict(header) if god or game.over else _without_seed(header)
    yield dump({**head, "eyes": eyes, "level": level})
    answers = list(given) if god else []
    entries = game.journal(None, 0, level) if god else game.journal(eyes, 0, level)
    at = 0
    for entry in entries:
        while at < len(answers) and answers[at].seq < entry.seq:
            yield dump({"d": answers[at].decision, "x": answers[at].choice})
            at += 1
        yield dump(entry.to_json())
    for answer in answers[at:]:
        yield dump({"d": answer.decision, "x": answer.choice})


def check_writable(path: Path) -> None:
    """`Stop` if a transcript could not be written at ``path``; looks only, changes nothing."""
    if path.is_dir():
        why = "is a folder"
    elif path.exists():
        why = "" if os.access(path, os.W_OK) else "may not be written"
    elif not path.parent.is_dir():
        why = "its folder does not exist"
    else:
        why = ""
    if not why and (path.is_file() or not path.exists()) and not os.access(path.parent, os.W_OK | os.X_OK):
        why = "its folder may not be written"
    if why:
        raise Stop(f"--transcript {path}: {why}.", MISUSE)


def write_transcript(path: Path, lines: Iterator[str]) -> None:
    """Write all at once: an interrupted program leaves the old file or the new one, never a half. `Stop` if the disk refuses."""
    plain = not path.exists() or path.is_file()
    target = path.with_name(f"{path.name}.{os.getpid()}.new") if plain else path
    try:
        with open(target, "w", encoding="utf-8", newline="\n") as handle:
            handle.writelines(f"{line}\n" for line in lines)
        if plain:
            os.replace(target, path)
    except OSError as error:
        if plain:
            with contextlib.suppress(OSError):
                target.unlink()
        raise Stop(f"{path}: the transcript could not be written: {error.strerror or error}.", MISUSE) from error


def _without_seed(header: Mapping[str, Any]) -> dict[str, Any]:
    head = {key: value for key, value in header.items() if key != "seed"}
    head["seed_hash"] = hashlib.sha256(f"seed {header['seed']}".encode()).hexdigest()
    return head
