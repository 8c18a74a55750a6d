"""Picks that nobody makes: how orders narrow candidates, and the journal's entry with those that stood there and their ranks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nemesis.kernel.commit import note
from nemesis.kernel.sight import seen_mask, veil
from nemesis.world.thing import Deed, Ref

if TYPE_CHECKING:
    from nemesis.state import State

Cut = tuple[list[list[Any]], int]
"""What one sort key makes of the candidates that were still alike: their groups from the first to the last, and which of them is left to
the next key (-1 = none)."""


def tiers(everyone: Sequence[Any], cuts: Sequence[Cut]) -> tuple[tuple[Any, ...], ...]:
    """The candidates by rank, those that no key tells apart together.

    >>> tiers("abcd", [([["a"], ["b", "c"], ["d"]], 1), ([["c"], ["b"]], -1)])
    (('a',), ('c',), ('b',), ('d',))
    """
    before: list[Sequence[Any]] = []
    middle: list[Sequence[Any]] = [everyone]
    behind: list[Sequence[Any]] = []
    for groups, at in cuts:
        if at < 0:
            middle = list(groups)
        else:
            before += groups[:at]
            behind = [*groups[at + 1 :], *behind]
            middle = [groups[at]]
    return tuple(tuple(group) for group in (*before, *middle, *behind))


def note_pick(S: State, f: Any, lid: int, name: str, how: str, taken: Sequence[Any], everyone: Sequence[Any], cuts: Sequence[Cut]) -> None:
    """Journal a pick. `how`: forced (nothing else was there), order, policy, chance, or narrow (an order, then a seat is asked)."""
    if S.undo is not None:
        return
    if not S.journal.on:
        S.seq += 1
        return
    ranks = tiers(everyone, cuts) if len(everyone) > 1 and how != "forced" else ()
    note(S, f, lid, "take", (name, how, tuple(taken), ranks, lid, veil(S, ranks)), choice_seats(S, taken))


def choice_seats(S: State, things: Any) -> int:
    """The seats that see all of some things."""
    mask = -1
    for x in things:
        if type(x) is Ref:
            mask &= seen_mask(S, x)
        elif type(x) is Deed and type(x.card) is Ref:
            mask &= seen_mask(S, x.card)
    return mask
