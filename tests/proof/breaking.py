"""Breaks one thing in a piece of content that cites a rule: the tests that cite the same rule must notice.

The operators: a guard is negated (`if`, `where`, `require`, a rule's or row's `if`, the yes or no that a question gives), one part of
an `and` or `or` is dropped, a number is one more or one less, a line, step, rule or row is left out. Left alone is what tests cannot
notice by its nature: ids, notes, texts, the `done` test, stand-ins marked `house`; what changes nothing: a second one where only one has
room, and the bound of a `repeat` that ends by itself. Content is broken in memory, as a tree; no file is touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

from rulescript import tree as t
from rulescript.pack.load import LoadedPacks
from rulescript.syntax.item import Item
from rulescript.table.declarations import Declarations
from rulescript.table.survey import children, walk

GUARDED = (t.If, t.Require, t.Hook, t.Forbid, t.Modify, t.Row, t.Option, t.While)
LEFT_OUT = (
    t.Line,
    t.Step,
    t.If,
    t.Each,
    t.Repeat,
    t.Hook,
    t.Forbid,
    t.Modify,
    t.Row,
    t.Require,
    t.Choose,
    t.May,
    t.Either,
    t.Match,
    t.Stop,
    t.Usual,
)
YES_OR_NO = (t.And, t.Or, t.Not, t.Compare, t.Is, t.Has, t.Any, t.No)
IDLE = frozenset({"done", "id", "note", "text", "plural", "title"})


@attrs.frozen
class Break:
    """One way to break a cited node: `node` (of the item `item`) becomes `instead`, or goes if that is None."""

    file: str
    item: int
    cited: t.Node
    cites: tuple[str, ...]
    operator: str
    node: t.Node
    instead: t.Node | None

    @property
    def where(self) -> str:
        return f"{self.node.span.where}: {self.operator}"


def cites_of(node: t.Node) -> tuple[str, ...]:
    notes = getattr(node, "notes", None)
    return notes.cites if notes is not None else ()


def cited_nodes(item: Item) -> Iterator[t.Node]:
    """All nodes of an item that cite rules."""
    return (node for node in walk(item.node) if cites_of(node))


def own_part(node: t.Node) -> Iterator[t.Node]:
    """A node and what is below it, without what cites rules of its own."""
    yield node
    for child in children(node):
        if not cites_of(child) and not idle(child):
            yield from own_part(child)


def idle(node: t.Node) -> bool:
    """A stand-in, or what says only what holds anyway."""
    if not isinstance(node, t.Line):
        return False
    return node.notes.certainty == "house" or node.word in IDLE


def own_line(node: t.Node) -> Iterator[t.Node]:
    """A node and its words, without the blocks below it."""
    yield node
    for child in children(node):
        if not isinstance(child, t.Block | t.Row | t.Option):
            yield from own_line(child)


def single_things(table: Declarations) -> frozenset[str]:
    """Kinds of which one place takes one only, and zones that take one thing."""
    kinds = {name for name, kind in table.kinds.items() if kind.one_in}
    return frozenset(kinds | {name for name, zone in table.zones.items() if isinstance(zone.limit, t.Number) and zone.limit.value == 1})


def kept_numbers(nodes: list[t.Node], single: frozenset[str]) -> tuple[set[int], set[int]]:
    """The numbers (by identity) that are no use to change at all, and to raise."""
    still: set[int] = set()
    full: set[int] = set()
    for node in nodes:
        if isinstance(node, t.Repeat) and (node.until is not None or any(isinstance(one, t.Stop) for one in walk(node.body))):
            still.add(id(node.times))
        elif isinstance(node, t.Line) and node.word == "place" and isinstance(node.operand, t.Quantity):
            goal = node.arg("in")
            if node.operand.unit in single or getattr(goal, "name", None) in single or getattr(goal, "member", None) in single:
                full.add(id(node.operand.amount))
    return still, full


def breaks(file: str, number: int, cited: t.Node, deep: bool = False, single: frozenset[str] = frozenset()) -> list[Break]:
    """The breaks of a cited line: of the line itself (as a whole, its guard, its numbers) if it has any, else of what stands in it.

    With `deep` always of all that stands in it; what cites rules of its own only if there is nothing else.
    """
    levels = [list(own_part(cited)), [node for node in walk(cited) if not idle(node)]]
    if not deep:
        levels.insert(0, list(own_line(cited)))
    for nodes in levels:
        found = list(_breaks(file, number, cited, nodes, kept_numbers(nodes, single)))
        if found:
            return found
    return []


def _breaks(file: str, number: int, cited: t.Node, nodes: list[t.Node], kept: tuple[set[int], set[int]]) -> Iterator[Break]:
    cites = cites_of(cited)
    still, full = kept
    for node in nodes:
        for field in ("condition", "where"):
            guard = getattr(node, field, None)
            if guard is not None and (isinstance(node, GUARDED) or field == "where"):
                yield Break(file, number, cited, cites, "guard negated", guard, t.Not(guard, span=guard.span))
        if isinstance(node, t.Give) and isinstance(node.value, YES_OR_NO):
            yield Break(file, number, cited, cites, "answer negated", node.value, t.Not(node.value, span=node.value.span))
        if isinstance(node, t.And | t.Or):
            for part in node.items:
                yield Break(file, number, cited, cites, "part dropped", part, None)
        if isinstance(node, t.Number) and id(node) not in still:
            if id(node) not in full:
                yield Break(file, number, cited, cites, "one more", node, attrs.evolve(node, value=node.value + 1))
            if node.value > 0:
                yield Break(file, number, cited, cites, "one less", node, attrs.evolve(node, value=node.value - 1))
        plain = isinstance(node, LEFT_OUT) and not (isinstance(node, t.Line) and node.result)
        if plain and (node is not cited or not isinstance(node, t.Line) or node.block is None):
            yield Break(file, number, cited, cites, "left out", node, None)


def broken(loaded: LoadedPacks, one: Break) -> LoadedPacks | None:
    """The packs with one thing broken; None if nothing of the item would be left of the shape that it must have."""
    packs = []
    for pack in loaded.packs:
        files = []
        for file in pack.files:
            if file.parsed.file == one.file:
                items = list(file.parsed.items)
                old = items[one.item]
                node = replaced(old.node, one.node, one.instead)
                if node is None:
                    del items[one.item]
                else:
                    items[one.item] = Item(old.span, f"{old.hash}*", old.text, node)
                file = attrs.evolve(file, parsed=attrs.evolve(file.parsed, items=tuple(items)))
            files.append(file)
        packs.append(attrs.evolve(pack, files=tuple(files)))
    return LoadedPacks(tuple(packs))


def replaced(here: Any, node: t.Node, instead: t.Node | None) -> Any:
    """A tree with one of its nodes (found by identity) replaced, or left out of the tuple in which it stands."""
    if here is node:
        return instead
    if isinstance(here, tuple) and not hasattr(here, "_fields"):
        new = [replaced(one, node, instead) for one in here]
        if any(a is not b for a, b in zip(new, here, strict=True)):
            return tuple(one for one, old in zip(new, here, strict=True) if one is not None or old is None)
        return here
    if isinstance(here, t.Node):
        for field in attrs.fields(type(here)):
            if field.name in ("span", "notes"):
                continue
            old = getattr(here, field.name)
            if isinstance(old, t.Node | tuple):
                new = replaced(old, node, instead)
                if new is not old:
                    return attrs.evolve(here, **{field.name: new})
    return here
