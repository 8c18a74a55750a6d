"""The answers that are worth a look: an open decision's answers by the places of options, alike ones once."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterator
from math import comb
from typing import TYPE_CHECKING

from nemesis.bots.stream import Stream
from nemesis.kernel.policy import likeness
from nemesis.kernel.sight import seen_by
from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from nemesis.kernel.frame import Pending
    from nemesis.state import State

Answer = int | tuple[int, ...]


def candidates(S: State, pending: Pending, stream: Stream, most: int) -> list[Answer]:
    """At most `most` answers; of many orders or sets a sample that the stream draws."""
    count = len(pending.options)
    if pending.kind == "order":
        return _orders(count, stream, most)
    sorts = [_sort(S, pending, index) for index in range(count)]
    if not takes_list(pending):
        singles: list[Answer] = list({sort: index for index, sort in reversed(list(enumerate(sorts)))}.values())
        return sorted(singles) if len(singles) <= most else sorted(stream.sample(singles, most))
    return _sets(pending, sorts, stream, most)


def takes_list(pending: Pending) -> bool:
    """Whether several places answer; single choices of a secret batch are told apart from lists by where the answer goes."""
    if pending.kind == "secret_batch":
        return pending.target[0] == "local" and not pending.target[2]
    return pending.kind in ("choose_some", "order")


def _sort(S: State, pending: Pending, index: int) -> Hashable:
    """Options of one sort lead to the same, as far as the seat can see: unseen things of one place, seen ones that are alike."""
    x = pending.options[index]
    if pending.labels is not None or type(x) is not Ref or S.program.place_mask[x]:
        return index
    return likeness(S, x) if seen_by(S, x, pending.seat) else ("unseen", S.place[x])


def _orders(count: int, stream: Stream, most: int) -> list[Answer]:
    if count <= 3:
        return list(itertools.permutations(range(count)))
    orders = (tuple(stream.sample(range(count), count)) for _ in range(most))
    return list(dict.fromkeys(orders))


def _sets(pending: Pending, sorts: list[Hashable], stream: Stream, most: int) -> list[Answer]:
    """Sets of options that differ in sorts: all of them if they are few, else the smallest, the largest and a sample."""
    count = len(sorts)
    high = min(pending.maximum, count)
    low = min(pending.minimum, high)
    found: dict[Hashable, tuple[int, ...]] = {}

    def add(chosen: tuple[int, ...]) -> None:
        found.setdefault(frozenset((sorts[i], sum(sorts[j] == sorts[i] for j in chosen)) for i in chosen), chosen)

    if sum(comb(count, size) for size in range(low, high + 1)) <= 256:
        for chosen in _all_sets(count, low, high):
            add(chosen)
        if len(found) <= most:
            return list(found.values())
        first, *rest = found.values()
        return [first, *stream.sample(rest, most - 1)]
    for size in dict.fromkeys((low, high)):
        add(tuple(range(size)))
    for _ in range(4 * most):
        if len(found) >= most:
            break
        add(tuple(sorted(stream.sample(range(count), low + stream.below(high - low + 1)))))
    return list(found.values())


def _all_sets(count: int, low: int, high: int) -> Iterator[tuple[int, ...]]:
    for size in range(low, high + 1):
        yield from itertools.combinations(range(count), size)
