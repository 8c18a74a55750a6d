"""Keyed random numbers of the bots: never the game's own chance.

A bot draws from the stream (seed, seat, decision): the same decision is answered the same way after an undo or a resume, and no
answer of a bot moves a die or a deck of the game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """Uniform whole numbers from one key.

    >>> Stream(7, "anna", "d1").below(6) == Stream(7, "anna", "d1").below(6)
    True
    """

    def __init__(self, seed: int, seat: str, decision: str) -> None:
        self._key = f"bot/{seed}/{seat}/{decision}".encode()
        self._count = 0

    def below(self, n: int) -> int:
        """A uniform number in ``0 .. n-1``; ``n`` must be at least 1 (`ValueError` otherwise)."""
        if n < 1:
            raise ValueError("below() needs at least one possibility")
        bound = (1 << 64) - (1 << 64) % n
        while True:
            digest = hashlib.blake2b(self._key + b"/%d" % self._count, digest_size=8).digest()
            self._count += 1
            number = int.from_bytes(digest, "big")
            if number < bound:
                return number % n

    def one(self, items: Sequence[T]) -> T:
        """One of ``items`` (not empty), each equally likely."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], n: int) -> list[T]:
        """``n`` different members of ``items`` in random order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(n)]
