"""Collecting findings, and finding the very words that they are about."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from rulescript import tree as t
from rulescript.diagnostic import Diagnostic
from rulescript.nearest import did_you_mean


class Report:
    """The findings of one run; `sources` maps file names to their lines."""

    def __init__(self) -> None:
        self.findings: list[Diagnostic] = []
        self.lines: dict[str, list[str]] = {}

    def add_text(self, file: str, text: str) -> None:
        self.lines[file] = text.split("\n")

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """What is found inside is not reported: it was looked at before."""
        before = len(self.findings)
        yield
        del self.findings[before:]

    def span_of(self, word: str, within: t.Span, skip: int = 0) -> t.Span:
        """The first place of a whole word inside a stretch of source; the stretch itself if it is not there."""
        lines = self.lines.get(within.file)
        if lines is None or not word:
            return within
        pattern = re.compile(rf"(?<![A-Za-z0-9_#]){re.escape(word)}(?![A-Za-z0-9_])")
        for number in range(within.line, min(within.end_line, len(lines)) + 1):
            text = lines[number - 1]
            start = within.column - 1 if number == within.line else 0
            end = within.end_column - 1 if number == within.end_line else len(text)
            for found in pattern.finditer(text, start, end):
                if skip:
                    skip -= 1
                    continue
                return t.Span(within.file, number, found.start() + 1, number, found.end() + 1)
        return within

    def add(
        self, code: str, message: str, span: t.Span, *, word: str = "", right: Iterable[str] = (), expected: Iterable[str] = (),
        hint: str | None = None, last: bool = False,
    ) -> None:  # fmt: skip
        """A finding about `word` inside `span`; `right` are the words that could stand there, for the nearest one."""
        if word:
            hint = hint or did_you_mean(word, right)
            span = self._last(word, span) if last else self.span_of(word, span)
        self.findings.append(Diagnostic(code, message, span, tuple(expected), hint))

    def _last(self, word: str, within: t.Span) -> t.Span:
        best, skip = self.span_of(word, within), 0
        while True:
            skip += 1
            found = self.span_of(word, within, skip)
            if found == within:
                return best
            best = found
