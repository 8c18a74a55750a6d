"""`NAME.game.jsonl`: a game as its header and its answers, each written before it is applied.

Lines after the header, in the order in which they happened:

* ``{"d": "d41", "x": "goblin#2"}`` an answer: decision and choice (option id, whole number or list of ids);
* ``{"u": "d41"}`` taken back: the game stands at decision d41 again, unanswered;
* ``{"k": state, "s": seq, "h": hash}`` a key frame, every 50 answers;
* ``{"h": hash, "s": seq}`` where the game stood when the program was left in good order.

Nothing is ever rewritten, so killing the program at any moment loses nothing; at worst the last line is torn and is dropped.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import Any

from attrs import field, frozen

FORMAT = 1
KEY_FRAME_EVERY = 50
Choice = str | int | list[str]


class GameFileError(Exception):
    """The file cannot be read as a game; the text is for people and names the line."""


class GameFileBusy(GameFileError):
    """Another program has the game open."""


@frozen
class Answered:
    """One answer that stands: the decision's id and what was chosen."""

    decision: str
    choice: Choice


@frozen
class Frame:
    """A check point after ``answers`` standing answers; ``state`` is None for one that holds only the hash."""

    answers: int
    hash: str
    state: Any = None


@frozen
class GameRecord:
    """What a game file says, answers that were taken back left out."""

    header: Mapping[str, Any]
    answers: tuple[Answered, ...] = ()
    frames: tuple[Frame, ...] = ()
    torn: bool = False
    over: bool = False
    """The game was left at its end."""
    length: int = 0
    """Bytes of the file that are sound; behind them stands the torn line."""
    notes: tuple[str, ...] = field(default=())

    @property
    def packs(self) -> list[str]:
        """Ids of the packs that the game is played with."""
        return [pack if isinstance(pack, str) else str(pack[0]) for pack in self.header.get("packs", [])]


