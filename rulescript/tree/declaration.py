"""Declarations: kinds, fields, questions, procedures, steps, orders, actions, changes, tests."""

from __future__ import annotations

from rulescript.tree.control import Block
from rulescript.tree.expression import Expression, SortKey
from rulescript.tree.node import Head, Node, Notes, TypeRef, tree_class


@tree_class
class Kind(Node):
    name: str
    parents: tuple[str, ...]
    notes: Notes
    block: Block | None


@tree_class
class Field(Node):
    """`has name: type = default shows nobody`."""

    name: str
    type: TypeRef
    default: Expression | None
    shows: str | None


@tree_class
class Query(Node):
    receiver: str
    name: str
    params: tuple[tuple[str, TypeRef], ...]
    type: TypeRef
    notes: Notes
    block: Block


@tree_class
class Procedure(Node):
    verb: str
    head: Head
    notes: Notes
    block: Block | None


@tree_class
class Step(Node):
    name: str
    notes: Notes
    block: Block


@tree_class
class Order(Node):
    name: str
    kind: str
    keys: tuple[SortKey, ...]
    notes: Notes


@tree_class
class Action(Node):
    name: str
    label: str | None
    head: Head
    cost: Expression | None
    notes: Notes
    block: Block


@tree_class
class Change(Node):
    kind: str
    title: str | None
    notes: Notes
    block: Block


@tree_class
class Test(Node):
    title: str
    notes: Notes
    block: Block
