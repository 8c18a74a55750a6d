"""Counts of the manifest against those of the content."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary
from rulescript.nearest import did_you_mean
from rulescript.pack.load import LoadedPacks


def check_components(loaded: LoadedPacks, words: Vocabulary, report: Report) -> None:
    """E-COUNT: `components` of a manifest must be the `limit` of the kind, or the copies of its definitions."""
    table = words.table
    for pack in loaded.packs:
        for name, wanted in pack.manifest.components.items():
            at = _place(name, pack.manifest.file, report)
            info = table.kinds.get(name)
            if info is None:
                report.add("E-COUNT", f"'{name}' is no kind", at, hint=did_you_mean(name, table.kinds))
                continue
            copies = sum(made.copies for made in table.definitions.values() if made.kind == name and made.source.pack == pack.id)
            found = info.limit if info.limit is not None else copies
            if found != wanted:
                what = "its limit says" if info.limit is not None else "its definitions make"
                report.add("E-COUNT", f"the manifest counts {wanted} {name}, {what} {found}", at)


def _place(name: str, file: str, report: Report) -> t.Span:
    try:
        with open(file, encoding="utf-8") as handle:
            report.add_text(file, handle.read())
    except OSError:
        return t.Span(file, 1, 1, 1, 2)
    lines = report.lines[file]
    start = next((number for number, line in enumerate(lines, 1) if line.startswith("components")), 1)
    return report.span_of(name, t.Span(file, start, 1, len(lines), 10_000))
