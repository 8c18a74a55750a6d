"""Parse trees of declarations to effect trees, and the whole item."""

from __future__ import annotations

import typing
from collections.abc import Callable

from lark import Token, Tree

from rulescript.syntax.build_line import LineBuilder
from rulescript.syntax.shape import PREPOSITIONS, Place, after, kind, notes_of, string, token, tokens, tree, type_ref
from rulescript.tree import Action, Binder, Change, Field, Head, Kind, Node, Order, Procedure, Query, Step, Test, TypeRef


class ItemBuilder(LineBuilder):
    """Builds any line of a file."""

    def kind_(self, part: Tree[Token]) -> Node:
        name = tokens(part, "NAME")[0]
        return Kind(name, self.kinds(part), notes_of(part, self.place), self.maybe_block(part), span=self.place.span(part))

    def own_type(self, part: Tree[Token]) -> TypeRef:
        found = tree(part, "type")
        assert found is not None
        return type_ref(found, self.place)

    def field(self, part: Tree[Token]) -> Node:
        names = tokens(part, "NAME")
        shows = names[1] if token(part, "SHOWS") else None
        return Field(names[0], self.own_type(part), self.optional(after(part, "EQUAL")), shows, span=self.place.span(part))

    def query(self, part: Tree[Token]) -> Node:
        return Query(
            token(part, "NAME") or "", token(part, "MEMBER") or "", self.params(part), self.own_type(part), notes_of(part, self.place),
            self.own_block(part), span=self.place.span(part),
        )  # fmt: skip

    def binder(self, part: Tree[Token]) -> Binder:
        found = self.own_type(part)
        if part.data == "bare":
            return Binder(found.name, found, True, span=self.place.span(part))
        return Binder(str(part.children[0]), found, span=self.place.span(part))

    def head(self, part: Tree[Token]) -> Head:
        signature = tree(part, "signature")
        assert signature is not None
        amount = object_ = operand = None
        binders: list[tuple[str, Binder]] = []
        preposition: str | None = None
        for child in signature.children:
            if kind(child) in PREPOSITIONS:
                preposition = str(child)
            elif isinstance(child, Tree):
                if child.data == "counted":
                    amount, object_ = str(child.children[0]), str(child.children[1])
                elif preposition is None:
                    operand = self.binder(child)
                else:
                    binders.append((preposition, self.binder(child)))
        span = self.place.span(signature if signature.children else part)
        return Head(amount, object_, operand, tuple(binders), span=span)

    def procedure(self, part: Tree[Token]) -> Node:
        verb = token(part, "NAME") or ""
        return Procedure(verb, self.head(part), notes_of(part, self.place), self.maybe_block(part), span=self.place.span(part))

    def step(self, part: Tree[Token]) -> Node:
        return Step(token(part, "NAME") or "", notes_of(part, self.place), self.own_block(part), span=self.place.span(part))

    def order(self, part: Tree[Token]) -> Node:
        name, of = tokens(part, "NAME")[:2]
        return Order(name, of, self.keys(part), notes_of(part, self.place), span=self.place.span(part))

    def action(self, part: Tree[Token]) -> Node:
        label = token(part, "STRING")
        return Action(
            token(part, "NAME") or "", None if label is None else string(label), self.head(part), self.optional(after(part, "COST")),
            notes_of(part, self.place), self.own_block(part), span=self.place.span(part),
        )  # fmt: skip

    def change(self, part: Tree[Token]) -> Node:
        title = token(part, "STRING")
        return Change(
            token(part, "NAME") or "", None if title is None else string(title), notes_of(part, self.place), self.own_block(part),
            span=self.place.span(part),
        )  # fmt: skip

    def test(self, part: Tree[Token]) -> Node:
        title = string(token(part, "STRING") or '""')
        return Test(title, notes_of(part, self.place), self.own_block(part), span=self.place.span(part))


_I = ItemBuilder
_MAKERS: dict[str, Callable[[typing.Any, Tree[Token]], Node]] = {
    "kind": _I.kind_, "field": _I.field, "query": _I.query, "procedure": _I.procedure, "step": _I.step, "row": _I.row, "order": _I.order,
    "action": _I.action, "change": _I.change, "test": _I.test, "hook": _I.hook, "forbid": _I.forbid, "modify": _I.modify,
    "guard": _I.guard, "lasting": _I.lasting, "label": _I.label, "if": _I.if_, "each": _I.each, "repeat": _I.repeat, "match": _I.match,
    "choose": _I.choose, "either": _I.either, "option": _I.option, "may": _I.may, "attempt": _I.attempt, "let": _I.let,
    "require": _I.require, "expect": _I.expect, "give": _I.give, "stop": _I.stop, "cancel": _I.cancel, "usual": _I.usual, "call": _I.call,
}  # fmt: skip
ItemBuilder.makers = _MAKERS


def build_items(start: Tree[Token], file: str, shift: int) -> list[Node]:
    """The nodes of a parse tree whose first line is line `1 + shift` of the file."""
    builder = ItemBuilder(Place(file, shift))
    return [builder.node(child) for child in start.children if isinstance(child, Tree)]
