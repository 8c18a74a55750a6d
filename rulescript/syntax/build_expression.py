"""Parse trees of expressions to effect trees."""

from __future__ import annotations

from collections.abc import Callable

from lark import Token, Tree

from rulescript.syntax.shape import PREPOSITIONS, Part, Place, after, content, kind, rule, string, token, tree, trees, type_ref
from rulescript.tree import (
    AllOf,
    And,
    Any,
    Arithmetic,
    Ask,
    At,
    Compare,
    Count,
    Did,
    Everyone,
    Expression,
    Flag,
    Function,
    Get,
    Has,
    Is,
    ListOf,
    MarkedArg,
    Name,
    NamedArg,
    Negative,
    No,
    Not,
    Number,
    Or,
    Pattern,
    PatternArg,
    Quantity,
    Range,
    Select,
    SortKey,
    Text,
    Your,
)

BOUNDS = {"at least": ">=", "at most": "<=", "more than": ">", "less than": "<"}
_ARITHMETIC = {"plus": "+", "minus": "-", "times": "*", "union": "|", "except_": "except"}

_PREFIX: dict[str, type[Not | Negative | Any | No | Count]] = {"not_": Not, "negative": Negative, "any_": Any, "no_": No, "count_": Count}

Maker = Callable[["ExpressionBuilder", Tree[Token]], Expression]


