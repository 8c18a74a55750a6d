"""Words that no list declares: fine if the packs both write and ask for them, a slip of the pen otherwise."""

from __future__ import annotations

import attrs

from rulescript import tree as t
from rulescript.check.report import Report
from rulescript.nearest import nearest


@attrs.frozen
class _Use:
    span: t.Span
    near: tuple[str, ...]


@attrs.define
class WordPool:
    """Occurrences of undeclared words by what is done with them."""

    reads: dict[str, list[_Use]] = attrs.field(factory=dict)
    writes: dict[str, list[_Use]] = attrs.field(factory=dict)
    rows: dict[str, list[_Use]] = attrs.field(factory=dict)

    def add(self, word: str, span: t.Span, role: str, near: set[str]) -> None:
        uses = self.reads if role == "read" else self.rows if role == "row" else self.writes
        uses.setdefault(word, []).append(_Use(span, tuple(near)))

    def report(self, report: Report, right: set[str], other: WordPool | None = None) -> None:
        """A finding for each use of a word that is only read or only written."""
        both = (self.reads.keys() | self.rows.keys()) & self.writes.keys()
        if other is not None:
            # What the game does with a word counts for its tests as well.
            both = both | ((self.reads.keys() | self.rows.keys()) & other.writes.keys())
            both = both | (self.writes.keys() & (other.reads.keys() | other.rows.keys()))
        for word, found in self.rows.items():
            for use in found if word not in both else ():
                local = nearest(word, right | both)
                hint = f"did you mean '{local}'?" if local else None
                report.add("W-DEAD", f"nothing asks for the row '{word}'", report.span_of(word, use.span), hint=hint)
        for uses, what in ((self.reads, ""), (self.writes, ", and no line asks for such a word")):
            for word, found in uses.items():
                if word in both:
                    continue
                for use in found:
                    local = nearest(word, use.near) or nearest(word, right | both)
                    hint = f"did you mean '{local}'?" if local else "a word of its own is declared in a list: words NAME with [...]"
                    message = f"nothing is called '{word}' here{what}"
                    report.add("E-WORD", message, report.span_of(word, use.span), hint=hint)
