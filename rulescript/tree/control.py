"""Lines that do something: the one line shape, choices, loops, branches."""

from __future__ import annotations

import attrs

from rulescript.tree.expression import Expression, SortKey
from rulescript.tree.node import Node, Notes


@attrs.frozen
class Block(Node):
    lines: tuple[Node, ...]


@attrs.frozen
class Line(Node):
    """`word operand (preposition operand)* as name is kinds notes { block } else { block }`: definition, member, verb or call."""

    word: str
    operand: Expression | None
    args: tuple[tuple[str, Expression], ...]
    result: str | None
    kinds: tuple[str, ...]
    notes: Notes
    block: Block | None
    otherwise: Block | None

    def arg(self, preposition: str) -> Expression | None:
        for word, value in self.args:
            if word == preposition:
                return value
        return None


@attrs.frozen
class If(Node):
    condition: Expression
    then: Block
    otherwise: Block | None


@attrs.frozen
class Each(Node):
    source: Expression
    name: str | None
    where: Expression | None
    keys: tuple[SortKey, ...]
    notes: Notes
    body: Block


@attrs.frozen
class Repeat(Node):
    times: Expression
    until: Expression | None
    body: Block


@attrs.frozen
class Row(Node):
    """`row k1, k2 if c { }`; `otherwise` marks `row else`."""

    keys: tuple[Expression, ...]
    otherwise: bool
    condition: Expression | None
    notes: Notes
    block: Block


@attrs.frozen
class Match(Node):
    value: Expression
    rows: tuple[Row, ...]


@attrs.frozen
class Choose(Node):
    """`how` is one, exactly, up_to or any; `number` goes with exactly and up_to."""

    how: str
    number: Expression | None
    name: str
    source: Expression
    where: Expression | None
    keys: tuple[SortKey, ...]
    notes: Notes
    otherwise: Block | None


@attrs.frozen
class Option(Node):
    label: str
    condition: Expression | None
    notes: Notes
    body: Block


@attrs.frozen
class Either(Node):
    keys: tuple[SortKey, ...]
    options: tuple[Option, ...]
    otherwise: Block | None


@attrs.frozen
class May(Node):
    label: str | None
    keys: tuple[SortKey, ...]
    notes: Notes
    body: Block
    otherwise: Block | None


@attrs.frozen
class Try(Node):
    body: Block
    otherwise: Block | None


@attrs.frozen
class Usual(Node):
    """Do what was replaced, perhaps with other arguments."""

    operand: Expression | None
    args: tuple[tuple[str, Expression], ...]


@attrs.frozen
class Let(Node):
    name: str
    value: Expression | Usual


@attrs.frozen
class Require(Node):
    condition: Expression
    notes: Notes


@attrs.frozen
class Expect(Node):
    condition: Expression


@attrs.frozen
class Give(Node):
    value: Expression | Usual


@attrs.frozen
class Stop(Node):
    target: str | None


@attrs.frozen
class Cancel(Node):
    target: str | None
