"""Text to trees, item by item: one broken item does not hide the errors of the others."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import attrs

from rulescript.diagnostic import Diagnostic
from rulescript.syntax.cut import Chunk, cut
from rulescript.syntax.grammar import parser
from rulescript.syntax.item import Item, ParsedFile
from rulescript.syntax.store import FileStore

if typing.TYPE_CHECKING:
    from lark import Token, Tree

_MOST_FAULTS: typing.Final = 5


def parse_text(text: str, file: str, cache_dir: Path | None = None, *, cached: bool = True) -> ParsedFile:
    """The items of a text; findings for those that do not parse. With `cached` an unchanged text is not parsed again.

    >>> parsed = parse_text("kind rat { limit 3 }\\n", "a.nrs", cached=False)
    >>> type(parsed.items[0].node).__name__, parsed.diagnostics
    ('Kind', ())
    """
    store = FileStore(cache_dir) if cached else None
    if store is not None:
        known = store.load(text, file)
        if known is not None:
            return known
    items: list[Item] = []
    findings: list[Diagnostic] = []
    unclosed = False
    for chunk in cut(text):
        if unclosed and chunk.open_at is None and chunk.extra_at is not None:
            # The rest of a block whose lines stand in column 1: already reported where it was opened.
            unclosed = False
            continue
        unclosed = unclosed or chunk.open_at is not None
        _parse_chunk(chunk, file, items, findings)
    parsed = ParsedFile(file, tuple(items), tuple(findings))
    if store is not None:
        store.save(text, parsed)
    return parsed


def parse_file(path: Path, cache_dir: Path | None = None, *, name: str | None = None) -> ParsedFile:
    """`parse_text` of a file. Raises OSError if it cannot be read, UnicodeDecodeError if it is not UTF-8."""
    return parse_text(path.read_text(encoding="utf-8"), name or str(path), cache_dir)


def _parse_chunk(chunk: Chunk, file: str, items: list[Item], findings: list[Diagnostic]) -> None:
    from rulescript.syntax.build_item import build_items
    from rulescript.syntax.fingerprint import fingerprint, top_level

    found = _read(chunk, file)
    if isinstance(found, Diagnostic):
        findings.append(found)
        _further(chunk, file, found, findings)
        return
    start, seen = found
    groups = top_level(seen)
    nodes = build_items(start, file, chunk.line - 1)
    for node, group in zip(nodes, groups, strict=True):
        text = chunk.text[group[0].start_pos : group[-1].end_pos]
        items.append(Item(node.span, fingerprint(group), text, node))


def _read(chunk: Chunk, file: str) -> Diagnostic | tuple[Tree[Token], list[Token]]:
    """The parse tree of an item and its tokens, or the first fault."""
    from lark import UnexpectedInput

    from rulescript.syntax.fault import bracket_fault, syntax_fault

    seen: list[Token] = []
    state = parser("nrs").parse_interactive(chunk.text)
    try:
        for token in state.iter_parse():
            seen.append(token)
        return state.feed_eof(seen[-1] if seen else None), seen  # type: ignore[no-untyped-call]
    except UnexpectedInput as error:
        accepted = set(state.accepts())  # type: ignore[no-untyped-call]
        finding = bracket_fault(chunk, file)
        if finding is None or not _at_the_end(error, chunk):
            finding = syntax_fault(error, chunk, file, accepted, seen)
        return finding


def _further(chunk: Chunk, file: str, first: Diagnostic, findings: list[Diagnostic]) -> None:
    """More faults of the same item: the faulty line is blanked and the rest is read again, as long as that is safe.

    Safe is a line inside the item whose brackets are closed in it; a fault in the line after it is taken for a consequence.
    """
    lines = chunk.text.split("\n")
    last = first
    for _ in range(_MOST_FAULTS):
        at = last.span.line - chunk.line
        if at <= 0 or at >= len(lines) or not _closed(lines[at]) or chunk.open_at is not None or chunk.extra_at is not None:
            return
        lines[at] = ""
        found = _read(attrs.evolve(chunk, text="\n".join(lines)), file)
        if not isinstance(found, Diagnostic) or found.span.line <= last.span.line + 1:
            return
        findings.append(found)
        last = found


def _closed(line: str) -> bool:
    """Whether the brackets of a line are closed in it."""
    plain = re.sub(r'"[^"\n]*"|#.*', "", line)
    return '"' not in plain and all(plain.count(left) == plain.count(right) for left, right in ("()", "[]", "{}"))


def _at_the_end(error: typing.Any, chunk: Chunk) -> bool:
    """Does the parse fail at the end of the item, or at the bracket that closes nothing?"""
    token = getattr(error, "token", None)
    if token is None:
        return False
    if token.type == "$END":
        return True
    return chunk.extra_at is not None and (token.line + chunk.line - 1, token.column) >= chunk.extra_at
