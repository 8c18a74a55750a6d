"""A look at an action before a trial: its announcement as one question, asked with the eyes of the seat that would act.

The answer is NO (it cannot be done), OPEN (a trial would end at chance or at what the seat does not see, so nothing is against it), YES
(it can be done, and no strict line behind its first step can fail, the payment apart) or MAYBE (only a trial can tell). Announcements that
go on into the ability that they use, and first steps that call a procedure, are looked at to their end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nemesis.kernel import offer
from nemesis.kernel import trial as trials
from nemesis.kernel.ledger import ability_used_up
from nemesis.kernel.look_reach import Reach
from nemesis.kernel.signal import Unknown
from nemesis.kernel.verdict import MAYBE, NO, OPEN, YES
from nemesis.lower.look import LookWriter
from nemesis.world.thing import Deed, Ref
from rulescript import tree as t
from rulescript.table.declarations import HeadInfo

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State

__all__ = ["MAYBE", "NO", "OPEN", "YES", "CallLook", "Look", "PaymentLook", "look_on"]


class BlockLook:
    """The look at a block of lines.

    `read` are the expressions that it asks, `late` those of them that come after the payment, `called` the procedures that it looks into.
    """

    program: Program
    address: str
    verb: str | None = None
    done = "none"
    strict = True

    def __init__(self) -> None:
        self.read: list[t.Node] = []
        self.late: list[t.Node] = []
        self.called: list[HeadInfo] = []

    def again(self) -> BlockLook:
        """A look at the same block that has read nothing yet."""
        fresh = BlockLook()
        fresh.program, fresh.address, fresh.verb, fresh.done, fresh.strict = self.program, self.address, self.verb, self.done, self.strict
        return fresh

    def function_of(
        self, lines: tuple[t.Node, ...], names: dict[str, str], params: list[str], types: dict[str, t.TypeRef] | None = None,
        blind: Reach | None = None,
    ) -> Callable[..., Any]:  # fmt: skip
        """The look at the lines of a block, given the names bound before it; a `blind` one ends where it would read what lies in reach."""
        writer = LookWriter(self, names, types or {}, blind)
        writer.lines(lines)
        text = "\n".join([f"def look({', '.join(['S', 'you', 'this', *params])}):", "    found = 0", *writer.text, "    return found"])
        return self.program.function(text, "look", self.address)


class PaymentLook(BlockLook):
    """The look at the rule set's payment: whether so much can be paid for an ability."""

    def __init__(self, program: Program, verb: str) -> None:
        super().__init__()
        self.program = program
        head = program.table.verbs[verb][0]
        self.address = f"{head.source.pack}:look/{verb}"
        names: dict[str, str] = {}
        for word, binder in head.head.binders:
            names[binder.name] = {"by": "you", "for": "p_for", "with": "p_with"}.get(word, "None")
        self.plain = len(program.table.verbs[verb]) == 1 and not program.needs_event(head) and head.done != "none"
        self.function = self.function_of(head.node.block.lines if head.node.block else (), names, ["p_for", "p_with"])

    def verdict(self, S: State, deed: Deed, who: Ref, cost: int, seat: int) -> int:
        if not self.plain or S.lasting or self.program.modified_kinds:
            return MAYBE
        S.trial = trials.Trial(seat, 0)
        try:
            return int(self.function(S, who, None, deed, cost))
        except Unknown:
            return MAYBE
        finally:
            S.trial = None


class CallLook(BlockLook):
    """The look at a call of a procedure: whether it would be done. Its parameters are the procedure's arguments in their order."""

    def __init__(self, program: Program, head: HeadInfo) -> None:
        super().__init__()
        self.program = program
        self.address = f"{head.source.pack}:look/{head.verb}"
        self.verb, self.done, self.strict = head.verb, head.done, head.strict or head.verb == program.ruleset.pay
        self.run = program.run_of(head)
        self.asking = False
        params = [f"p_{at}" for at in range(len(self.run.names))]
        names: dict[str, str] = {}
        types: dict[str, t.TypeRef] = {}
        shape = head.head
        if shape.amount is not None:
            names[shape.amount] = params[self.run.names.index("n")]
            names[shape.object or "object"] = params[self.run.names.index("object")]
        binders = [*shape.binders, *([("0", shape.operand)] if shape.operand is not None else [])]
        for word, binder in binders:
            at = self.run.names.index(word)
            names[binder.name] = "you" if at == self.run.you else params[at]
            types[binder.name] = binder.type
        self.function = self.function_of(head.node.block.lines if head.node.block else (), names, params, types)


