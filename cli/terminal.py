"""Reading lines and clearing: all that the linear table needs of a terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO


def prepare_streams() -> None:
    """Never fail on a letter that the terminal or the pipe cannot carry."""
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace"), (sys.stderr, "backslashreplace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)


def ask_line(prompt: str) -> str | None:
    """One typed line, or None at the end of the input. From a pipe the line is echoed, so that the output reads as a session."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 (editing and history of the typed line)
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        print()
        return None
    line = line.rstrip("\r\n")
    _echo(line, sys.stdout)
    return line


def _echo(line: str, out: TextIO) -> None:
    if not sys.stdin.isatty():
        out.write(line if line.isprintable() else "".join(letter for letter in line if letter.isprintable()))
        out.write("\n")


def clear_screen() -> bool:
    """Clear screen and scroll-back before another person sits down; False where that is impossible."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return False
    sys.stdout.write("\x1b[3J\x1b[2J\x1b[H")
    sys.stdout.flush()
    return True
