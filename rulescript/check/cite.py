"""Rule ids in `cites`: slips of the pen, by comparison with all others."""

from __future__ import annotations

import re
from collections import Counter

from rulescript import tree as t
from rulescript.check.report import Report
from rulescript.check.vocabulary import parts
from rulescript.nearest import distance
from rulescript.table.definition import Source

_FORM = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-[0-9]{2,3}[a-z]?")


def check_cites(entries: list[tuple[t.Node, Source]], report: Report) -> None:
    """E-CITE: an id twice in one note, one without a number, or one whose group occurs once and is almost a common group."""
    found: list[tuple[str, t.Span]] = []
    for node, _ in entries:
        for part in parts(node):
            notes = getattr(part, "notes", None)
            if not isinstance(notes, t.Notes):
                continue
            for rule, count in Counter(notes.cites).items():
                found.append((rule, part.span))
                if count > 1:
                    report.add("E-CITE", f"{rule} is cited twice in one note", report.span_of(rule, part.span))
    groups = Counter(_group(rule) for rule, _ in found)
    common = [group for group, count in groups.items() if count > 1]
    for rule, span in found:
        group = _group(rule)
        if not _FORM.fullmatch(rule):
            report.add("E-CITE", f"'{rule}' is no rule id: it ends in a number of two digits", report.span_of(rule, span))
        elif groups[group] == 1:
            close = sorted(other for other in common if distance(group, other, 2) <= (1 if len(group) < 8 else 2))
            if close:
                hint = f"did you mean {close[0]}-{rule.rsplit('-', 1)[-1]}?"
                report.add("E-CITE", f"no other line cites a rule of '{group}'", report.span_of(rule, span), hint=hint)


def _group(rule: str) -> str:
    return rule.rsplit("-", 1)[0]
