"""Checking the text form of a position inside tests."""

from __future__ import annotations

from collections.abc import Iterable

from rulescript import tree as t
from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary
from rulescript.nearest import did_you_mean
from rulescript.syntax.fragment import FragmentError, parse_fragment
from rulescript.tree.fragment import PutGame, PutInside, PutPair, PutPlace, PutPool, PutThing


def _at(node: t.Text, column: int, width: int) -> t.Span:
    start = node.span.column + column  # the opening quote is one column
    return t.Span(node.span.file, node.span.line, start, node.span.line, start + max(1, width))


def check_fragment(node: t.Text, words: Vocabulary, report: Report) -> None:
    """Syntax, and the names of kinds, things, fields and zones."""
    try:
        statements = parse_fragment(node.value)
    except FragmentError as error:
        report.add("E-FRAGMENT", error.message, _at(node, error.column, error.width), hint=error.hint)
        return

    def unknown(name: str, column: int, what: str, right: Iterable[str]) -> None:
        report.add("E-WORD", f"there is no {what} '{name}'", _at(node, column, len(name)), hint=did_you_mean(name, right))

    def thing(put: PutThing) -> None:
        base = put.name.split("#")[0]
        if base not in words.table.kinds and base not in words.table.definitions and base not in words.table.plurals:
            unknown(put.name, put.column, "kind or thing", set(words.table.kinds) | set(words.table.definitions))
        for inner in put.inner:
            thing(inner)
        pairs(put.pairs)

    def pairs(found: Iterable[PutPair]) -> None:
        for pair in found:
            if pair.name not in words.members and pair.name not in words.table.zones and pair.name != "face":
                right = set(words.members) | set(words.table.zones)
                unknown(pair.name, pair.column, "field or zone", right)
            if isinstance(pair.value, tuple):
                for put in pair.value:
                    thing(put)

    for statement in statements:
        if isinstance(statement, PutPlace):
            if statement.kind not in words.table.kinds:
                unknown(statement.kind, statement.column + len("place "), "kind", words.table.kinds)
            pairs(statement.pairs)
        elif isinstance(statement, PutPool) and statement.kind not in words.table.kinds:
            unknown(statement.kind, statement.column + len("pool "), "kind", words.table.kinds)
        elif isinstance(statement, PutGame):
            for pair in statement.pairs:
                if pair.name not in words.table.tracks and pair.name not in words.members and pair.name not in words.modes:
                    unknown(pair.name, pair.column, "field of the game", set(words.table.tracks) | set(words.members) | words.modes.keys())
        elif isinstance(statement, PutInside):
            base = statement.spot.split("#")[0]
            known = {*words.table.zones, *words.table.definitions, *words.table.kinds, *words.table.tracks, *words.places, "table", "box"}
            if base not in known:
                unknown(statement.spot, statement.column + len("in "), "zone, place or thing", known)
        for put in getattr(statement, "things", ()):
            thing(put)
