"""The text form of a position, as trees. Columns are 1-based, inside the string."""

from __future__ import annotations

import attrs

from rulescript.tree.node import Spoken, tree_class


@tree_class
class Fragment(Spoken):
    column: int = attrs.field(eq=False, repr=False, kw_only=True)


@tree_class
class PutThing(Fragment):
    """`ogre 2 age 1`, `lamp lit`, `skill baker`, `bag[lamp lit]`, `ogre#2`: at most one of word, inner, pairs is given."""

    name: str
    count: int | None = None
    word: str | None = None
    inner: tuple[PutThing, ...] = ()
    pairs: tuple[PutPair, ...] = ()


@tree_class
class PutPair(Fragment):
    """`honour 3`, `hand [wink]`, `mood calm`: a field or zone, and a number, one thing or word, or a list of things."""

    name: str
    value: int | PutThing | tuple[PutThing, ...]


@tree_class
class PutPlace(Fragment):
    """`place hut 12 b2 fields: things`; `to` is the other end of a link."""

    kind: str
    number: int | None
    where: str
    to: str | None
    pairs: tuple[PutPair, ...]
    things: tuple[PutThing, ...]


@tree_class
class PutInside(Fragment):
    """`in recon.hand: things`; `member` is a zone's name or a number."""

    spot: str
    member: str | int | None
    things: tuple[PutThing, ...]


@tree_class
class PutGame(Fragment):
    """`game round 5`: fields of the game."""

    pairs: tuple[PutPair, ...]


@tree_class
class PutPool(Fragment):
    """`pool coin 0`: so many are left."""

    kind: str
    count: int


@tree_class
class PutHere(Fragment):
    """Things in the place named last."""

    things: tuple[PutThing, ...]


Statement = PutPlace | PutInside | PutGame | PutPool | PutHere