class Look(BlockLook):
    """The look at one action; made once, asked for every offer."""

    def __init__(self, program: Program, index: int) -> None:
        super().__init__()
        self.program = program
        self.action = program.actions[index]
        self.address = self.action.address
        names = {binder.name: "you" for word, binder in self.action.node.head.binders if word == "by"}
        self.names = names
        self.touching: bool | None = None
        self.paying: bool | None = None
        self.unseeing: Callable[..., Any] | None = None
        self.rests: dict[int, Callable[..., Any]] = {}
        self.function = self.function_of(self.action.node.block.lines, names, [])

    def rest(self, lead: int) -> Callable[..., Any]:
        """The look at what follows line `lead` of the announcement; its parameters are the names bound up to there."""
        found = self.rests.get(lead)
        if found is None:
            lines = self.action.node.block.lines
            bound = [line.name for line in lines[: lead + 1] if isinstance(line, t.Choose | t.Let)]
            names = {binder.name: "you" for word, binder in self.action.node.head.binders if word == "by"}
            names |= {name: f"v_{name}" for name in bound}
            found = self.function_of(lines[lead + 1 :], names, [f"v_{name}" for name in bound])
            self.rests[lead] = found
        return found

    def own_kinds(self) -> tuple[str, ...]:
        action = self.action
        return self.program.table.definitions[action.definition].kinds if action.definition else (action.kind or "thing",)

    def touches_itself(self) -> bool:
        """Whether the look asks about zones in which the card itself may lie: rules before its use may move it."""
        if self.touching is None:
            self.touching = Reach(self.program, self.own_kinds()).of_look(self)
        return self.touching

    def touches_payment(self) -> bool:
        """Whether what comes after the payment asks about zones of what is paid with."""
        if self.paying is None:
            kinds = self.program.looks.paid_with()
            self.paying = bool(self.late or self.called) and (kinds is None or Reach(self.program, kinds).of_look(self, paid=True))
        return self.paying

    def blind(self) -> Callable[..., Any]:
        """The look that ends, with MAYBE, where it would ask about zones in which the card itself may lie."""
        if self.unseeing is None:
            reach = Reach(self.program, self.own_kinds())
            self.unseeing = self.again().function_of(self.action.node.block.lines, dict(self.names), [], blind=reach)
        return self.unseeing

    def verdict(self, S: State, deed: Deed, who: Ref, trial: trials.Trial) -> int:
        """NO, MAYBE, OPEN or YES, as far as the seat can see for whom the trial stands; one after the other may use the same."""
        if self.action.node.notes.once and ability_used_up(S, self.action, deed.card, who):
            return NO
        if self.program.modified_kinds:
            return MAYBE  # what a thing counts as may hang on the running effect, and here none runs
        S.trial = trial
        trial.deed = deed
        trial.looking.clear()
        try:
            if self.touches_payment() and offer.deed_cost(S, deed) > 0:
                return MAYBE
            trial.brief = 1
            found = int(self.function(S, who, deed.card))
            if found == MAYBE and trial.brief == 2:
                trial.brief = 0
                found = int(self.function(S, who, deed.card))
            return found
        except Unknown:
            return MAYBE
        finally:
            S.trial = None


def look_on(S: State, at: tuple[int, int, tuple[Any, ...]], f: Any, x: Any, seat: int) -> int:
    """The look at the rest of an announcement, with one candidate bound."""
    index, lead, values = at
    if S.program.modified_kinds:
        return MAYBE
    look = S.program.looks.of_action(index)
    function = look.rest(lead)
    trial = S.trial
    S.trial = trials.Trial(trial.view if trial is not None else seat, 0)
    S.trial.deed = f.pay
    try:
        if f.pay is not None and look.touches_payment() and offer.deed_cost(S, f.pay) > 0:
            return MAYBE
        return int(function(S, f.you, f.this, *values, x))
    except Unknown:
        return MAYBE
    finally:
        S.trial = trial
