"""Parse trees of lines, control and rules to effect trees."""

from __future__ import annotations

import typing
from collections.abc import Callable

from lark import Token, Tree

from rulescript.syntax.build_expression import ExpressionBuilder
from rulescript.syntax.shape import Part, after, kind, notes_of, rule, string, token, tokens, tree, trees, type_ref
from rulescript.tree import (
    Block,
    Cancel,
    Choose,
    Each,
    Either,
    Expect,
    Expression,
    Forbid,
    Give,
    Hook,
    If,
    Let,
    Line,
    Match,
    May,
    Modify,
    Node,
    Option,
    Pattern,
    Repeat,
    Require,
    Row,
    Stop,
    Try,
    TypeRef,
    Until,
    Usual,
    While,
)

_MODES = {"at least": "at_least", ">=": "at_least", "at most": "at_most", "<=": "at_most"}
_HOW = {"exactly": "exactly", "up_to": "up_to", "any_number": "any"}


class LineBuilder(ExpressionBuilder):
    """Builds the lines of one item; declarations are added by the subclass."""

    makers: dict[str, Callable[[typing.Any, Tree[Token]], Node]]

    def node(self, part: Tree[Token]) -> Node:
        return self.makers[str(part.data)](self, part)

    def block(self, part: Tree[Token]) -> Block:
        lines = tuple(self.node(child) for child in part.children if isinstance(child, Tree))
        return Block(lines, span=self.place.span(part))

    def own_block(self, part: Tree[Token]) -> Block:
        found = tree(part, "block")
        assert found is not None
        return self.block(found)

    def maybe_block(self, part: Tree[Token]) -> Block | None:
        found = tree(part, "block")
        return None if found is None else self.block(found)

    def otherwise(self, part: Tree[Token]) -> Block | None:
        found = tree(part, "otherwise")
        return None if found is None else self.own_block(found)

    def kinds(self, part: Tree[Token]) -> tuple[str, ...]:
        found = tree(part, "kinds")
        return () if found is None else tuple(tokens(found, "NAME"))

    def condition(self, part: Tree[Token]) -> Expression | None:
        return self.optional(after(part, "IF"))

    def own_pattern(self, part: Tree[Token]) -> Pattern:
        found = tree(part, "pattern")
        assert found is not None
        return self.pattern(found)

    def params(self, part: Tree[Token]) -> tuple[tuple[str, TypeRef], ...]:
        found = tree(part, "params")
        if found is None:
            return ()
        types = [(param, tree(param, "type")) for param in trees(found, "param")]
        return tuple((str(param.children[0]), type_ref(type_, self.place)) for param, type_ in types if type_ is not None)

    def call(self, part: Tree[Token]) -> Node:
        operand: Expression | None = None
        result: str | None = None
        for index, child in enumerate(part.children[1:], 1):
            if kind(child) == "AS":
                result = str(part.children[index + 1])
            elif index == 1 and isinstance(child, Tree) and rule(child) not in _TAIL:
                operand = self.expression(child)
        return Line(
            str(part.children[0]), operand, self.arguments(part), result, self.kinds(part), notes_of(part, self.place),
            self.maybe_block(part), self.otherwise(part), span=self.place.span(part),
        )  # fmt: skip

    def if_(self, part: Tree[Token]) -> Node:
        condition = self.condition(part)
        assert condition is not None
        last: Part | None = after(part, "ELSE")
        otherwise: Block | None = None
        if isinstance(last, Tree):
            otherwise = Block((self.if_(last),), span=self.place.span(last)) if last.data == "if" else self.block(last)
        return If(condition, self.own_block(part), otherwise, span=self.place.span(part))

    def each(self, part: Tree[Token]) -> Node:
        name = after(part, "AS")
        return Each(
            self.expression(part.children[1]), None if name is None else str(name), self.optional(after(part, "WHERE")), self.keys(part),
            notes_of(part, self.place), self.own_block(part), span=self.place.span(part),
        )  # fmt: skip

    def repeat(self, part: Tree[Token]) -> Node:
        until = self.optional(after(part, "UNTIL"))
        return Repeat(self.expression(part.children[1]), until, self.own_block(part), span=self.place.span(part))

    def row(self, part: Tree[Token]) -> Row:
        keys: list[Expression] = []
        for child in part.children[1:]:
            if kind(child) in ("IF", "ELSE") or rule(child).startswith("note_") or rule(child) == "block":
                break
            if isinstance(child, Tree):
                keys.append(self.expression(child))
        otherwise = token(part, "ELSE") is not None
        return Row(
            tuple(keys), otherwise, self.condition(part), notes_of(part, self.place), self.own_block(part), span=self.place.span(part)
        )

    def match(self, part: Tree[Token]) -> Node:
        rows = tuple(self.row(child) for child in trees(part, "row"))
        return Match(self.expression(part.children[1]), rows, span=self.place.span(part))

    def choose(self, part: Tree[Token]) -> Node:
        how, number = "one", None
        first = part.children[1]
        if isinstance(first, Tree) and first.data in _HOW:
            how = _HOW[str(first.data)]
            number = None if how == "any" else self.expression(first.children[-1])
        source = after(part, "FROM")
        assert source is not None
        return Choose(
            how, number, token(part, "NAME") or "", self.expression(source), self.optional(after(part, "WHERE")), self.keys(part),
            notes_of(part, self.place), self.otherwise(part), span=self.place.span(part),
        )  # fmt: skip

    def option(self, part: Tree[Token]) -> Option:
        label = string(token(part, "STRING") or '""')
        return Option(label, self.condition(part), notes_of(part, self.place), self.own_block(part), span=self.place.span(part))

    def either(self, part: Tree[Token]) -> Node:
        options = tuple(self.option(child) for child in trees(part, "option"))
        return Either(self.keys(part), options, self.otherwise(part), span=self.place.span(part))

    def may(self, part: Tree[Token]) -> Node:
        label = token(part, "STRING")
        return May(
            None if label is None else string(label), self.keys(part), notes_of(part, self.place), self.own_block(part),
            self.otherwise(part), span=self.place.span(part),
        )  # fmt: skip

    def attempt(self, part: Tree[Token]) -> Node:
        return Try(self.own_block(part), self.otherwise(part), span=self.place.span(part))

    def usual(self, part: Tree[Token]) -> Usual:
        second = part.children[1] if len(part.children) > 1 else None
        operand = self.expression(second) if isinstance(second, Tree) and second.data != "arg" else None
        return Usual(operand, self.arguments(part), span=self.place.span(part))

    def value(self, part: Part) -> Expression | Usual:
        return self.usual(part) if isinstance(part, Tree) and part.data == "usual" else self.expression(part)

    def let(self, part: Tree[Token]) -> Node:
        return Let(token(part, "NAME") or "", self.value(part.children[-1]), span=self.place.span(part))

    def require(self, part: Tree[Token]) -> Node:
        return Require(self.expression(part.children[1]), notes_of(part, self.place), span=self.place.span(part))

    def expect(self, part: Tree[Token]) -> Node:
        return Expect(self.expression(part.children[1]), span=self.place.span(part))

    def give(self, part: Tree[Token]) -> Node:
        return Give(self.value(part.children[-1]), span=self.place.span(part))

    def stop(self, part: Tree[Token]) -> Node:
        return Stop(token(part, "NAME"), span=self.place.span(part))

    def cancel(self, part: Tree[Token]) -> Node:
        return Cancel(token(part, "NAME"), span=self.place.span(part))

    def hook(self, part: Tree[Token], label: str | None = None) -> Node:
        timing = (token(part, "TIMING") or "").split()[0]
        return Hook(
            label, token(part, "MAY") is not None, timing, self.own_pattern(part), self.condition(part), notes_of(part, self.place),
            self.own_block(part), span=self.place.span(part),
        )  # fmt: skip

    def forbid(self, part: Tree[Token], label: str | None = None) -> Node:
        strict = token(part, "STRICT") is not None
        return Forbid(label, self.own_pattern(part), self.condition(part), strict, notes_of(part, self.place), span=self.place.span(part))

    def modify(self, part: Tree[Token], label: str | None = None) -> Node:
        op = " ".join((token(part, "MODOP") or "=").split())
        receiver = "your" if token(part, "YOUR") else token(part, "NAME") or ""
        value = after(part, "MODOP")
        assert value is not None
        return Modify(
            label, receiver, token(part, "MEMBER") or "", self.params(part), _MODES.get(op, op), self.expression(value),
            self.condition(part), notes_of(part, self.place), span=self.place.span(part),
        )  # fmt: skip

    def label(self, part: Tree[Token]) -> Node:
        inner = part.children[-1]
        assert isinstance(inner, Tree)
        makers = {"hook": self.hook, "forbid": self.forbid, "modify": self.modify}
        return makers[str(inner.data)](inner, str(part.children[0]))

    def guard(self, part: Tree[Token]) -> Node:
        return While(self.expression(part.children[1]), self.own_block(part), span=self.place.span(part))

    def lasting(self, part: Tree[Token]) -> Node:
        notes = notes_of(part, self.place)
        return Until(self.own_pattern(part), self.condition(part), notes, self.own_block(part), span=self.place.span(part))


_NOTES = {"note_copies", "note_certainty", "note_cites", "note_once", "note_because", "note_secret"}
_TAIL = frozenset({"arg", "kinds", "block", "otherwise"} | _NOTES)
