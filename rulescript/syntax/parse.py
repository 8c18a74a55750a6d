"""Text to trees, item by item: one broken item does not hide the errors of the others."""

from __future__ import annotations

import typing
from pathlib import Path

from rulescript.diagnostic import Diagnostic
from rulescript.syntax.cut import Chunk, cut
from rulescript.syntax.grammar import parser
from rulescript.syntax.item import Item, ParsedFile
from rulescript.syntax.store import FileStore

if typing.TYPE_CHECKING:
    from lark import Token


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
    from lark import UnexpectedInput

    from rulescript.syntax.build_item import build_items
    from rulescript.syntax.fault import bracket_fault, syntax_fault
    from rulescript.syntax.fingerprint import fingerprint, top_level

    seen: list[Token] = []
    state = parser("nrs").parse_interactive(chunk.text)
    try:
        for token in state.iter_parse():
            seen.append(token)
        start = state.feed_eof(seen[-1] if seen else None)  # type: ignore[no-untyped-call]
    except UnexpectedInput as error:
        accepted = set(state.accepts())  # type: ignore[no-untyped-call]
        finding = bracket_fault(chunk, file)
        if finding is None or not _at_the_end(error, chunk):
            finding = syntax_fault(error, chunk, file, accepted, seen)
        findings.append(finding)
        return
    groups = top_level(seen)
    nodes = build_items(start, file, chunk.line - 1)
    for node, group in zip(nodes, groups, strict=True):
        text = chunk.text[group[0].start_pos : group[-1].end_pos]
        items.append(Item(node.span, fingerprint(group), text, node))


def _at_the_end(error: typing.Any, chunk: Chunk) -> bool:
    """Does the parse fail at the end of the item, or at the bracket that closes nothing?"""
    token = getattr(error, "token", None)
    if token is None:
        return False
    if token.type == "$END":
        return True
    return chunk.extra_at is not None and (token.line + chunk.line - 1, token.column) >= chunk.extra_at
