"""A look at an action before a trial: its announcement as one question, asked with the eyes of the seat that would act.

The answer is NO (the announcement cannot be made), YES (it can, and no strict line behind it can fail, the payment apart) or MAYBE (only
a trial can tell). An announcement that goes on into the ability that it uses is looked at to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nemesis.kernel.ledger import ability_used_up
from nemesis.kernel.signal import Unknown
from nemesis.kernel.trial import Trial
from nemesis.lower.expression import ExpressionWriter
from nemesis.lower.scope import Scope
from nemesis.world.thing import Deed, Ref
from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State

NO, MAYBE, YES = 0, 1, 2


class Look:
    """The look at one action; made once, asked for every offer."""

    def __init__(self, program: Program, index: int) -> None:
        from nemesis.kernel.offer import action_code

        self.program = program
        self.action = program.actions[index]
        code = action_code(program, index)
        code.ready()
        scope = Scope(python={binder.name: "you" for word, binder in self.action.node.head.binders if word == "by"})
        self.writer = ExpressionWriter(program, scope, checked=True, event="None")
        self.lines = ["def look(S, you, this):", "    found = 0"]
        self.loops = 0
        lines = self.action.node.block.lines
        lead = 0
        while lead < len(lines) and isinstance(lines[lead], t.Choose | t.Let | t.Require):
            lead += 1
        whole = True
        for node in lines[:lead]:
            if not self._line(node):
                whole = node is lines[lead - 1] and isinstance(node, t.Choose) and node.how in ("up_to", "any")
                break
        first = lines[lead] if lead < len(lines) else None
        if whole and isinstance(first, t.Line) and first.word == "use" and first.operand is not None and first.arg("by") is None:
            behind = YES if not code.fails.get(code.after_use, True) else MAYBE
            self.lines.append(f"{self._pad()}found = max(found, min(look_use(S, {self.writer.value(first.operand)}, you), {behind}))")
            self.lines.append(f"{self._pad()}if found == {YES}: return {YES}")
        else:
            sure = whole and not code.fails.get(code.after_lead, True)
            self.lines.append(f"{self._pad()}return {YES if sure else MAYBE}")
        self.lines.append("    return found")
        program.namespace.setdefault("look_use", look_use)
        self.function: Callable[..., Any] = program.function("\n".join(self.lines), "look", self.action.address)

    def _pad(self) -> str:
        return "    " * (1 + self.loops)

    def _line(self, node: t.Node) -> bool:
        """Write one line of the announcement; no if the look ends here."""
        if isinstance(node, t.Require):
            self.lines.append(f"{self._pad()}if not ({self.writer.value(node.condition)}): {'continue' if self.loops else 'return 0'}")
            return True
        if isinstance(node, t.Let) and not isinstance(node.value, t.Usual):
            self.lines.append(f"{self._pad()}v_{node.name} = {self.writer.value(node.value)}")
            self.writer.scope.python[node.name] = f"v_{node.name}"
            return True
        if isinstance(node, t.Choose) and node.how == "one" and node.otherwise is None:
            source = self.writer.filtered(node.source, node.where) if node.where is not None else self.writer.set(node.source)
            self.lines.append(f"{self._pad()}for v_{node.name} in {source}:")
            self.loops += 1
            self.writer.scope.python[node.name] = f"v_{node.name}"
            return True
        return False

    def verdict(self, S: State, deed: Deed, who: Ref, seat: int) -> int:
        """NO, MAYBE or YES, as far as the seat can see."""
        if self.action.node.notes.once and ability_used_up(S, self.action, deed.card, who):
            return NO
        if self.program.modified_kinds:
            return MAYBE  # what a thing counts as may hang on the running effect, and here none runs
        S.trial = Trial(seat, 0)
        try:
            return int(self.function(S, who, deed.card))
        except Unknown:
            return MAYBE
        finally:
            S.trial = None


def look_use(S: State, deed: Any, you: Any) -> int:
    """The look at an ability that an action would use."""
    if type(deed) is not Deed or type(you) is not Ref:
        return NO
    program = S.program
    action = program.actions[deed.action]
    if action.node.notes.once and ability_used_up(S, action, deed.card, you):
        return NO
    if action.node.head.binders:
        return MAYBE
    return int(program.look(deed.action).function(S, you, deed.card))
