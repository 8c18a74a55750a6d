"""Names that nothing reads, and the list of stand-ins."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.check.report import Report
from rulescript.check.template import slots
from rulescript.check.vocabulary import parts
from rulescript.table.definition import Source


def _mentioned(entries: list[tuple[t.Node, Source]]) -> set[str]:
    """Every word that some line reads: names, members, functions, slots of texts."""
    found: set[str] = set()
    for node, _ in entries:
        for part in parts(node):
            if isinstance(part, t.Name | t.Function):
                found.add(part.name)
            elif isinstance(part, t.Get | t.Ask | t.Your | t.Modify):
                found.add(part.member)
            elif isinstance(part, t.Text):
                found |= {word for chain in slots(part.value) for word in chain}
            elif isinstance(part, t.Option | t.May | t.Action) and part.label:
                found |= {word for chain in slots(part.label) for word in chain}
    return found


def check_unread(entries: list[tuple[t.Node, Source]], report: Report) -> None:
    """W-UNREAD for `let` names that no line of any item reads."""
    mentioned = _mentioned(entries)
    for node, _ in entries:
        for part in parts(node):
            if isinstance(part, t.Let) and part.name not in mentioned:
                report.add("W-UNREAD", f"nothing reads '{part.name}'", part.span, word=part.name, right=mentioned)


def list_house(entries: list[tuple[t.Node, Source]], report: Report) -> None:
    """W-HOUSE for everything in content that is of the authors' own making."""
    for node, _ in entries:
        for part in parts(node):
            notes = getattr(part, "notes", None)
            if isinstance(notes, t.Notes) and notes.certainty == "house":
                report.add("W-HOUSE", notes.source or "no reason given", report.span_of("house", part.span))
