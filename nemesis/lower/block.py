"""Lines to numbered blocks: a block is straight Python up to the next place where the frame may have to wait.

A block function takes (S, f, L) and returns the number of the next block, or -1 after it has changed the stack (then `f.pc` says where the
frame goes on).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.lower.calls import CallWriter
from nemesis.lower.choices import ChoiceWriter
from nemesis.lower.watched import asked, held
from nemesis.lower.writer import Writer
from rulescript import tree as t

if TYPE_CHECKING:
    pass


class BlockWriter(CallWriter, ChoiceWriter, Writer):
    """Writes the body of one code unit."""

    def body(self, block: t.Block | None) -> None:
        """All lines of a block; what skips the rest of it jumps to its end."""
        if block is None:
            return
        self.ends.append(None)
        self.mark_empty(block)
        for line in block.lines:
            self.line(line)
        label = self.ends.pop()
        if label is not None:
            self.goto(label)
            self.place(label)

    def action_body(self, block: t.Block | None) -> None:
        """An ability: its announcement (leading choices, lets and requirements), then the cost, then the rest."""
        lines = block.lines if block is not None else ()
        lead = 0
        while lead < len(lines) and isinstance(lines[lead], t.Choose | t.Let | t.Require):
            lead += 1
        self.ends.append(None)
        for at, node in enumerate(lines[:lead]):
            self.lead = at
            self.line(node)
        self.lead = -1
        if block is not None:
            self.mark_empty(block)
        begin = self.label()
        self.goto(begin)
        self.place(begin)
        self.after_lead = begin
        rest = lines[lead:]
        first = rest[0] if rest else None
        if isinstance(first, t.Line) and first.word == "use":
            self.emit("hand_on_payment(f)")
        else:
            after = self.label()
            self.emit(f"f.pc = {after}")
            self.emit("if pay(S, f): return -1")
            self.goto(after)
            self.place(after)
            self.emit("check_paid(S, f)")
        for node in rest:
            self.line(node)
            if node is first:
                begin = self.label()
                self.goto(begin)
                self.place(begin)
                self.after_use = begin
        label = self.ends.pop()
        if label is not None:
            self.goto(label)
            self.place(label)

    def test_line(self, node: t.Line) -> None:
        self.emit(f"unknown_line(S, {node.word!r}, {self.line_id(node)})")

    def line(self, node: t.Node) -> None:
        self.mark(node)
        if isinstance(node, t.Line):
            self.call(node)
        elif isinstance(node, t.If):
            self.if_(node)
        elif isinstance(node, t.Each):
            self.each(node)
        elif isinstance(node, t.Repeat):
            self.repeat(node)
        elif isinstance(node, t.Match):
            self.match(node)
        elif isinstance(node, t.Choose):
            self.choose(node)
        elif isinstance(node, t.Either):
            self.either(node)
        elif isinstance(node, t.May):
            self.may(node)
        elif isinstance(node, t.Try):
            self.try_(node)
        elif isinstance(node, t.Let):
            self.let(node)
        elif isinstance(node, t.Require):
            self.require(node)
        elif isinstance(node, t.Give):
            self.give(node)
        elif isinstance(node, t.Stop):
            self.stop(node)
        elif isinstance(node, t.Cancel):
            self.emit(f"return cancel(S, f, {node.target!r})")
            self.closed = True
        elif isinstance(node, t.Usual):
            self.usual(node, None)
        elif isinstance(node, t.Step):
            self.step(node)
        elif isinstance(node, t.Until):
            index = self.program.until_index(node, self.scope, self.unit)
            self.emit(f"add_lasting(S, f, {index})")
        elif isinstance(node, t.Expect):
            self.expect(node)

    # ---- branches ----------------------------------------------------------------------------------------------------
    def if_(self, node: t.If) -> None:
        condition = held(self.program, node, self.e.value(node.condition))
        if not self.suspends(node):
            self.emit(f"if {condition}:")
            self.native(node.then)
            if node.otherwise is not None:
                self.emit("else:")
                self.native(node.otherwise)
            return
        end = self.label()
        other = self.label() if node.otherwise is not None else end
        self.emit(f"if not ({condition}): return {other}")
        self.body(node.then)
        self.goto(end)
        if node.otherwise is not None:
            self.place(other)
            self.body(node.otherwise)
            self.goto(end)
        self.place(end)

    def native(self, block: t.Block) -> None:
        self.indent += 1
        before = len(self.current)
        self.mark_empty(block)
        for line in block.lines:
            self.line(line)
        if len(self.current) == before:
            self.emit("pass")
        self.indent -= 1
        self.closed = False

    def match(self, node: t.Match) -> None:
        slot = self.scope.temporary()
        self.emit(f"L[{slot}] = {self.e.value(node.value)}")
        end = self.label()
        for row in node.rows:
            after = self.label()
            test = self.row_test(row, f"L[{slot}]")
            if test:
                self.emit(f"if not ({test}): return {after}")
            self.body(row.block)
            self.goto(end)
            self.place(after)
        self.goto(end)
        self.place(end)

    def row_test(self, row: t.Row, value: str) -> str:
        parts = []
        if not row.otherwise and row.keys:
            keys = " or ".join(self.e.key_test(key, value) for key in row.keys)
            parts.append(f"({keys})")
        if row.condition is not None:
            parts.append(held(self.program, row, self.e.value(row.condition)))
        return " and ".join(parts)

    # ---- loops -------------------------------------------------------------------------------------------------------
    def each(self, node: t.Each) -> None:
        if node.notes.secret:
            self.secret(node)
            return
        name = node.name or (self._bare(node.source)) or "it"
        items, at = self.scope.temporary(), self.scope.temporary()
        keep = self.scope.temporary()
        hidden = self.scope.slots.get(name)
        if node.name is None and hidden is not None and isinstance(node.source, t.Name | t.At | t.Select):
            self.scope.hide(name)
        decider = self.decider(node.keys)
        orders = node.keys[:-1] if decider is not None else node.keys
        self.e.loop_name = node.name
        text = self.e.filtered(node.source, node.where) if node.where is not None else self.e.set(node.source)
        if orders:
            text = f"ordered_by({text}, {self.e.sort_key(orders)})"
        self.e.loop_name = None
        kind = self._type_of(node.source)
        slot = self.scope.rebind(name, kind)
        self.emit(f"start_each(S, L, {items}, {at}, {keep}, {text})")
        if decider is not None and decider != "'policy'":
            after = self.label()
            self.emit(f"f.pc = {after}")
            self.emit(f"if ask_order(S, f, {items}, {decider}, {self.line_id(node)}): return -1")
            self.goto(after)
            self.place(after)
        if not self.suspends(node.body):
            self.emit(f"while (x := next_each(S, L, {items}, {at}, {keep})) is not END:")
            self.indent += 1
            self.emit(f"L[{slot}] = x")
            self.indent -= 1
            self.native(node.body)
            self.scope.unbind(name, hidden)
            return
        head, end = self.label(), self.label()
        self.goto(head)
        self.place(head)
        self.emit(f"x = next_each(S, L, {items}, {at}, {keep})")
        self.emit(f"if x is END: return {end}")
        self.emit(f"L[{slot}] = x")
        self.body(node.body)
        self.goto(head)
        self.place(end)
        self.scope.unbind(name, hidden)

    def _bare(self, node: t.Expression) -> str | None:
        """The kind that names the element of `each character at r`."""
        if isinstance(node, t.At):
            return self._bare(node.source)
        if isinstance(node, t.Select):
            return self._bare(node.source)
        if isinstance(node, t.Name) and not self.e.bound(node.name):
            kind = self.e.is_kind_name(node)
            return kind
        if isinstance(node, t.AllOf):
            return self.e.is_kind_name(node)
        return None

    def _type_of(self, node: t.Expression) -> t.TypeRef | None:
        kind = self._bare(node)
        return t.TypeRef(kind, span=node.span) if kind else None

    def repeat(self, node: t.Repeat) -> None:
        left = self.scope.temporary()
        head, end = self.label(), self.label()
        self.emit(f"L[{left}] = num({self.e.value(node.times)})")
        self.goto(head)
        self.place(head)
        stop = f" or ({self.e.value(node.until)})" if node.until is not None else ""
        self.emit(f"if L[{left}] <= 0{stop}: return {end}")
        self.emit(f"L[{left}] -= 1")
        self.emit("S.fuel -= 1")
        self.body(node.body)
        self.goto(head)
        self.place(end)

    # ---- small lines -------------------------------------------------------------------------------------------------
    def let(self, node: t.Let) -> None:
        slot = self.scope.add(node.name)
        if isinstance(node.value, t.Usual):
            self.usual(node.value, slot)
            return
        self.emit(f"L[{slot}] = {self.e.value(node.value)}")

    def require(self, node: t.Require) -> None:
        because = node.notes.because or ""
        condition = asked(self.program, node, self.e.value(node.condition))
        self.emit(f"if not ({condition}):")
        self.indent += 1
        if self.strict:
            self.emit(f"fail(S, f, {self.line_id(node)}, {because!r})")
        self.emit(f"return {self.block_end()}")
        self.indent -= 1

    def give(self, node: t.Give) -> None:
        if isinstance(node.value, t.Usual):
            slot = self.scope.temporary()
            self.usual(node.value, slot)
            self.emit(f"f.result = L[{slot}]")
        else:
            self.emit(f"f.result = {self.e.value(node.value)}")
        self.emit("return stop_unit(S, f)")
        self.closed = True

    def stop(self, node: t.Stop) -> None:
        if node.target is None or (self.unit.verb is not None and node.target in (self.unit.verb, self.unit.step_verb)):
            self.emit("return stop_unit(S, f)")
        else:
            self.emit(f"return stop_event(S, f, {node.target!r})")
        self.closed = True

    def usual(self, node: t.Usual, slot: int | None) -> None:
        after = self.label()
        changed = [f"{word!r}: {self.e.value(value)}" for word, value in node.args]
        if isinstance(node.operand, t.Quantity):
            changed.append(f"'n': {self.e.value(node.operand.amount)}")
        elif node.operand is not None:
            changed.append(f"'0': {self.e.value(node.operand)}")
        self.emit(f"f.pc = {after}")
        self.emit(f"return usual(S, f, {{{', '.join(changed)}}})")
        self.place(after)
        if slot is not None:
            self.emit(f"L[{slot}] = S.result")

    def step(self, node: t.Step) -> None:
        verb = self.unit.step_verb
        hooked = verb is not None and self.program.step_hooked(verb, node.name)
        outer_cites, self.cites = self.cites, (*self.cites, *node.notes.cites)
        outer_path, self.path = self.path, f"{self.path}.{node.name}"
        if not hooked:
            if verb is not None and self.program.interesting(verb, node.name):
                self.emit(f"record(S, {verb!r}, {node.name!r}, {self.head_args()})")
            self.body(node.block)
        else:
            after, start = self.label(), self.label()
            self.emit(f"f.pc = {after}")
            self.emit(f"return step_event(S, f, {verb!r}, {node.name!r}, {start}, {self.head_args()}, {self.line_id(node)})")
            self.place(start)
            self.body(node.block)
            if not self.closed:
                self.emit("return leave(S, f)")
                self.closed = True
            self.place(after)
        self.cites, self.path = outer_cites, outer_path

    def expect(self, node: t.Expect) -> None:
        self.emit(f"expect(S, f, {self.line_id(node)}, {self.e.value(node.condition)})")
