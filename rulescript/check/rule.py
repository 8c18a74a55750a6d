"""Checking rules: hooks, bans, modifiers, guards, wherever they stand."""

from __future__ import annotations

import attrs

from rulescript import tree as t
from rulescript.check.line import LineChecker
from rulescript.check.scope import Scope
from rulescript.check.types import Type, type_of
from rulescript.diagnostic import a
from rulescript.table.declarations import HeadInfo


class RuleChecker(LineChecker):
    """Checks a line that may stand where rules live: in a file, a card, a kind, `while`, `until`."""

    def rule_line(self, node: t.Node, scope: Scope) -> None:
        match node:
            case t.Hook():
                self._hook(node, scope)
            case t.Forbid():
                inner = attrs.evolve(scope.child(**self.pattern(node.pattern, scope)), place="rule")
                inner.you = scope.you or self._has_you(node.pattern)
                if node.condition is not None:
                    self.check(node.condition, inner, "read")
                self.notes(node.notes, node.span)
            case t.Modify():
                self._modify(node, scope)
            case t.While():
                self.check(node.condition, scope, "read")
                for line in node.block.lines:
                    self.rule_line(line, scope)
            case t.Action():
                self.action(node, scope)
            case t.Until():
                self.line(node, scope)
            case _:
                self.other_rule_line(node, scope)

    def other_rule_line(self, node: t.Node, scope: Scope) -> None:
        self._misplaced(node)

    def action(self, node: t.Action, scope: Scope) -> None:
        raise NotImplementedError

    def _has_you(self, pattern: t.Pattern) -> bool:
        """Whether the event of a pattern has somebody who is `you`."""
        heads = self.heads_of(pattern)
        if not heads:
            return True
        return any(self.head_has_you(head) for head in heads)

    def head_has_you(self, head: HeadInfo) -> bool:
        names = self.head_names(head.head)
        return "you" in names or any(preposition == "by" for preposition, _ in head.head.binders)

    def _hook(self, node: t.Hook, scope: Scope) -> None:
        bound = self.pattern(node.pattern, scope)
        inner = attrs.evolve(scope.child(**bound), place="rule", hooks=node.timing != "after", usual=node.timing == "instead")
        inner.names.setdefault("result", None)
        inner.you = scope.you or self._has_you(node.pattern)
        inner.verbs = (node.pattern.verb,) if node.pattern.step is None else ()
        whole = node.pattern.step is None and node.timing != "after"
        inner.cancels = (node.pattern.verb,) if whole else ()
        if node.condition is not None:
            self.check(node.condition, inner, "read")
        self.notes(node.notes, node.span)
        if node.may and not inner.you:
            self.nobody(self.report.span_of("may", node.span))
        self.body(node.block, inner)
        shared = node.timing == "instead" and node.pattern.step is not None and not node.may and scope.place == "file"
        if (
            shared
            and node.block.lines
            and not any(isinstance(part, t.Usual) for part in self.all_parts(node.block))
            and node.condition is None
        ):
            pass

    def all_parts(self, node: t.Node) -> list[t.Node]:
        from rulescript.check.vocabulary import parts

        return list(parts(node))

    def _modify(self, node: t.Modify, scope: Scope) -> None:
        receiver: Type | None
        if node.receiver == "this":
            receiver = scope.type_of("this")
            if not scope.holds("this"):
                self.report.add("E-SCOPE", "there is no 'this' at the top of a file", node.span, word="this")
        elif node.receiver == "your":
            receiver = self.you_type(scope)
            if not scope.you:
                self.nobody(self.report.span_of("your", node.span))
        elif node.receiver in self.words.table.kinds:
            receiver = Type(node.receiver)
        else:
            message = f"there is no kind '{node.receiver}'"
            self.report.add("E-WORD", message, node.span, word=node.receiver, right=set(self.words.table.kinds) | {"this", "your"})
            receiver = None
        inner = scope.child(it=receiver)
        for name, reference in node.params:
            self.type_ref(reference)
            inner.names[name] = type_of(reference)
        kind = receiver.kind if receiver else None
        found = self.words.find_member(kind, node.member) if kind else self.words.members.get(node.member, [])
        if not found and not self.words.builtin_type(kind, node.member)[0]:
            known = self.words.member_names(kind)
            what = a(kind) if kind else "nothing"
            self.report.add("E-WORD", f"{what} has no '{node.member}'", node.span, word=node.member, right=known)
        if node.params and found and all(len(member.params) != len(node.params) for member in found):
            self.report.add("E-ARG", f"'{node.member}' takes {len(found[0].params)} arguments", node.span, word=node.member)
        self.check(node.value, inner)
        if node.condition is not None:
            self.check(node.condition, inner, "read")
        self.notes(node.notes, node.span)
