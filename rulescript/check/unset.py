"""Printed values that a definition leaves out."""

from __future__ import annotations

from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary


def check_unset(words: Vocabulary, report: Report) -> None:
    """E-FIELD: a plain field (number, flag, word, amount) without a default and without `?` is one that each definition says itself."""
    table = words.table
    plain = {"number", "flag", "word"} | words.units
    for made in table.definitions.values():
        kinds = dict.fromkeys(up for kind in made.kinds for up in table.ancestors(kind) if up in table.kinds)
        said = set(made.values).union(*(table.kinds[up].values for up in kinds))
        for kind in kinds:
            for field in table.kinds[kind].fields.values():
                if field.default is not None or field.type.mark or field.type.name not in plain or field.name in said:
                    continue
                hint = f"write '{field.name} …' here, or give the field a default, or a '?' where it may have no value"
                where = report.span_of(made.node.word, made.node.span)
                report.add("E-FIELD", f"\"{made.title}\" says nothing for '{field.name}', a {kind} has no default for it", where, hint=hint)
