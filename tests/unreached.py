"""The places of content that neither tests nor games reach, each with the reason why nothing can (`tests/unreached.yaml`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from nemesis.coverage import Place

LIST = Path(__file__).with_suffix(".yaml")


@cache
def _lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8").splitlines()


def name_of(place: Place) -> str:
    """A name that stays when other lines change: pack, file and words of the line; places of one line share it, except for their way."""
    words = _lines(place.path)[place.line - 1].strip()
    return f"{place.pack}/{place.file}: {words}{'' if place.way == 'ran' else f' ({place.way})'}"


def read_unreached() -> dict[str, str]:
    """Name -> reason."""
    found = yaml.safe_load(LIST.read_text(encoding="utf-8"))
    return {name: reason for reason, names in found.items() for name in names}
