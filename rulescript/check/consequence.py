"""Findings that only follow from an item that did not parse: names that it would have declared are not called unknown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulescript.check.report import Report
from rulescript.diagnostic import Diagnostic
from rulescript.pack.load import LoadedPacks, PackFile
from rulescript.syntax.cut import cut

_WORD = re.compile(r"[a-z][a-z0-9_]*")


def _broken_words(report: Report, file: PackFile) -> set[str]:
    """All words of the items of a file that did not parse."""
    if not file.parsed.diagnostics:
        return set()
    good = {item.span.line for item in file.parsed.items}
    text = "\n".join(report.lines.get(file.parsed.file, []))
    return {word for chunk in cut(text) if chunk.line not in good for word in _WORD.findall(chunk.text)}


def _files(loaded: LoadedPacks, more: PackFile | None) -> Iterator[PackFile]:
    for pack in loaded.packs:
        yield from (file for file in pack.files if not file.test)
    if more is not None:
        yield more


def without_consequences(report: Report, loaded: LoadedPacks, more: PackFile | None = None) -> list[Diagnostic]:
    """The findings of a report, without unknown words that stand in a broken item."""
    broken: set[str] = set()
    for file in _files(loaded, more):
        broken |= _broken_words(report, file)
    if not broken:
        return report.findings
    return [
        finding for finding in report.findings if finding.code not in ("E-WORD", "W-DEAD", "E-PACK") or _said(report, finding) not in broken
    ]


def _said(report: Report, finding: Diagnostic) -> str:
    lines = report.lines.get(finding.span.file, [])
    line = lines[finding.span.line - 1] if 0 < finding.span.line <= len(lines) else ""
    return line[finding.span.column - 1 : finding.span.end_column - 1]
