"""The base of all tree nodes: where in a file a node was written, and the notes a line may carry."""

from __future__ import annotations

import functools
import typing
from collections.abc import Callable

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


T = typing.TypeVar("T")


@typing.dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def tree_class(cls: type[T]) -> type[T]:
    """A frozen attrs class that takes its comparison, hash and text from `Spoken`.

    Methods written once, instead of by attrs for each of some eighty classes, take a tenth off every start of a game.
    """
    return attrs.frozen(eq=False, repr=False, getstate_setstate=False)(cls)


@functools.cache
def _said(cls: type[attrs.AttrsInstance]) -> tuple[str, ...]:
    """The fields that say something: all but those marked as not compared, which are places."""
    return tuple(field.name for field in attrs.fields(cls) if field.eq)


@functools.cache
def _slots(cls: type[attrs.AttrsInstance]) -> tuple[Callable[[object, object], None], ...]:
    """What writes each field of a new object, past the guard of frozen classes: used by `pickle` alone."""
    return tuple(getattr(cls, field.name).__set__ for field in attrs.fields(cls))


class Spoken:
    """Equal to another of its class that says the same, wherever either stands.

    >>> TypeRef("oak", span=Span("a.nrs", 1, 1, 1, 4)) == TypeRef("oak", span=Span("b.nrs", 9, 5, 9, 8))
    True
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in _said(type(self)))  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in _said(type(self)))))  # type: ignore[arg-type]

    def __getstate__(self) -> tuple[object, ...]:
        return tuple([getattr(self, field.name) for field in attrs.fields(type(self))])  # type: ignore[arg-type]

    def __setstate__(self, state: tuple[object, ...]) -> None:
        for put, value in zip(_slots(type(self)), state, strict=True):  # type: ignore[arg-type]
            put(self, value)

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in _said(type(self)))  # type: ignore[arg-type]
        return f"{type(self).__name__}({said})"


@tree_class
class Node(Spoken):
    """Anything in a tree."""

    span: Span = attrs.field(eq=False, repr=False, kw_only=True)


@tree_class
class Once(Node):
    """`once per PERIOD [as KEY]`."""

    period: str
    key: str | None = None


@tree_class
class Notes(Spoken):
    """What a line says about itself: copies, certainty and source, rule ids, limits, a reason, secrecy."""

    copies: int | None = None
    certainty: str | None = None
    source: str | None = None
    cites: tuple[str, ...] = ()
    once: tuple[Once, ...] = ()
    because: str | None = None
    secret: bool = False


NO_NOTES = Notes()


@tree_class
class TypeRef(Node):
    """A type as written: a name and a mark (`?` or none, `*` a set, `[]` a list in an order, or nothing)."""

    name: str
    mark: str = ""


@tree_class
class Binder(Node):
    """One parameter of a head: `by hero` (bare: the kind is its name) or `who: hero`."""

    name: str
    type: TypeRef
    bare: bool = False


@tree_class
class Head(Node):
    """What stands after the verb of a procedure or action: an amount with its object word, or an operand, then binders by preposition."""

    amount: str | None = None
    object: str | None = None
    operand: Binder | None = None
    binders: tuple[tuple[str, Binder], ...] = ()
