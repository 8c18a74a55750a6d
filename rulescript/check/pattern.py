"""Checking patterns of rules, and what they bind."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.check.call import CallChecker, spoken_head
from rulescript.check.scope import Scope
from rulescript.check.types import NUMBER, WORD, Type, type_of
from rulescript.check.vocabulary import bound_names
from rulescript.table.declarations import HeadInfo


class PatternChecker(CallChecker):
    """Patterns are heads in which some words bind and the others test."""

    def did(self, pattern: t.Pattern, scope: Scope) -> None:
        self.pattern(pattern, scope.child(), binds=False)

    def heads_of(self, pattern: t.Pattern) -> list[HeadInfo]:
        """The heads that a pattern can mean by its verb and step."""
        if pattern.step is not None:
            return self.words.step_heads.get(pattern.verb, [])
        return self.words.table.verbs.get(pattern.verb, [])

    def pattern(self, pattern: t.Pattern, scope: Scope, binds: bool = True) -> dict[str, Type | None]:
        """Checks a pattern; the names that it binds for the rule's condition and body."""
        words = self.words
        bound: dict[str, Type | None] = {}
        heads = self.heads_of(pattern)
        if pattern.step is not None:
            self._step(pattern)
            for head in heads:
                bound |= self.head_names(head.head)
                bound |= bound_names(head.node.block)
        elif pattern.verb not in words.known_verbs() | words.actions | words.labels:
            steps = {step for names in words.steps.values() for step in names}
            if not (not binds and pattern.verb in steps):
                right = words.known_verbs() | words.actions | words.labels | set(words.steps)
                span = self.report.span_of(pattern.verb, pattern.span)
                self.report.add("E-WORD", f"there is no verb, action or label '{pattern.verb}'", span, word=pattern.verb, right=right)
        inner = scope.child(**bound)
        inner.you = True
        bound |= self._arg(pattern.operand, inner, bound, heads, None)
        for preposition, arg in pattern.args:
            bound |= self._arg(arg, inner, bound, heads, preposition)
        self._takes(pattern, heads)
        return bound

    def _step(self, pattern: t.Pattern) -> None:
        known = self.words.steps.get(pattern.verb)
        if known is None:
            if pattern.verb in self.words.actions:
                return
            message = f"there is no procedure '{pattern.verb}'"
            self.report.add("E-WORD", message, pattern.span, word=pattern.verb, right=set(self.words.steps))
        elif pattern.step not in known:
            message = f"'{pattern.verb}' has no step '{pattern.step}'"
            self.report.add("E-WORD", message, pattern.span, word=pattern.step or "", right=known, expected=sorted(known))

    def _arg(
        self, arg: t.PatternArg | None, scope: Scope, bound: dict[str, Type | None], heads: list[HeadInfo], preposition: str | None
    ) -> dict[str, Type | None]:
        """Checks one argument; what it binds. A bare kind binds itself."""
        if arg is None:
            return {}
        if isinstance(arg, t.NamedArg | t.MarkedArg):
            self.type_ref(arg.type)
            name = arg.name if isinstance(arg, t.NamedArg) else self.words.table.singular(arg.type.name)
            type_ = type_of(arg.type)
            scope.names[name] = type_
            return {name: type_}
        if isinstance(arg, t.Quantity):
            return self._quantity_arg(arg, scope, heads)
        if isinstance(arg, t.Name):
            kind = self.words.kind_of(arg.name)
            if kind is not None and not (scope.parent and scope.parent.holds(arg.name)):
                counted = (
                    preposition is None and bool(heads) and all(head.head.object for head in heads if head.head.operand or head.head.object)
                )
                # Of a counted head the bound word is the kind that was given, not a thing.
                found = Type(kind, "*" if counted else "")
                scope.names[arg.name] = found
                return {arg.name: found}
            parameters = {name for head in heads for name in self.head_names(head.head)}
            if arg.name in parameters and not scope.parent_holds(arg.name) and not self.words.name_type(arg.name)[0]:
                return {}
            units = {self.words.unit_of(head.head.object) for head in heads if head.head.object}
            if preposition is None and self.words.unit_of(arg.name) in units - {None}:
                return {}
        self.check(arg, scope, "read")
        return {}

    def _quantity_arg(self, arg: t.Quantity, scope: Scope, heads: list[HeadInfo]) -> dict[str, Type | None]:
        found: dict[str, Type | None] = {}
        amount = arg.amount
        if isinstance(amount, t.Name) and not self.words.name_type(amount.name)[0] and not scope.parent_holds(amount.name):
            found[amount.name] = NUMBER
            scope.names[amount.name] = NUMBER
        else:
            self.check(amount, scope, "read")
        objects = {head.head.object for head in heads}
        if arg.unit is not None and arg.unit not in objects:
            unit = self.words.unit_of(arg.unit)
            if unit is None:
                right = self.words.units | set(self.words.table.kinds) | {word for word in objects if word}
                self.report.add("E-WORD", f"there is no unit or kind '{arg.unit}'", arg.span, word=arg.unit, right=right, last=True)
        kind = self.words.kind_of(arg.unit) if arg.unit else None
        if kind is not None:
            found[kind] = Type(kind, "*")
        if arg.computed is not None:
            self.check(arg.computed, scope, "read")
        return found

    def type_ref(self, reference: t.TypeRef) -> None:
        """The name of a type must be a basic type, a unit or a kind."""
        from rulescript.table.builtin import BASIC_TYPES

        known = BASIC_TYPES | self.words.units
        if reference.name in known or reference.name in self.words.table.kinds or reference.name in self.words.table.words:
            return
        right = known | set(self.words.table.kinds) | set(self.words.table.words)
        self.report.add("E-WORD", f"there is no kind or type '{reference.name}'", reference.span, word=reference.name, right=right)

    def _takes(self, pattern: t.Pattern, heads: list[HeadInfo]) -> None:
        """A pattern that no head of the verb fits can never match."""
        if pattern.step is not None or not heads:
            row = self.words.primitives.get(pattern.verb) if pattern.step is None else None
            for preposition, arg in pattern.args:
                if row is not None and preposition not in row.args and preposition != "by":
                    message = f"'{pattern.verb}' has no '{preposition}': this never happens"
                    self.report.add("E-NO-HOOK", message, arg.span, expected=[f"'{word}'" for word in row.args])
            return
        if pattern.verb in self.words.primitives or pattern.verb in self.words.actions:
            return
        expected = dict.fromkeys(spoken_head(head.verb, head.head) for head in heads)
        for preposition, arg in pattern.args:
            if preposition != "by" and all(preposition not in dict(head.head.binders) for head in heads):
                message = f"no head of '{pattern.verb}' has '{preposition}': this never happens"
                self.report.add("E-NO-HOOK", message, arg.span, expected=expected)
                return
        if pattern.operand is not None and not any(self._operand_can_match(pattern.operand, head) for head in heads):
            self.report.add(
                "E-NO-HOOK", f"no head of '{pattern.verb}' has this operand: this never happens", pattern.operand.span, expected=expected
            )
            return
        for preposition, arg in pattern.args:
            wanted = [dict(head.head.binders).get(preposition) for head in heads]
            if all(binder is not None and not self._arg_can_match(arg, binder.type) for binder in wanted):
                message = f"'{preposition}' of '{pattern.verb}' is never that"
                self.report.add("E-NO-HOOK", message, arg.span, expected=expected)

    def _kind_of_arg(self, arg: t.PatternArg) -> str | None:
        if isinstance(arg, t.NamedArg | t.MarkedArg):
            return arg.type.name if arg.type.name in self.words.table.kinds else None
        if isinstance(arg, t.Name):
            return self.words.kind_of(arg.name)
        return None

    def _arg_can_match(self, arg: t.PatternArg, wanted: t.TypeRef) -> bool:
        kind = self._kind_of_arg(arg)
        return kind is None or wanted.name not in self.words.table.kinds or self.words.related(kind, wanted.name)

    def _operand_can_match(self, operand: t.PatternArg, head: HeadInfo) -> bool:
        want = head.head
        if want.object is not None:
            word = operand.unit if isinstance(operand, t.Quantity) else operand.name if isinstance(operand, t.Name) else None
            if isinstance(operand, t.NamedArg | t.MarkedArg):
                word = operand.type.name
            return word is None or self._fits_object(word, want.object)
        if want.operand is None:
            return False
        if isinstance(operand, t.Quantity) and operand.unit is not None:
            return want.operand.type.mark == "*"
        return self._arg_can_match(operand, want.operand.type)


__all__ = ["WORD", "PatternChecker"]
