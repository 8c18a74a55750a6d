"""Where games are kept, and what they are called."""

from __future__ import annotations

import os
import re
from pathlib import Path

from cli.messages import Stop, counted, did_you_mean

ENDING = ".game.jsonl"


def saves_folder(given: Path | None) -> Path:
    """``--saves``, else ``$XDG_DATA_HOME/nemesis``, else ``~/.local/share/nemesis``."""
    if given is not None:
        return given
    home = os.environ.get("XDG_DATA_HOME")
    return (Path(home) if home else Path.home() / ".local" / "share") / "nemesis"


def game_path(folder: Path, name: str) -> Path:
    """The file of the game called ``name``; `Stop` if that cannot be a file's name.

    >>> game_path(Path("saves"), "friday").as_posix()
    'saves/friday.game.jsonl'
    """
    name = name.removesuffix(ENDING)
    if not re.fullmatch(r"\w[\w.-]{0,63}", name):
        raise Stop(f"`{name}` cannot be a game's name: letters, digits, `_`, `-` and `.`, at most 64.")
    return folder / f"{name}{ENDING}"


def saved_names(folder: Path) -> list[str]:
    """Names of the games in ``folder``, the last played first."""
    try:
        found = [(path.stat().st_mtime_ns, path.name.removesuffix(ENDING)) for path in folder.glob(f"*{ENDING}")]
    except OSError:
        return []
    return [name for _, name in sorted(found, reverse=True)]


def existing_game(folder: Path, name: str) -> Path:
    """The file of a saved game; `Stop` with the nearest name if there is none."""
    path = Path(name) if name.endswith(ENDING) and Path(name).is_file() else game_path(folder, name)
    if not path.is_file():
        raise Stop(f"No saved game `{name}` in {folder}.{did_you_mean(name, saved_names(folder))}")
    return path


def free_name(folder: Path) -> str:
    """The first of game-1, game-2 … that is not taken."""
    number = 1
    while (folder / f"game-{number}{ENDING}").exists():
        number += 1
    return f"game-{number}"


def list_saves(folder: Path) -> int:
    """Print one line for each saved game."""
    from nemesis.game_file import GameFileError, read_game_file

    if folder.exists() and not folder.is_dir():
        raise Stop(f"--saves {folder}: not a folder.")
    names = saved_names(folder)
    if not names:
        print(f"No saved games in {folder}.")
    for name in names:
        try:
            record = read_game_file(folder / f"{name}{ENDING}")
        except GameFileError as error:
            print(f"{name}: {error}")
            continue
        packs = ", ".join(record.packs)
        over = "; over" if record.over else ""
        print(f"{name}: {packs}; seats {', '.join(record.header['seats'])}; {counted(len(record.answers), 'answer')}{over}")
    return 0
