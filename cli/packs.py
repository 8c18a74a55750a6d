"""Which packs are meant and where content lies: the library's answers, with its refusals as the commands' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import rulescript.pack as library
from cli.messages import Stop
from rulescript.pack.resolve import default_pack


def content_roots(given: Sequence[Path]) -> list[Path]:
    """Folders that hold packs, first hit wins; a ``--content`` that is no folder is a `Stop`."""
    for folder in given:
        if not folder.is_dir():
            raise Stop(f"--content {folder}: there is no such folder.")
    return library.content_roots(given)


def known_packs(roots: Sequence[Path]) -> dict[str, Path]:
    """Pack id -> its folder."""
    return library.known_packs(roots)


def chosen_packs(text: str | None, roots: Sequence[Path]) -> tuple[str, ...]:
    """The ids of the packs that ``--pack`` means and of those they need; without it the default pack. `Stop` for an unknown one."""
    known = known_packs(roots)
    if not known:
        raise Stop("No packs found. Say where they are: --content DIR, or RULESCRIPT_PATH.")
    try:
        return tuple(manifest.id for manifest in library.resolve([text or _default(roots)], known))
    except library.PackError as error:
        raise Stop(f"--pack: {error}" if error.misuse else str(error)) from error


def _default(roots: Sequence[Path]) -> str:
    """The default pack of the first root that has one."""
    refusal: library.PackError | None = None
    for root in roots:
        try:
            return default_pack(known_packs([root]))
        except library.PackError as error:
            if not error.misuse:
                raise
            refusal = refusal or error
    raise refusal or Stop("No packs found.")


def read_yaml(path: Path) -> Mapping[str, Any]:
    """A YAML file that holds a mapping; `Stop` with file and line if it does not."""
    import yaml

    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (OSError, UnicodeDecodeError) as error:
        raise Stop(f"{path}: {error}.") from error
    except yaml.YAMLError as error:
        raise Stop(f"{path}: {' '.join(str(error).split())}") from error
    if not isinstance(found, dict):
        raise Stop(f"{path}: expected `name: value` lines.")
    return found
