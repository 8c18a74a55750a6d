"""How things look and are called: the `present.yaml` of the packs in play, joined.

Everything here has a neutral stand-in, so a pack without the file can be played too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cli.messages import counted, spoken
from cli.packs import known_packs, read_yaml


class Present:
    """Words and fixed places of one set of packs."""

    def __init__(self, data: Mapping[str, Any] | None = None) -> None:
        data = data or {}
        self.kinds: dict[str, Mapping[str, Any]] = {str(kind): about for kind, about in (data.get("kinds") or {}).items()}
        self.places: dict[str, str] = {str(place): str(name) for place, name in (data.get("places") or {}).items()}
        self.actions: list[str] = [str(action) for action in data.get("actions") or []]
        self.seat: list[str] = [str(name) for name in data.get("seat") or []]
        self.bar: list[str] = [str(name) for name in data.get("bar") or []]
        self.endings: frozenset[str] = frozenset(str(verb) for verb in data.get("endings") or [])
        """Told procedures that decide how a game ends: with their causes they are told again at the end."""
        self.unsaid: frozenset[str] = frozenset(str(word) for word in data.get("unsaid") or [])
        """Words that go without saying as the value of a fact."""
        self.alarms: list[tuple[str, str]] = [(str(row.get("when")), str(row.get("say"))) for row in data.get("alarms") or []]
        self._mapped = {kind for kind in self.kinds if self.role(kind) in ("place", "way") and self.facts(kind) is not None}

    def words(self, kind: str, n: int) -> str:
        """``2 goblins``: a number of things of a kind, in the pack's words."""
        words = self.kinds.get(kind, {}).get("words") or []
        one = str(words[0]) if words else spoken(kind)
        return counted(n, one, str(words[1]) if len(words) > 1 else None)

    def order(self, kind: str) -> tuple[int, str]:
        """Sort key: as the pack orders its kinds, then by name."""
        return (-int(self.kinds.get(kind, {}).get("order", 0)), kind)

    def on_map(self, kind: str) -> bool:
        """Whether places of a kind are listed on the map: those of which the pack says what is told; without any, all places."""
        return not self._mapped or kind in self._mapped

    def role(self, kind: str) -> str:
        """What a kind is on the table: `place`, `way` (between places), `threat` …; empty if the pack does not say."""
        return str(self.kinds.get(kind, {}).get("role", ""))

    def label_zone(self, kind: str) -> str | None:
        """The zone of a place whose card gives the place its name."""
        name = self.kinds.get(kind, {}).get("label")
        return None if name is None else str(name)

    def facts(self, kind: str) -> list[str] | None:
        """The fields that are told of a thing of this kind, in order; None = all."""
        names = self.kinds.get(kind, {}).get("facts")
        return None if names is None else [str(name) for name in names]

    def number(self, kind: str) -> str | None:
        """The field that holds the printed number of such a place."""
        name = self.kinds.get(kind, {}).get("number")
        return None if name is None else str(name)

    def place(self, name: str) -> str:
        """What a place is called."""
        return self.places.get(name, spoken(name))


def load_present(packs: Iterable[str], roots: Sequence[Path]) -> Present:
    """Join the files of ``packs``; what a later pack says of a name counts."""
    known = known_packs(roots)
    joined: dict[str, Any] = {}
    for pack in packs:
        path = known[pack] / "present.yaml" if pack in known else None
        if path is None or not path.is_file():
            continue
        for key, value in read_yaml(path).items():
            if isinstance(value, dict):
                joined[key] = {**(joined.get(key) or {}), **value}
            elif isinstance(value, list):
                joined[key] = [*(joined.get(key) or []), *(part for part in value if part not in (joined.get(key) or []))]
            else:
                joined[key] = value
    return Present(joined)
