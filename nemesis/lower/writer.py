"""The common ground of the writers: blocks, labels, line numbers, which lines may have to wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.lower.watched import ran
from rulescript import tree as t
from rulescript.table.survey import children

if TYPE_CHECKING:
    from nemesis.kernel.code import Code
    from nemesis.kernel.program import Program


class Writer:
    """State of writing one unit: finished blocks, the open one, where skipped lines go on."""

    def __init__(self, program: Program, unit: Code, *, checked: bool) -> None:
        self.program = program
        self.table = program.table
        self.unit = unit
        self.scope = unit.scope
        self.strict = unit.strict
        self.checked = checked
        self.e = program.writer_class(program, unit.scope, checked=checked)
        self.blocks: dict[int, list[str]] = {0: []}
        self.current = self.blocks[0]
        self.next_label = 1
        self.indent = 1
        self.closed = False
        self.ends: list[int | None] = []
        self.cites: tuple[str, ...] = unit.cites
        self.path = unit.address
        self.pays = False
        self.after_lead = 0
        self.after_use = 0
        self.lead = -1

    # ---- abstract parts supplied by the mixed classes ----------------------------------------------------------------
    def body(self, block: t.Block | None) -> None:
        raise NotImplementedError

    def native(self, block: t.Block) -> None:
        raise NotImplementedError

    # ---- text --------------------------------------------------------------------------------------------------------
    def emit(self, text: str) -> None:
        if self.closed and self.indent == 1:
            return
        self.current.append("    " * self.indent + text)

    def label(self) -> int:
        self.next_label += 1
        return self.next_label - 1

    def goto(self, label: int) -> None:
        self.emit(f"return {label}")
        if self.indent == 1:
            self.closed = True

    def place(self, label: int) -> None:
        """Begin the block of a label."""
        self.current = self.blocks.setdefault(label, [])
        self.closed = False
        self.indent = 1

    def mark(self, node: t.Node, way: str = "ran") -> None:
        """Where coverage is noted, note that the run came here."""
        for text in ran(self.program, node, way):
            self.emit(text)

    def mark_empty(self, block: t.Block) -> None:
        """The same for a block that does nothing."""
        if all(self.program.is_header(line) for line in block.lines):
            self.mark(block)

    def block_end(self) -> int:
        label = self.ends[-1] if self.ends else None
        if label is None:
            label = self.label()
            if self.ends:
                self.ends[-1] = label
        return label

    def line_id(self, node: t.Node) -> int:
        notes = getattr(node, "notes", None)
        cites = (*self.cites, *notes.cites) if isinstance(notes, t.Notes) else self.cites
        return self.program.add_line(f"{self.path}:{node.span.line}", cites, node.span)

    def head_args(self) -> str:
        """The arguments of the unit's head as a dict, for events of its steps."""
        parts = [f"{word!r}: L[{slot}]" for word, slot in self.unit.arg_slots]
        return "{" + ", ".join(parts) + "}"

    def decider(self, keys: tuple[t.SortKey, ...]) -> str | None:
        """Python text of the seat or thing that decides, `'policy'`, `'chance'`, or None if the last key is an order."""
        if not keys:
            return None
        last = keys[-1].value
        if keys[-1].direction:
            return None
        if isinstance(last, t.Name) and last.name in ("policy", "chance") and not self.e.bound(last.name):
            return f"'{last.name}'"
        free = last.name if isinstance(last, t.Name) and not self.e.bound(last.name) else None
        if free in ("printed_order", "lowest_number", "seating", "it") or (free in self.table.orders and free not in ("you", "actor")):
            return None
        if mentions_it(last) or isinstance(last, t.Compare | t.Is | t.Not | t.And | t.Or | t.Has | t.Any | t.No | t.Count | t.Arithmetic):
            return None
        return self.e.value(last)

    # ---- which lines may wait ----------------------------------------------------------------------------------------
    def suspends(self, node: t.Node | None) -> bool:
        """Whether running the node may leave the block function before its end."""
        if node is None:
            return False
        if isinstance(node, t.Block):
            return any(self.suspends(line) for line in node.lines)
        if isinstance(node, t.If):
            return self.suspends(node.then) or self.suspends(node.otherwise)
        if isinstance(node, t.Line):
            return self.line_suspends(node) or self.suspends(node.otherwise)
        if isinstance(node, t.Stop | t.Cancel | t.Expect | t.Until):
            return False
        return not isinstance(node, t.Let | t.Give) or isinstance(node.value, t.Usual)

    def line_suspends(self, node: t.Line) -> bool:
        raise NotImplementedError


def mentions_it(node: t.Node | tuple[object, ...]) -> bool:
    """Whether an expression reads `it`."""
    if isinstance(node, t.Name):
        return node.name == "it"
    return any(mentions_it(child) for child in children(node))
