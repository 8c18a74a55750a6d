"""What all trees together mention: facts the kernel must know before it lowers the first line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulescript import tree as t

_parts_of: dict[type, tuple[str, ...]] = {}


def _parts(kind: type) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold nodes."""
    found = _parts_of.get(kind)
    if found is None:
        names = tuple(field.name for field in attrs.fields(kind) if field.name not in ("span", "notes")) if attrs.has(kind) else ()
        found = _parts_of[kind] = names
    return found


def children(node: object) -> Iterator[t.Node]:
    """The nodes directly below a node, tuples looked through."""
    for value in node if isinstance(node, tuple) else [getattr(node, name) for name in _parts(type(node))]:
        if isinstance(value, t.Node):
            yield value
        elif isinstance(value, tuple):
            yield from children(value)


def walk(node: t.Node) -> Iterator[t.Node]:
    """The node and everything below it."""
    stack: list[object] = [node]
    while stack:
        one = stack.pop()
        if isinstance(one, t.Node):
            yield one
            stack += [getattr(one, name) for name in _parts(type(one))]
        elif isinstance(one, tuple):
            stack += one


@attrs.define
class Survey:
    """`dids`: (verb, step) asked about; `writes`: field names that some line changes; `untils`: the `until` blocks; `words`: all verbs."""

    dids: set[tuple[str, str | None]] = attrs.field(factory=set)
    writes: set[str] = attrs.field(factory=set)
    untils: list[t.Until] = attrs.field(factory=list)

    def add(self, node: t.Node) -> None:
        for one in walk(node):
            if isinstance(one, t.Did):
                self.dids.add((one.pattern.verb, one.pattern.step))
            elif isinstance(one, t.Until):
                self.untils.append(one)
            elif isinstance(one, t.Line) and one.word in ("set", "raise", "lower", "flip", "orient"):
                member = getattr(one.operand, "member", None) or getattr(one.operand, "name", None)
                if isinstance(member, str):
                    self.writes.add(member)


def survey(nodes: Iterable[t.Node]) -> Survey:
    found = Survey()
    for node in nodes:
        found.add(node)
    return found
