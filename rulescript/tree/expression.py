"""Expressions: pure questions to the state."""

from __future__ import annotations

import typing

import attrs

from rulescript.tree.node import Node

if typing.TYPE_CHECKING:
    from rulescript.tree.rule import Pattern


@attrs.frozen
class Name(Node):
    """A bare word: a local, a special name, a kind (its set), a word, a place, a zone, a track … (the table decides)."""

    name: str


@attrs.frozen
class AllOf(Node):
    """`all kind`: the set, also where the kind's name is bound."""

    kind: str


@attrs.frozen
class Everyone(Node):
    """A bare `all` (as in `reveal x to all`)."""


@attrs.frozen
class Number(Node):
    value: int


@attrs.frozen
class Text(Node):
    value: str


@attrs.frozen
class Flag(Node):
    value: bool


@attrs.frozen
class Range(Node):
    low: int
    high: Expression


@attrs.frozen
class Your(Node):
    """`your member` or `your member(args)`; `args` is None without brackets."""

    member: str
    args: tuple[Expression, ...] | None = None


@attrs.frozen
class Get(Node):
    base: Expression
    member: str


@attrs.frozen
class Ask(Node):
    base: Expression
    member: str
    args: tuple[Expression, ...]


@attrs.frozen
class Function(Node):
    name: str
    args: tuple[Expression, ...]


@attrs.frozen
class Did(Node):
    pattern: Pattern


@attrs.frozen
class ListOf(Node):
    items: tuple[Expression, ...]


@attrs.frozen
class SortKey(Node):
    """One key after `by`; `direction` is '', 'down' or 'first'."""

    value: Expression
    direction: str = ""


@attrs.frozen
class Select(Node):
    """`(S where c by k1, k2)`: narrowed and put in an order; with neither it is only brackets."""

    source: Expression
    where: Expression | None = None
    keys: tuple[SortKey, ...] = ()


@attrs.frozen
class Not(Node):
    value: Expression


@attrs.frozen
class And(Node):
    items: tuple[Expression, ...]


@attrs.frozen
class Or(Node):
    items: tuple[Expression, ...]


@attrs.frozen
class Compare(Node):
    """`op` is one of = != < <= > >= ; `at least`, `at most`, `more than`, `less than` are read as signs with `worded` set."""

    op: str
    left: Expression
    right: Expression
    worded: bool = False


@attrs.frozen
class Is(Node):
    left: Expression
    right: Expression
    negated: bool = False


@attrs.frozen
class Has(Node):
    left: Expression
    right: Expression


@attrs.frozen
class Arithmetic(Node):
    """`op` is one of + - * | except."""

    op: str
    left: Expression
    right: Expression


@attrs.frozen
class Negative(Node):
    value: Expression


@attrs.frozen
class Any(Node):
    value: Expression


@attrs.frozen
class No(Node):
    value: Expression


@attrs.frozen
class Count(Node):
    value: Expression


@attrs.frozen
class At(Node):
    """`S at P`: those of S inside P, at any depth."""

    source: Expression
    place: Expression


@attrs.frozen
class Quantity(Node):
    """`2 coins`, `n card`, `1 of token.front`: an amount and the unit, kind or expression that names the kind (`computed`)."""

    amount: Expression
    unit: str | None = None
    computed: Expression | None = None


Expression = (
    Name
    | AllOf
    | Everyone
    | Number
    | Text
    | Flag
    | Range
    | Your
    | Get
    | Ask
    | Function
    | Did
    | ListOf
    | Select
    | Not
    | And
    | Or
    | Compare
    | Is
    | Has
    | Arithmetic
    | Negative
    | Any
    | No
    | Count
    | At
    | Quantity
)
