"""A look at an action before a trial: its announcement as one question, asked with the eyes of the seat that would act."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nemesis.kernel.signal import Unknown
from nemesis.kernel.trial import Trial
from nemesis.lower.expression import ExpressionWriter
from nemesis.lower.scope import Scope
from nemesis.world.thing import Deed, Ref
from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State


class Look:
    """`holds` says whether the announcement can be made; `exact` that nothing after it can turn out impossible, the payment apart."""

    def __init__(self, program: Program, index: int) -> None:
        action = program.actions[index]
        scope = Scope(python={binder.name: "you" for word, binder in action.node.head.binders if word == "by"})
        self.writer = ExpressionWriter(program, scope, checked=True, event="None")
        self.lines = [f"def look(S, you, this):"]
        self.whole = True
        self.loops = 0
        lines = action.node.block.lines
        lead = 0
        while lead < len(lines) and isinstance(lines[lead], t.Choose | t.Let | t.Require):
            lead += 1
        for node in lines[:lead]:
            if not self._line(node):
                break
        self.lines.append(f"{self._pad()}return True")
        if self.loops:
            self.lines.append("    return False")
        self.function: Callable[..., Any] = program.function("\n".join(self.lines), "look", action.address)
        from nemesis.kernel.offer import action_code

        code = action_code(program, index)
        code.ready()
        rest = [label for label in code.fails if label >= 0]
        self.exact = self.whole and not self._later_fails(program, index, lead) and bool(rest)

    def _later_fails(self, program: Program, index: int, lead: int) -> bool:
        """Whether a strict line behind the announcement may fail."""
        from nemesis.kernel.offer import action_code

        code = action_code(program, index)
        start = code.after_lead
        return code.fails.get(start, True)

    def _pad(self) -> str:
        return "    " * (1 + self.loops)

    def _line(self, node: t.Node) -> bool:
        """Write one line of the announcement; no if the look ends here."""
        out = "return False" if not self.loops else "continue"
        if isinstance(node, t.Require):
            self.lines.append(f"{self._pad()}if not ({self.writer.value(node.condition)}): {out}")
        elif isinstance(node, t.Let):
            if isinstance(node.value, t.Usual):
                self.whole = False
                return False
            self.lines.append(f"{self._pad()}v_{node.name} = {self.writer.value(node.value)}")
            self.writer.scope.python[node.name] = f"v_{node.name}"
        elif isinstance(node, t.Choose):
            if node.how != "one" or node.otherwise is not None:
                # Nothing need be chosen; later lines of the announcement may ask about it.
                self.whole = self.whole and node.how in ("up_to", "any") and node.number is not None or node.how == "any"
                return False
            source = self.writer.filtered(node.source, node.where) if node.where is not None else self.writer.set(node.source)
            self.lines.append(f"{self._pad()}for v_{node.name} in {source}:")
            self.loops += 1
            self.writer.scope.python[node.name] = f"v_{node.name}"
        return True

    def holds(self, S: State, deed: Deed, who: Ref, seat: int) -> bool:
        S.trial = Trial(seat, 0)
        try:
            return bool(self.function(S, who, deed.card))
        except Unknown:
            return True
        finally:
            S.trial = None
