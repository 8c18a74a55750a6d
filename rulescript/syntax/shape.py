"""Reading Lark's parse trees: what the builders of effect trees share."""

from __future__ import annotations

import typing

from lark import Token, Tree

from rulescript.tree import NO_NOTES, Notes, Once, Span, TypeRef

Part = Tree[Token] | Token

PREPOSITIONS = frozenset({"PREP", "BY", "IN", "FROM"})
_LAYOUT = frozenset({"_NL", "SEMICOLON", "COMMA"})


class Place:
    """The file and the line offset of the item that is being built."""

    __slots__ = ("file", "shift")

    def __init__(self, file: str, shift: int) -> None:
        self.file = file
        self.shift = shift

    def span(self, part: Part) -> Span:
        first = edge(part, 0)
        if first is None:
            return Span(self.file, 1 + self.shift, 1, 1 + self.shift, 1)
        last: typing.Any = edge(part, -1)
        return Span(self.file, first.line + self.shift, first.column, last.end_line + self.shift, last.end_column)


def edge(part: Part, end: int) -> typing.Any:
    """The first (`end` 0) or last (`end` -1) token of a tree; None if it has none. The grammars keep all tokens, so these are its ends."""
    if isinstance(part, Token):
        return part
    children = part.children if end == 0 else reversed(part.children)
    for child in children:
        found = edge(child, end)
        if found is not None:
            return found
    return None


def rule(part: Part) -> str:
    """The rule of a tree, or '' for a token."""
    return "" if isinstance(part, Token) else str(part.data)


def kind(part: Part) -> str:
    """The terminal of a token, or '' for a tree."""
    return part.type if isinstance(part, Token) else ""


def trees(tree: Tree[Token], name: str) -> list[Tree[Token]]:
    return [child for child in tree.children if isinstance(child, Tree) and child.data == name]


def tree(tree: Tree[Token], name: str) -> Tree[Token] | None:
    found = trees(tree, name)
    return found[0] if found else None


def token(tree: Tree[Token], name: str) -> str | None:
    for child in tree.children:
        if isinstance(child, Token) and child.type == name:
            return str(child)
    return None


def tokens(tree: Tree[Token], name: str) -> list[str]:
    return [str(child) for child in tree.children if isinstance(child, Token) and child.type == name]


def after(tree: Tree[Token], name: str) -> Part | None:
    """The child that follows the token of this terminal."""
    for index, child in enumerate(tree.children[:-1]):
        if isinstance(child, Token) and child.type == name:
            return tree.children[index + 1]
    return None


def content(tree: Tree[Token]) -> list[Part]:
    """The children without separators."""
    return [child for child in tree.children if kind(child) not in _LAYOUT]


def string(text: str) -> str:
    return text[1:-1]


def type_ref(part: Tree[Token], place: Place) -> TypeRef:
    return TypeRef(str(part.children[0]), token(part, "TYPEMARK") or "", span=place.span(part))


def notes_of(part: Tree[Token], place: Place) -> Notes:
    """All notes of a line in one record; of two of a kind the later counts, rule ids and limits add up."""
    copies: int | None = None
    certainty: str | None = None
    source: str | None = None
    cites: list[str] = []
    once: list[Once] = []
    because: str | None = None
    secret = False
    found = False
    for note in part.children:
        if isinstance(note, Token):
            continue
        match str(note.data):
            case "note_copies":
                copies = int(str(note.children[0])[1:])
            case "note_certainty":
                certainty = str(note.children[0])
                source = string(str(note.children[1])) if len(note.children) > 1 else None
            case "note_cites":
                cites += tokens(note, "RULE_ID")
            case "note_once":
                names = tokens(note, "NAME")
                once.append(Once(names[0], names[1] if len(names) > 1 else None, span=place.span(note)))
            case "note_because":
                because = string(token(note, "STRING") or '""')
            case "note_secret":
                secret = True
            case _:
                continue
        found = True
    return Notes(copies, certainty, source, tuple(cites), tuple(once), because, secret) if found else NO_NOTES
