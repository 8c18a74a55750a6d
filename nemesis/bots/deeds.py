"""The deeds that begin at a decision, as a tree of one seat's answers: which way to try next so that all of them come up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.bots.candidates import Answer

if TYPE_CHECKING:
    from nemesis.bots.stream import Stream

Path = tuple[Answer, ...]
"""Answers of one seat, one after the other."""


class Deeds:
    """Ways that were tried; a way whose end was reached is not tried again before all others were.

    >>> from nemesis.bots.stream import Stream
    >>> deeds, stream = Deeds(), Stream(1, "one", "d1")
    >>> sorted(deeds.next_answer((), [0, 1, 2], stream) for _ in range(3))
    [0, 1, 2]
    >>> deeds.close((0,)); deeds.close((1,))
    >>> deeds.next_answer((), [0, 1, 2], stream), deeds.all_closed
    (2, False)
    """

    def __init__(self) -> None:
        self._tried: dict[Path, dict[Answer, int]] = {}
        self._closed: set[Path] = set()

    @property
    def all_closed(self) -> bool:
        return () in self._closed

    def next_answer(self, path: Path, offered: list[Answer], stream: Stream) -> Answer:
        """One of the answers that are offered after a path: an open one that was tried least, by chance among those."""
        tried = self._tried.setdefault(path, {})
        for answer in offered:
            tried.setdefault(answer, 0)
        ranks = [((*path, answer) in self._closed, tried[answer]) for answer in offered]
        answer = stream.one([answer for answer, rank in zip(offered, ranks, strict=True) if rank == min(ranks)])
        tried[answer] += 1
        return answer

    def close(self, path: Path) -> None:
        """The end of a deed: with its last open way a path is closed as well."""
        self._closed.add(path)
        while path:
            path = path[:-1]
            if any((*path, answer) not in self._closed for answer in self._tried.get(path, ())):
                return
            self._closed.add(path)
