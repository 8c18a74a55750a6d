"""Expressions: pure questions to the state."""

from __future__ import annotations

import typing

from rulescript.tree.node import Node, tree_class

if typing.TYPE_CHECKING:
    from rulescript.tree.rule import Pattern


@tree_class
class Name(Node):
    """A bare word: a local, a special name, a kind (its set), a word, a place, a zone, a track … (the table decides)."""

    name: str


@tree_class
class AllOf(Node):
    """`all kind`: the set, also where the kind's name is bound."""

    kind: str


@tree_class
class Everyone(Node):
    """A bare `all` (as in `reveal x to all`)."""


@tree_class
class Number(Node):
    value: int


@tree_class
class Text(Node):
    value: str


@tree_class
class Flag(Node):
    value: bool


@tree_class
class Range(Node):
    low: int
    high: Expression


@tree_class
class Your(Node):
    """`your member` or `your member(args)`; `args` is None without brackets."""

    member: str
    args: tuple[Expression, ...] | None = None


@tree_class
class Get(Node):
    base: Expression
    member: str


@tree_class
class Ask(Node):
    base: Expression
    member: str
    args: tuple[Expression, ...]


@tree_class
class Function(Node):
    name: str
    args: tuple[Expression, ...]


@tree_class
class Did(Node):
    pattern: Pattern


@tree_class
class ListOf(Node):
    items: tuple[Expression, ...]


@tree_class
class SortKey(Node):
    """One key after `by`; `direction` is '', 'down' or 'first'."""

    value: Expression
    direction: str = ""


@tree_class
class Select(Node):
    """`(S where c by k1, k2)`: narrowed and put in an order; with neither it is only brackets."""

    source: Expression
    where: Expression | None = None
    keys: tuple[SortKey, ...] = ()


@tree_class
class Not(Node):
    value: Expression


@tree_class
class And(Node):
    items: tuple[Expression, ...]


@tree_class
class Or(Node):
    items: tuple[Expression, ...]


@tree_class
class Compare(Node):
    """`op` is one of = != < <= > >= ; `at least`, `at most`, `more than`, `less than` are read as signs with `worded` set."""

    op: str
    left: Expression
    right: Expression
    worded: bool = False


@tree_class
class Is(Node):
    left: Expression
    right: Expression
    negated: bool = False


@tree_class
class Has(Node):
    left: Expression
    right: Expression


@tree_class
class Arithmetic(Node):
    """`op` is one of + - * | except."""

    op: str
    left: Expression
    right: Expression


@tree_class
class Negative(Node):
    value: Expression


@tree_class
class Any(Node):
    value: Expression


@tree_class
class No(Node):
    value: Expression


@tree_class
class Count(Node):
    value: Expression


@tree_class
class At(Node):
    """`S at P`: those of S inside P, at any depth."""

    source: Expression
    place: Expression


@tree_class
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
