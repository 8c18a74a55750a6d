"""Rules: hooks, bans, modifiers, and the blocks that say how long they live."""

from __future__ import annotations

from rulescript.tree.control import Block
from rulescript.tree.expression import Expression
from rulescript.tree.node import Node, Notes, TypeRef, tree_class


@tree_class
class NamedArg(Node):
    """`x: kind` (or `xs: kind*`) in a pattern."""

    name: str
    type: TypeRef


@tree_class
class MarkedArg(Node):
    """`coin*` or `hut?` in a pattern: binds itself, with the mark."""

    type: TypeRef


PatternArg = NamedArg | MarkedArg | Expression


@tree_class
class Pattern(Node):
    """`verb[.step] operand? (preposition arg)*`."""

    verb: str
    step: str | None
    operand: PatternArg | None
    args: tuple[tuple[str, PatternArg], ...]


@tree_class
class Hook(Node):
    """`[label:] [may] before|after|instead PATTERN [if c] notes { }`."""

    label: str | None
    may: bool
    timing: str
    pattern: Pattern
    condition: Expression | None
    notes: Notes
    block: Block


@tree_class
class Forbid(Node):
    label: str | None
    pattern: Pattern
    condition: Expression | None
    strict: bool
    notes: Notes


@tree_class
class Modify(Node):
    """`receiver` is a kind, `this` or `your`; `op` is one of = + - | except at_least at_most."""

    label: str | None
    receiver: str
    member: str
    params: tuple[tuple[str, TypeRef], ...]
    op: str
    value: Expression
    condition: Expression | None
    notes: Notes


@tree_class
class While(Node):
    condition: Expression
    block: Block


@tree_class
class Until(Node):
    pattern: Pattern
    condition: Expression | None
    notes: Notes
    block: Block
