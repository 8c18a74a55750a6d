"""The looks of a program, made when first asked for, and what they need to know of its rules as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.kernel.look import CallLook, Look, PaymentLook
    from nemesis.kernel.program import Program
    from nemesis.kernel.rule import HookRule
    from rulescript.table.declarations import HeadInfo


class LookTable:
    """Looks by what they look at."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._actions: dict[int, Look] = {}
        self._calls: dict[int, CallLook] = {}
        self._payment: PaymentLook | None = None
        self._paid_with: list[frozenset[str] | None] = []
        self._use_moves: bool | None = None
        self._moved_by_use: dict[int, int | None] = {}

    def of_action(self, index: int) -> Look:
        found = self._actions.get(index)
        if found is None:
            from nemesis.kernel.look import Look

            found = self._actions[index] = Look(self.program, index)
        return found

    def of_call(self, head: HeadInfo) -> CallLook:
        found = self._calls.get(head.index)
        if found is None:
            from nemesis.kernel.look import CallLook

            found = self._calls[head.index] = CallLook(self.program, head)
        return found

    def of_payment(self) -> PaymentLook | None:
        verb = self.program.ruleset.pay
        if self._payment is None and verb is not None and verb in self.program.table.verbs:
            from nemesis.kernel.look import PaymentLook

            self._payment = PaymentLook(self.program, verb)
        return self._payment

    def paid_with(self) -> frozenset[str] | None:
        """The kinds of what is paid with; None if paying may do more than move chosen things."""
        if not self._paid_with:
            from nemesis.kernel.look_reach import moved_kinds

            program = self.program
            heads = program.table.verbs.get(program.ruleset.pay or "", [])
            kinds: frozenset[str] | None = frozenset()
            if heads:
                kinds = moved_kinds(program, heads[0].node.block) if len(heads) == 1 and not program.needs_event(heads[0]) else None
            self._paid_with.append(kinds)
        return self._paid_with[0]

    def used_cards_move(self) -> bool:
        """Whether some rule runs before the use of an ability: it may move the card in which that is written."""
        if self._use_moves is None:
            self._use_moves = any(rule.timing == "before" for rule in self.program.hook_list("use", None))
        return self._use_moves

    def moved_by_use(self, card: int) -> int | None:
        """Where the rules before the use of what is written in a card put it: a place, -1 for nowhere, None if they may do something else.

        Such a rule is known by its form: `before use d: ability if d.card is KIND { move d.card to PLACE }`.
        """
        if card not in self._moved_by_use:
            self._moved_by_use[card] = self._find_moved(card)
        return self._moved_by_use[card]

    def _find_moved(self, card: int) -> int | None:
        to = -1
        for rule in self.program.hook_list("use", None):
            if rule.timing != "before":
                continue
            known = self._moves_used(rule)
            if known is None:
                return None
            kind, place = known
            if kind is None or self.program.world.mask(kind)[card]:
                if to >= 0:
                    return None
                to = place
        return to

    def _moves_used(self, rule: HookRule) -> tuple[str | None, int] | None:
        """(kind of the card, place) of a rule that only moves the card whose ability is used."""
        node, program = rule.node, self.program
        lines = node.block.lines if isinstance(node, t.Hook) and not node.may else ()
        line = lines[0] if len(lines) == 1 else None
        deed = getattr(node.pattern.operand, "name", None)
        if (
            not isinstance(line, t.Line)
            or line.word != "move"
            or line.otherwise is not None
            or rule.holder.things is not None
            or rule.guards
        ):
            return None
        to, test = line.arg("to"), node.condition
        if not _is_card_of(line.operand, deed) or not isinstance(to, t.Name) or len(line.args) > 1 or node.notes.once:
            return None
        place = program.world.on_table if to.name == "table" else program.world.by_name.get(to.name)
        kind = test.right.name if isinstance(test, t.Is) and _is_card_of(test.left, deed) and isinstance(test.right, t.Name) else None
        if place is None or (test is not None and (kind is None or kind not in program.table.kinds or kind in program.modified_kinds)):
            return None
        if any(hook.mask is None or kind is None or self._both(hook.mask, kind) for hook in program.hook_list("move", None)):
            return None
        return kind, int(place)

    def _both(self, mask: bytes, kind: str) -> bool:
        return any(a and b for a, b in zip(mask, self.program.world.mask(kind), strict=True))


def _is_card_of(node: t.Expression | None, deed: str | None) -> bool:
    """Whether an expression is `deed.card`."""
    return isinstance(node, t.Get) and node.member == "card" and isinstance(node.base, t.Name) and node.base.name == deed
