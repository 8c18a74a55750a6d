"""The base of all tree nodes: where in a file a node was written, and the notes a line may carry."""

from __future__ import annotations

import typing

import attrs


class Span(typing.NamedTuple):
    """A stretch of a source file; lines and columns are 1-based, the end is exclusive.

    >>> Span("a.nrs", 3, 5, 3, 9).where
    'a.nrs:3:5'
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@attrs.frozen
class Node:
    """Anything in a tree. Two nodes are equal if they say the same, wherever they stand."""

    span: Span = attrs.field(eq=False, repr=False, kw_only=True)


@attrs.frozen
class Once(Node):
    """`once per PERIOD [as KEY]`."""

    period: str
    key: str | None = None


@attrs.frozen
class Notes:
    """What a line says about itself: copies, certainty and source, rule ids, limits, a reason, secrecy."""

    copies: int | None = None
    certainty: str | None = None
    source: str | None = None
    cites: tuple[str, ...] = ()
    once: tuple[Once, ...] = ()
    because: str | None = None
    secret: bool = False


NO_NOTES = Notes()


@attrs.frozen
class TypeRef(Node):
    """A type as written: a name and a mark (`?` or none, `*` a set, `[]` a list in an order, or nothing)."""

    name: str
    mark: str = ""


@attrs.frozen
class Binder(Node):
    """One parameter of a head: `by hero` (bare: the kind is its name) or `who: hero`."""

    name: str
    type: TypeRef
    bare: bool = False


@attrs.frozen
class Head(Node):
    """What stands after the verb of a procedure or action: an amount with its object word, or an operand, then binders by preposition."""

    amount: str | None = None
    object: str | None = None
    operand: Binder | None = None
    binders: tuple[tuple[str, Binder], ...] = ()
