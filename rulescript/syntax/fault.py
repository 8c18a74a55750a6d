"""Syntax errors in words for people."""

from __future__ import annotations

import re

from lark import Token, UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from rulescript.diagnostic import Diagnostic
from rulescript.nearest import did_you_mean, distance, nearest
from rulescript.syntax.cut import Chunk
from rulescript.syntax.words import RESERVED, keywords, spoken
from rulescript.tree import Span

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _span(file: str, line: int, column: int, width: int) -> Span:
    return Span(file, line, column, line, column + max(1, width))


def bracket_fault(chunk: Chunk, file: str) -> Diagnostic | None:
    """The finding for a block that is never closed, or closed twice."""
    if chunk.open_at is not None:
        line, column = chunk.open_at
        notes = ("every line inside a block is indented: a line in column 1 begins a new item",)
        return Diagnostic("E-SYNTAX", "this '{' is never closed", _span(file, line, column, 1), ("'}' before the next item",), None, notes)
    if chunk.extra_at is not None:
        line, column = chunk.extra_at
        return Diagnostic("E-SYNTAX", "this '}' closes nothing", _span(file, line, column, 1))
    return None


def syntax_fault(error: UnexpectedInput, chunk: Chunk, file: str, accepted: set[str], seen: list[Token]) -> Diagnostic:
    """The finding for a text that the grammar does not take. `accepted`: terminals that could stand here; `seen`: tokens before it."""
    shift = chunk.line - 1
    if isinstance(error, UnexpectedCharacters):
        return _character_fault(error, chunk, file, accepted, seen)
    found = error.token if isinstance(error, UnexpectedToken) else Token("$END", "")
    at_end = found.type == "$END" or not str(found)
    line = (seen[-1].end_line or 1) if at_end and seen else (found.line or 1)
    column = (seen[-1].end_column or 1) if at_end and seen else (found.column or 1)
    ended = at_end or found.type == "_NL"
    word = "" if ended else str(found)
    span = _span(file, line + shift, column, len(word))
    expected = spoken(accepted)
    row = [token for token in seen if token.end_line == line and token.type == "NAME"]
    hint = _hint(word, accepted, row, expected)
    if word in RESERVED and {"NAME", "MEMBER"} & accepted and hint is None:
        return Diagnostic("E-RESERVED", f"'{word}' is a reserved word and cannot be a name here", span, expected)
    message = "the line ends too early" if ended else f"'{word}' cannot stand here"
    return Diagnostic("E-SYNTAX", message, span, expected, hint)


def _hint(word: str, accepted: set[str], row: list[Token], expected: tuple[str, ...]) -> str | None:
    here = keywords(accepted)
    if word == "instead":
        return "write 'instead of' and the event that is replaced"
    if word and _WORD.fullmatch(word):
        hint = did_you_mean(word, here)
        if hint is not None:
            return hint
    for token in [*row[:1], *reversed(row[1:])]:
        text = str(token)
        close = nearest(text, RESERVED)
        if close is None or text in RESERVED or distance(text, close) > (1 if len(text) < 6 else 2):
            continue
        if len(text) > 3 or sorted(text) == sorted(close):
            return f"'{text}' in this line: did you mean '{close}'?"
    return None


def _character_fault(error: UnexpectedCharacters, chunk: Chunk, file: str, accepted: set[str], seen: list[Token]) -> Diagnostic:
    line, column = error.line + chunk.line - 1, error.column
    text = chunk.text.split("\n")[error.line - 1]
    rest = text[column - 1 :]
    expected = spoken(accepted)
    if rest.startswith('"'):
        return Diagnostic("E-SYNTAX", "this text is not closed in its line", _span(file, line, column, len(rest.rstrip())), ("'\"'",))
    match = _WORD.match(rest)
    if match is None:
        hint = "tabs and spaces are the only blanks" if ord(rest[0]) > 127 and rest[0].isspace() else None
        return Diagnostic("E-SYNTAX", f"{rest[0]!r} cannot stand here", _span(file, line, column, 1), expected, hint)
    word = match.group()
    span = _span(file, line, column, len(word))
    if word in RESERVED and {"NAME", "MEMBER"} & accepted and did_you_mean(word, keywords(accepted)) is None:
        return Diagnostic("E-RESERVED", f"'{word}' is a reserved word and cannot be a name here", span, expected)
    row = [token for token in seen if token.end_line == error.line and token.type == "NAME"]
    hint = _hint(word, accepted, row, expected)
    if hint is None and word.lower() != word and "NAME" in accepted:
        hint = "names are written in small letters, digits and _"
    return Diagnostic("E-SYNTAX", f"'{word}' cannot stand here", span, expected, hint)
