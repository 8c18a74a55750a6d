"""Parsing the text form of a position."""

from __future__ import annotations

import typing

from rulescript.nearest import did_you_mean
from rulescript.syntax.grammar import parser
from rulescript.tree.fragment import PutGame, PutHere, PutInside, PutPair, PutPlace, PutPool, PutThing, Statement

if typing.TYPE_CHECKING:
    from lark import Token, Tree

    Part = Tree[Token] | Token


class FragmentError(ValueError):
    """A text form that cannot be read: `message` for people, `column` 1-based inside the string, `width` of the wrong word."""

    def __init__(self, message: str, column: int, width: int = 1, hint: str | None = None) -> None:
        super().__init__(f"column {column}: {message}" + (f"; {hint}" if hint else ""))
        self.message = message
        self.column = column
        self.width = width
        self.hint = hint


def parse_fragment(text: str) -> tuple[Statement, ...]:
    """The statements of a text form. Raises FragmentError.

    >>> parse_fragment("pool coin 0; game round 5")
    (PutPool(kind='coin', count=0), PutGame(pairs=(PutPair(name='round', value=5),)))
    >>> parse_fragment("in bag token")
    Traceback (most recent call last):
    rulescript.syntax.fragment.FragmentError: column 8: 'token' cannot stand here, expected '.' or ':'
    """
    from lark import UnexpectedCharacters, UnexpectedInput

    from rulescript.diagnostic import or_list
    from rulescript.syntax.words import spoken

    state = parser("fragment").parse_interactive(text)
    last: Token | None = None
    try:
        for token in state.iter_parse():
            last = token
        start = state.feed_eof(last)  # type: ignore[no-untyped-call]
    except UnexpectedInput as error:
        wanted = or_list(spoken(state.accepts()))  # type: ignore[no-untyped-call]
        if isinstance(error, UnexpectedCharacters):
            found = text[error.column - 1 : error.column]
            raise FragmentError(f"{found!r} cannot stand here, expected {wanted}", error.column) from None
        wrong: Token = error.token  # type: ignore[attr-defined]
        if wrong.type == "$END":
            raise FragmentError(f"the text ends too early, expected {wanted}", len(text) + 1) from None
        hint = did_you_mean(str(wrong), ("place", "in", "game", "pool"))
        raise FragmentError(f"'{wrong}' cannot stand here, expected {wanted}", wrong.column or 1, len(wrong), hint) from None
    return tuple(_statement(child) for child in start.children if not _is_token(child))


def _is_token(part: Part) -> bool:
    return not hasattr(part, "data")


def _column(part: Part) -> int:
    from rulescript.syntax.shape import edge

    return typing.cast(int, edge(part, 0).column)


def _children(part: Part, name: str) -> list[Tree[Token]]:
    return [child for child in part.children if not _is_token(child) and child.data == name]  # type: ignore[union-attr,misc]


def _words(part: Part) -> list[Token]:
    """The names, things and numbers directly in a tree."""
    return [child for child in part.children if _is_token(child) and child.type in ("NAME", "REF", "INT")]  # type: ignore[union-attr,misc]


def _things(part: Part) -> tuple[PutThing, ...]:
    return tuple(_thing(child) for owner in _children(part, "things") for child in _children(owner, "thing"))


def _inner(part: Part) -> tuple[PutThing, ...]:
    return tuple(thing for owner in _children(part, "inner") for thing in _things(owner))


def _pairs(part: Part) -> tuple[PutPair, ...]:
    return tuple(_pair(child) for child in _children(part, "pair"))


def _thing(part: Tree[Token]) -> PutThing:
    words = _words(part)
    count = int(words[1]) if len(words) > 1 else None
    faces = [str(_words(child)[0]) for child in _children(part, "word")]
    return PutThing(str(words[0]), count, faces[0] if faces else None, _inner(part), _pairs(part), column=_column(part))


def _pair(part: Tree[Token]) -> PutPair:
    name = str(part.children[0])
    column = _column(part)
    last = part.children[1]
    value: int | PutThing | tuple[PutThing, ...]
    if _is_token(last) and last.type == "INT":  # type: ignore[union-attr]
        value = int(str(last))
    elif not _is_token(last) and last.data == "item":  # type: ignore[union-attr]
        value = PutThing(str(_words(last)[0]), None, None, _inner(last), (), column=_column(last))
    else:
        owners = [part, *_children(part, "value")]
        value = tuple(thing for owner in owners for thing in _things(owner))
    return PutPair(name, value, column=column)


def _statement(part: Tree[Token]) -> Statement:
    column = _column(part)
    words = _words(part)
    match str(part.data):
        case "place":
            where = [str(word) for word in _words(_children(part, "where")[0])]
            number = int(words[1]) if len(words) > 1 else None
            to = where[1] if len(where) > 1 else None
            return PutPlace(str(words[0]), number, where[0], to, _pairs(part), _things(part), column=column)
        case "inside":
            spot = _words(_children(part, "spot")[0])
            member = None if len(spot) == 1 else int(spot[1]) if spot[1].type == "INT" else str(spot[1])
            return PutInside(str(spot[0]), member, _things(part), column=column)
        case "game":
            return PutGame(_pairs(part), column=column)
        case "pool":
            return PutPool(str(words[0]), int(words[1]), column=column)
        case _:
            return PutHere(_things(part), column=column)
