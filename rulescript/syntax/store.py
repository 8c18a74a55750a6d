"""Kept results of parsing: only ever a shortcut; what cannot be read or written is simply parsed again."""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import sys
import tempfile
import typing
from pathlib import Path

from rulescript.syntax.grammar import cache_directory, grammar_text
from rulescript.syntax.item import ParsedFile

VERSION: typing.Final = 3  # of what is kept
_ANY_FAULT = (OSError, pickle.PickleError, EOFError, AttributeError, ImportError, IndexError, TypeError, ValueError, KeyError)


@functools.cache
def stamp() -> str:
    """What every kept result depends on beside its text: Python, the grammar, and the files of this program that make trees."""
    package = Path(__file__).resolve().parent.parent
    makers = sorted(
        (*package.glob("*.py"), *(package / "syntax").glob("*.py"), *(package / "tree").glob("*.py"), *(package / "pack").glob("*.py"))
    )
    states = [f"{path.name} {found.st_mtime_ns} {found.st_size}" for path in makers for found in (path.stat(),)]
    return "\0".join([str(VERSION), sys.version, grammar_text("nrs"), *states])


def kept_path(folder: str, *parts: str) -> Path:
    """Where a result is kept that depends on some texts and on this program."""
    key = hashlib.blake2b("\0".join((stamp(), *parts)).encode(), digest_size=16).hexdigest()
    return cache_directory() / folder / f"{key}.pickle"


def read_kept(path: Path) -> object:
    """The object kept in a file, or None if there is none or it is damaged."""
    try:
        data = path.read_bytes()
        digest, body = data[:16], data[16:]
        return pickle.loads(body) if hashlib.blake2b(body, digest_size=16).digest() == digest else None
    except _ANY_FAULT:
        return None


def write_kept(path: Path, value: object) -> bool:
    """Writes whole or not at all; says whether it could."""
    try:
        body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as out:
            out.write(hashlib.blake2b(body, digest_size=16).digest() + body)
        os.replace(name, path)
    except (OSError, pickle.PickleError, RecursionError):
        return False
    return True


class FileStore:
    """Parsed files by the hash of their text, their name, the grammar and the Python version."""

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory or cache_directory()

    def _path(self, text: str, file: str) -> Path:
        key = hashlib.blake2b(f"{stamp()}\0{file}\0{text}".encode(), digest_size=16).hexdigest()
        return self.directory / "files" / f"{key}.pickle"

    def load(self, text: str, file: str) -> ParsedFile | None:
        found = read_kept(self._path(text, file))
        return found if isinstance(found, ParsedFile) else None

    def save(self, text: str, parsed: ParsedFile) -> None:
        write_kept(self._path(text, parsed.file), parsed)
