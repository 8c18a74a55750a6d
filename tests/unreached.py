"""The list of places of content that neither tests nor games reach, each with its reason (`tests/unreached.yaml`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from nemesis.coverage import Place


@cache
def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def name_of(place: Place) -> str:
    """A name that stays when other lines change: the file and the words of the line; places of one line share it, except for their way."""
    words = _lines(place.path)[place.line - 1].strip()
    return f"{place.file}: {words}{'' if place.way == 'ran' else f' ({place.way})'}"


def read_unreached(path: Path) -> dict[str, str]:
    """Name -> reason."""
    found = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
    return {str(name): str(reason) for name, reason in found.items()}
