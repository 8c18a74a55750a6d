"""Cutting a file at its top-level items: each begins in column 1 and nothing else does but its closing bracket."""

from __future__ import annotations

import re

import attrs

_PIECE = re.compile(r'"[^"\n]*"|#[^\n]*|[{}()\[\]]')
_CONTINUES = re.compile(r"(?:else|and|or|where|by|to|in|on|from|with|via|for|into|among|cites|because|once)\b")


@attrs.frozen
class Chunk:
    """The text of one item, the 1-based line of its first character, and how its curly brackets stand.

    `open_at` is the (line, column) of a `{` that is never closed, `extra_at` that of a `}` which closes nothing.
    """

    text: str
    line: int
    offset: int
    open_at: tuple[int, int] | None
    extra_at: tuple[int, int] | None


def _brackets(text: str, first: int) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
    opened: list[int] = []
    extra: int | None = None
    for piece in _PIECE.finditer(text):
        if piece.group() == "{":
            opened.append(piece.start())
        elif piece.group() == "}":
            if opened:
                opened.pop()
            elif extra is None:
                extra = piece.start()

    def position(at: int | None) -> tuple[int, int] | None:
        return None if at is None else (first + text.count("\n", 0, at), at - text.rfind("\n", 0, at))

    return position(opened[-1] if opened else None), position(extra)


def cut(text: str) -> list[Chunk]:
    r"""The items of a file in order; blank lines and comments between them belong to none.

    >>> [(c.line, c.text) for c in cut("# top\nkind a\n\nkind b {\n  limit 1\n}\n")]
    [(2, 'kind a\n'), (4, 'kind b {\n  limit 1\n}\n')]
    """
    starts: list[tuple[int, int]] = []
    offset = 0
    begun = False
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        head = line[0]
        if head not in " \t\r\n#" and not (begun and (head == "}" or head in ")]" or _CONTINUES.match(line))):
            starts.append((offset, number))
            begun = True
        offset += len(line)
    chunks = []
    for index, (start, number) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else len(text)
        body = _without_trailing_comments(text[start:end])
        chunks.append(Chunk(body, number, start, *_brackets(body, number)))
    return chunks


def _without_trailing_comments(body: str) -> str:
    lines = body.splitlines(keepends=True)
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    return "".join(lines)
