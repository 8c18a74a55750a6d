"""Values that point at things.

A live reference is a `Ref`, an int that indexes every column of the state; there is exactly one object per thing. When a thing enters its
pool, all references to it that the state holds become `Stale`: they answer the kind, the name and, for the latest leaving, the last place.
"""

from __future__ import annotations

from typing import NamedTuple


class Ref(int):
    """A live reference to a thing, place or zone; the number is the thing's index in all columns."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Ref({int(self)})"


class Stale(NamedTuple):
    """A reference of an old incarnation."""

    thing: int
    incarnation: int


class Deed(NamedTuple):
    """An ability as a value: the action's number, the thing it is written on, the one who would do it."""

    action: int
    card: Ref | None
    doer: Ref | None


Value = None | bool | int | str | Ref | Stale | Deed | tuple["Value", ...]
