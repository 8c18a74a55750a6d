"""Checks that look at all items together."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.check.cite import check_cites
from rulescript.check.clash import check_clashes
from rulescript.check.component import check_components
from rulescript.check.double import check_doubles
from rulescript.check.graph import check_graphs
from rulescript.check.lock import check_locks
from rulescript.check.present import check_presents
from rulescript.check.report import Report
from rulescript.check.unread import check_unread
from rulescript.check.unset import check_unset
from rulescript.check.vocabulary import Vocabulary
from rulescript.pack.load import LoadedPacks
from rulescript.table.definition import Source


def check_whole(loaded: LoadedPacks, entries: list[tuple[t.Node, Source]], words: Vocabulary, report: Report) -> None:
    """Doubles, draws, cycles, endings, clashes of packs, component counts, rule ids, values left out."""
    check_doubles(entries, words, report)
    check_graphs(loaded, entries, words, report)
    check_clashes(loaded, entries, words, report)
    check_components(loaded, words, report)
    check_cites(entries, report)
    check_unread(entries, report)
    check_unset(words, report)
    check_presents(loaded, words, report)
    check_locks(loaded, words, report)
