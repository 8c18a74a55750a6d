"""Definitions (cards, tiles, figures …), their rows and the rules written in them."""

from __future__ import annotations

import attrs

from rulescript import tree as t


@attrs.frozen
class Source:
    """Where an item comes from: pack, file, rank of the pack and running number of the item."""

    pack: str
    file: str
    rank: int
    order: int
    hash: str = ""


@attrs.define
class Definition:
    """A titled definition; `kinds` are its own kind first, then its traits."""

    id: str
    title: str
    kinds: tuple[str, ...]
    copies: int
    notes: t.Notes
    values: dict[str, t.Expression]
    rows: list[t.Row]
    source: Source
    node: t.Line

    @property
    def kind(self) -> str:
        return self.kinds[0]


@attrs.define
class Rule:
    """A hook, ban or modifier with the place where it stands (file, kind or definition) and its `while` guards."""

    index: int
    node: t.Hook | t.Forbid | t.Modify
    source: Source
    definition: str | None
    kind: str | None
    guards: tuple[t.Expression, ...]

    @property
    def address(self) -> str:
        where = self.definition or self.kind or "rule"
        return f"{self.source.pack}:{where}/{self.node.label or self.index}"


def read_members(node: t.Line, title: str, name: str, source: Source) -> Definition:
    """The members of a definition: field values, rows; an `id x` line renames it."""
    values: dict[str, t.Expression] = {}
    rows: list[t.Row] = []
    for line in node.block.lines if node.block else ():
        if isinstance(line, t.Row):
            rows.append(line)
        elif isinstance(line, t.Line) and line.operand is not None and not line.args:
            if line.word == "id" and isinstance(line.operand, t.Name):
                name = line.operand.name
            else:
                values[line.word] = line.operand
        elif isinstance(line, t.Line) and line.operand is None and not line.args:
            values[line.word] = t.Flag(True, span=line.span)
    return Definition(name, title, (node.word, *node.kinds), node.notes.copies or 1, node.notes, values, rows, source, node)