class ExpressionBuilder:
    """Builds the expressions of one item."""

    def __init__(self, place: Place) -> None:
        self.place = place

    def expression(self, part: Part) -> Expression:
        if isinstance(part, Token):
            span = self.place.span(part)
            return Number(int(part), span=span) if part.type == "INT" else Name(str(part), span=span)
        return _MAKERS[str(part.data)](self, part)

    def optional(self, part: Part | None) -> Expression | None:
        return None if part is None else self.expression(part)

    def keys(self, owner: Tree[Token]) -> tuple[SortKey, ...]:
        """The sort keys of the `by …` among the children of a line."""
        found = tree(owner, "by")
        if found is None:
            return ()
        return tuple(
            SortKey(self.expression(key.children[0]), str(key.children[1]) if len(key.children) > 1 else "", span=self.place.span(key))
            for key in trees(found, "sortkey")
        )

    def args(self, owner: Tree[Token]) -> tuple[Expression, ...]:
        found = tree(owner, "args")
        return () if found is None else tuple(self.expression(part) for part in content(found))

    def pattern(self, part: Tree[Token]) -> Pattern:
        operand: PatternArg | None = None
        args: list[tuple[str, PatternArg]] = []
        preposition: str | None = None
        for child in part.children[1:]:
            if kind(child) in PREPOSITIONS:
                preposition = str(child)
            elif isinstance(child, Token) and child.type in ("DOT", "MEMBER"):
                continue
            elif preposition is None:
                operand = self._pattern_arg(child)
            else:
                args.append((preposition, self._pattern_arg(child)))
        return Pattern(str(part.children[0]), token(part, "MEMBER"), operand, tuple(args), span=self.place.span(part))

    def _pattern_arg(self, part: Part) -> PatternArg:
        if rule(part) == "named":
            assert isinstance(part, Tree)
            found = tree(part, "type")
            assert found is not None
            return NamedArg(str(part.children[0]), type_ref(found, self.place), span=self.place.span(part))
        if rule(part) == "marked":
            assert isinstance(part, Tree)
            return MarkedArg(type_ref(part, self.place), span=self.place.span(part))
        return self.expression(part)

    def arguments(self, owner: Tree[Token]) -> tuple[tuple[str, Expression], ...]:
        return tuple((str(arg.children[0]), self.expression(arg.children[1])) for arg in trees(owner, "arg"))

    def _select(self, part: Tree[Token]) -> Expression:
        source = self.expression(part.children[0])
        where = self.optional(after(part, "WHERE"))
        keys = self.keys(part)
        return Select(source, where, keys, span=self.place.span(part)) if where is not None or keys else source

    def _sides(self, part: Tree[Token]) -> tuple[Expression, Expression]:
        return self.expression(part.children[0]), self.expression(part.children[-1])

    def _chain(self, part: Tree[Token], name: str) -> tuple[Expression, ...]:
        left, right = part.children[0], part.children[-1]
        first = self._chain(left, name) if isinstance(left, Tree) and left.data == name else (self.expression(left),)
        return (*first, self.expression(right))

    def _arithmetic(self, part: Tree[Token]) -> Expression:
        left, right = self._sides(part)
        return Arithmetic(_ARITHMETIC[str(part.data)], left, right, span=self.place.span(part))

    def _compare(self, part: Tree[Token]) -> Expression:
        left, right = self._sides(part)
        return Compare(token(part, "CMP") or "=", left, right, span=self.place.span(part))

    def _bound(self, part: Tree[Token]) -> Expression:
        left, right = self._sides(part)
        words = " ".join((token(part, "BOUND") or "").split())
        return Compare(BOUNDS[words], left, right, True, span=self.place.span(part))

    def _is(self, part: Tree[Token]) -> Expression:
        left, right = self._sides(part)
        return Is(left, right, part.data == "is_not", span=self.place.span(part))

    def _has(self, part: Tree[Token]) -> Expression:
        left, right = self._sides(part)
        return Has(left, right, span=self.place.span(part))

    def _at(self, part: Tree[Token]) -> Expression:
        left, right = self._sides(part)
        return At(left, right, span=self.place.span(part))

    def _quantity(self, part: Tree[Token]) -> Expression:
        amount, last = self.expression(part.children[0]), part.children[-1]
        if isinstance(last, Token):
            return Quantity(amount, str(last), span=self.place.span(part))
        return Quantity(amount, None, self.expression(last), span=self.place.span(part))

    def _range(self, part: Tree[Token]) -> Expression:
        high = part.children[3] if kind(part.children[2]) == "LPAR" else part.children[2]
        return Range(int(str(part.children[0])), self.expression(high), span=self.place.span(part))

    def _paren(self, part: Tree[Token]) -> Expression:
        return self.expression(part.children[1])

    def _did(self, part: Tree[Token]) -> Expression:
        found = tree(part, "pattern")
        assert found is not None
        return Did(self.pattern(found), span=self.place.span(part))

    def _your(self, part: Tree[Token]) -> Expression:
        args = self.args(part) if part.data == "your_ask" else None
        return Your(token(part, "MEMBER") or "", args, span=self.place.span(part))

    def _get(self, part: Tree[Token]) -> Expression:
        return Get(self.expression(part.children[0]), token(part, "MEMBER") or "", span=self.place.span(part))

    def _ask(self, part: Tree[Token]) -> Expression:
        return Ask(self.expression(part.children[0]), token(part, "MEMBER") or "", self.args(part), span=self.place.span(part))

    def _func(self, part: Tree[Token]) -> Expression:
        return Function(str(part.children[0]), self.args(part), span=self.place.span(part))

    def _name(self, part: Tree[Token]) -> Expression:
        return Name(str(part.children[0]), span=self.place.span(part))

    def _all(self, part: Tree[Token]) -> Expression:
        return AllOf(str(part.children[1]), span=self.place.span(part))

    def _int(self, part: Tree[Token]) -> Expression:
        return Number(int(str(part.children[0])), span=self.place.span(part))

    def _text(self, part: Tree[Token]) -> Expression:
        return Text(string(str(part.children[0])), span=self.place.span(part))

    def _list(self, part: Tree[Token]) -> Expression:
        return ListOf(self.args(part), span=self.place.span(part))

    def _everyone(self, part: Tree[Token]) -> Expression:
        return Everyone(span=self.place.span(part))

    def _flag(self, part: Tree[Token]) -> Expression:
        return Flag(part.data == "yes", span=self.place.span(part))

    def _prefix(self, part: Tree[Token]) -> Expression:
        return _PREFIX[str(part.data)](self.expression(part.children[-1]), span=self.place.span(part))

    def _or(self, part: Tree[Token]) -> Expression:
        return Or(self._chain(part, "or_"), span=self.place.span(part))

    def _and(self, part: Tree[Token]) -> Expression:
        return And(self._chain(part, "and_"), span=self.place.span(part))


_B = ExpressionBuilder
_MAKERS: dict[str, Maker] = {
    "or_": _B._or, "and_": _B._and, "not_": _B._prefix, "compare": _B._compare, "bound": _B._bound, "is_": _B._is, "is_not": _B._is,
    "has": _B._has, "plus": _B._arithmetic, "minus": _B._arithmetic, "union": _B._arithmetic, "except_": _B._arithmetic,
    "times": _B._arithmetic, "negative": _B._prefix, "any_": _B._prefix, "no_": _B._prefix, "count_": _B._prefix,
    "everyone": _B._everyone, "yes": _B._flag, "no": _B._flag, "at": _B._at, "name": _B._name, "all_": _B._all, "int": _B._int,
    "text": _B._text, "range": _B._range, "your": _B._your, "your_ask": _B._your, "get": _B._get, "ask": _B._ask, "func": _B._func,
    "did": _B._did, "list": _B._list, "paren": _B._paren, "selection": _B._select, "filtered": _B._select, "quantity": _B._quantity,
}  # fmt: skip
