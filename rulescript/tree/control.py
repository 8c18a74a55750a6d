"""Lines that do something: the one line shape, choices, loops, branches."""

from __future__ import annotations

from rulescript.tree.expression import Expression, SortKey
from rulescript.tree.node import Node, Notes, tree_class


@tree_class
class Block(Node):
    lines: tuple[Node, ...]


@tree_class
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


@tree_class
class If(Node):
    condition: Expression
    then: Block
    otherwise: Block | None


@tree_class
class Each(Node):
    source: Expression
    name: str | None
    where: Expression | None
    keys: tuple[SortKey, ...]
    notes: Notes
    body: Block


@tree_class
class Repeat(Node):
    times: Expression
    until: Expression | None
    body: Block


@tree_class
class Row(Node):
    """`row k1, k2 if c { }`; `otherwise` marks `row else`."""

    keys: tuple[Expression, ...]
    otherwise: bool
    condition: Expression | None
    notes: Notes
    block: Block


@tree_class
class Match(Node):
    value: Expression
    rows: tuple[Row, ...]


@tree_class
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


@tree_class
class Option(Node):
    label: str
    condition: Expression | None
    notes: Notes
    body: Block


@tree_class
class Either(Node):
    keys: tuple[SortKey, ...]
    options: tuple[Option, ...]
    otherwise: Block | None


@tree_class
class May(Node):
    label: str | None
    keys: tuple[SortKey, ...]
    notes: Notes
    body: Block
    otherwise: Block | None


@tree_class
class Try(Node):
    body: Block
    otherwise: Block | None


@tree_class
class Usual(Node):
    """Do what was replaced, perhaps with other arguments."""

    operand: Expression | None
    args: tuple[tuple[str, Expression], ...]


@tree_class
class Let(Node):
    name: str
    value: Expression | Usual


@tree_class
class Require(Node):
    condition: Expression
    notes: Notes


@tree_class
class Expect(Node):
    condition: Expression


@tree_class
class Give(Node):
    value: Expression | Usual


@tree_class
class Stop(Node):
    target: str | None


@tree_class
class Cancel(Node):
    target: str | None
