"""The append-only story of a game, beside the state; clones share the past."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class Journal:
    """Entries are plain tuples (see `nemesis.record` for their shapes); `fork` shares the past without copying it."""

    __slots__ = ("entries", "on", "past", "start")

    def __init__(self, past: Journal | None = None, start: int = 0) -> None:
        self.past = past
        self.start = start
        self.entries: list[tuple[Any, ...]] = []
        self.on = True

    def append(self, entry: tuple[Any, ...]) -> None:
        self.entries.append(entry)

    def __len__(self) -> int:
        return self.start + len(self.entries)

    def fork(self) -> Journal:
        """A journal that continues from here.

        >>> one = Journal(); one.append((1,)); two = one.fork(); one.append((2,)); two.append((3,))
        >>> list(one), list(two)
        ([(1,), (2,)], [(1,), (3,)])
        """
        new = Journal(self, len(self))
        new.on = self.on
        if new.start - self.start == 0 and self.past is not None:
            new.past, new.start = self.past, self.start
        return new

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return self.since(0)

    def since(self, number: int) -> Iterator[tuple[Any, ...]]:
        """The entries from `number` (0-based) on."""
        chain: list[tuple[Journal, int]] = []
        at: Journal | None = self
        end = len(self)
        while at is not None:
            chain.append((at, end))
            end = min(end, at.start)
            at = at.past
        for part, stop in reversed(chain):
            for index in range(max(number, part.start), stop):
                yield part.entries[index - part.start]
