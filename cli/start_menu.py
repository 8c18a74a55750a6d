"""What `play` without any words offers at a terminal: go on with the last game, or begin one."""

from __future__ import annotations

import sys
from pathlib import Path

from cli.messages import counted, listed
from cli.saves import ENDING, saved_names
from cli.terminal import ask_line


def game_to_go_on_with(folder: Path) -> str | None:
    """The name of the saved game that was chosen; None for a new one. Away from a terminal, or without a saved game, nothing is asked."""
    from nemesis.game_file import GameFileError, read_game_file

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    for name in saved_names(folder)[:9]:
        try:
            record = read_game_file(folder / f"{name}{ENDING}")
        except GameFileError:
            continue
        if record.over:
            continue
        packs = listed(record.packs)
        seats = listed(str(seat) for seat in record.header["seats"])
        print(f'1 Continue "{name}": {packs}; {seats}; {counted(len(record.answers), "answer")}.')
        print("2 New game.")
        print("Enter is 1. `nemesis-cli saves` lists all games, `nemesis-cli play --help` what can be said at the start.")
        while (line := ask_line("? ")) is not None:
            if line.strip() in ("", "1"):
                return name
            if line.strip() == "2":
                return None
            print("1 or 2.")
        return None
    return None