def dump(value: object) -> str:
    """One line of JSON: keys sorted, no spaces, no ASCII escapes.

    >>> dump({"x": "a", "d": 1})
    '{"d":1,"x":"a"}'
    """
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def read_game_file(path: Path) -> GameRecord:
    """Read ``path``. A torn last line is dropped (`torn`); damage before it raises `GameFileError`."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise GameFileError(f"{path}: {error.strerror or error}") from error
    header: Mapping[str, Any] | None = None
    answers: list[Answered] = []
    frames: list[Frame] = []
    start, number, torn = 0, 0, False
    row: dict[str, Any] = {}
    while start < len(data):
        end = data.find(b"\n", start)
        last = end < 0 or end == len(data) - 1
        stop = len(data) if end < 0 else end
        number += 1
        try:
            row = json.loads(data[start:stop].decode("utf-8"))
            if not isinstance(row, dict):
                raise ValueError("not an object")
            if header is None:
                header = _header(row, path)
            else:
                _take(row, answers, frames)
        except GameFileError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            if last and header is not None:
                torn = True
                break
            raise GameFileError(f"{path}, line {number}: damaged ({error}); nothing was changed") from error
        start = len(data) if end < 0 else end + 1
    if header is None:
        raise GameFileError(f"{path}: the file is empty")
    return GameRecord(header, tuple(answers), tuple(frames), torn, bool(row.get("o")), start)


def _header(row: dict[str, Any], path: Path) -> dict[str, Any]:
    version = row.get("format")
    if not isinstance(version, int) or not isinstance(row.get("seats"), list):
        raise GameFileError(f"{path}: not a game file (its first line is no header)")
    if version > FORMAT:
        raise GameFileError(f"{path}: written in format {version}; this program reads up to format {FORMAT}")
    wrong = header_fault(row)
    if wrong:
        raise GameFileError(f"{path}: its first line is damaged: {wrong}; nothing was changed")
    return row


def header_fault(row: Mapping[str, Any]) -> str:
    """What is wrong with a header's seats, packs, seed, bots or options; empty if nothing is. Seed and packs may be left out here.

    >>> header_fault({"seats": ["anna"], "seed": "abc"})
    'the seed is no whole number'
    """
    seats, seed, packs = row.get("seats"), row.get("seed", 0), row.get("packs", [])
    bots, options = row.get("bots") or {}, row.get("options") or {}
    if not isinstance(seats, list) or not seats or not all(isinstance(seat, str) for seat in seats):
        return "the seats are no list of names"
    if not isinstance(seed, int) or isinstance(seed, bool):
        return "the seed is no whole number"
    if not isinstance(packs, list) or not all(_names_pack(pack) for pack in packs):
        return "the packs are no list of names"
    if not isinstance(bots, dict):
        return "the bots are no object"
    strangers = [str(seat) for seat in bots if seat not in seats]
    if strangers:
        return f"it has bots for {', '.join(strangers)}, which is no seat"
    if not isinstance(options, dict):
        return "the options are no object"
    return ""


def _names_pack(pack: object) -> bool:
    return isinstance(pack, str) or isinstance(pack, list) and bool(pack) and isinstance(pack[0], str)


def _take(row: dict[str, Any], answers: list[Answered], frames: list[Frame]) -> None:
    if "x" in row:
        choice = row["x"]
        if not isinstance(row["d"], str) or not isinstance(choice, str | int | list):
            raise ValueError("an answer needs a decision and a choice")
        answers.append(Answered(row["d"], choice))
    elif "u" in row:
        kept = next((at for at in range(len(answers) - 1, -1, -1) if answers[at].decision == row["u"]), None)
        if kept is None:
            raise ValueError(f"takes back {row['u']}, which was not answered")
        del answers[kept:]
        frames[:] = [frame for frame in frames if frame.answers <= kept]
    elif "h" in row:
        frames.append(Frame(len(answers), str(row["h"]), row.get("k")))
    else:
        raise ValueError("neither answer nor key frame")


class GameFile:
    """A game file that is open for writing. `OSError` comes out of every method when the disk refuses."""

    def __init__(self, path: Path, handle: FileIO, answers: int = 0) -> None:
        self.path = path
        self._file = handle
        self._since_frame = answers % KEY_FRAME_EVERY

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any]) -> GameFile:
        """Start a new file; it appears under its name only once its header is complete. `FileExistsError` if there is one."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists():
            raise FileExistsError(f"{path} exists")
        beside = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            with open(beside, "wb") as handle:
                handle.write((dump(header) + "\n").encode("utf-8"))
                handle.flush()
                os.fsync(handle.fileno())
            os.replace(beside, path)
        except OSError:
            with contextlib.suppress(OSError):
                beside.unlink()
            raise
        return cls(path, _open_locked(path))

    @classmethod
    def reopen(cls, path: Path, record: GameRecord) -> GameFile:
        """Go on with a file that was read as ``record``; its torn tail is cut off. `GameFileBusy` if it is open elsewhere."""
        handle = _open_locked(path)
        if record.torn:
            handle.truncate(record.length)
        handle.seek(0, os.SEEK_END)
        here = cls(path, handle, len(record.answers))
        if record.length and not record.torn and not _ends_with_newline(path):
            here._write(b"\n")
        return here

    def answer(self, decision: str, choice: Choice) -> None:
        """Write one answer; it is with the operating system when this returns."""
        self._write((dump({"d": decision, "x": choice}) + "\n").encode("utf-8"))
        self._since_frame += 1

    def take_back(self, decision: str) -> None:
        """Write that the game stands at ``decision`` again."""
        self._write((dump({"u": decision}) + "\n").encode("utf-8"))

    @property
    def frame_due(self) -> bool:
        """Whether 50 answers were written since the last key frame."""
        return self._since_frame >= KEY_FRAME_EVERY

    def key_frame(self, state: object, seq: int, fingerprint: str) -> None:
        """Write the full state (``Game.save()``) with its sequence number and hash."""
        self._write((dump({"k": state, "s": seq, "h": fingerprint}) + "\n").encode("utf-8"))
        self._since_frame = 0

    def leave(self, seq: int, fingerprint: str, over: bool = False) -> None:
        """Write where the game stands, for `replay` to compare, and whether that is its end."""
        self._write((dump({"h": fingerprint, "s": seq, **({"o": True} if over else {})}) + "\n").encode("utf-8"))

    def sync(self) -> None:
        """Ask the operating system to put everything on the disk (for power cuts; a killed program needs only the flush)."""
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close and unlock."""
        self._file.close()

    def _write(self, line: bytes) -> None:
        before = self._file.tell()
        try:
            left = memoryview(line)
            while left:
                left = left[self._file.write(left) or 0 :]
        except OSError:
            with contextlib.suppress(OSError):  # half a line may have reached the disk
                self._file.truncate(before)
                self._file.seek(before)
            raise


def _open_locked(path: Path) -> FileIO:
    handle = open(path, "r+b", buffering=0)  # noqa: SIM115 (kept open for the whole game)
    try:
        import fcntl
    except ImportError:  # a system without advisory locks: the second program is not noticed
        return _at_end(handle)
    try:
        fcntl.flock(handle.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise GameFileBusy(f"{path}: the game is open in another window") from error
    return _at_end(handle)


def _at_end(handle: FileIO) -> FileIO:
    handle.seek(0, os.SEEK_END)
    return handle


def _ends_with_newline(path: Path) -> bool:
    with open(path, "rb") as handle:
        handle.seek(-1, os.SEEK_END)
        return handle.read(1) == b"\n"
