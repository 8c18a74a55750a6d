"""All checks over a set of loaded packs."""

from __future__ import annotations

from collections.abc import Iterable

from rulescript import tree as t
from rulescript.check.consequence import without_consequences
from rulescript.check.item import ItemChecker
from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary
from rulescript.check.whole import check_whole
from rulescript.check.wordpool import WordPool
from rulescript.diagnostic import Diagnostic, sorted_findings
from rulescript.pack.load import LoadedPack, LoadedPacks, PackFile
from rulescript.table.declarations import declare
from rulescript.table.definition import Source

Entry = tuple[t.Node, Source]


def check_packs(loaded: LoadedPacks, tests: bool = True) -> list[Diagnostic]:
    """Syntax findings and all static checks; each test file is checked together with the packs.

    Findings come sorted by file and line.
    """
    report = _report(loaded)
    game = list(loaded.nodes())
    words = _vocabulary(game, loaded)
    pool = WordPool()
    _walk(game, words, report, pool)
    pool.report(report, words.value_names())
    check_whole(loaded, game, words, report)
    findings = [*loaded.diagnostics, *without_consequences(report, loaded)]
    if tests:
        for pack in loaded.packs:
            for file in pack.files:
                if file.test:
                    findings += check_test_file(loaded, pack, file, None, pool)
    return sorted_findings(findings)


def check_test_file(
    loaded: LoadedPacks, pack: LoadedPack, file: PackFile, tests: set[str] | None = None, pool: WordPool | None = None
) -> list[Diagnostic]:
    """The findings of a test file: it sees the game and its own items; the game does not see it.

    `tests`: hashes of the tests to check (None = all); `pool`: what the game does with undeclared words, if that is known already.
    """
    report = _report(loaded)
    report.add_text(file.parsed.file, file.path.read_text(encoding="utf-8"))
    game = list(loaded.nodes())
    own = [
        (item.node, Source(pack.id, file.name, pack.rank, order, item.hash))
        for order, item in enumerate(file.parsed.items)
        if tests is None or item.hash in tests or not isinstance(item.node, t.Test)
    ]
    if pool is None:
        pool = game_pool(loaded)
    words = _vocabulary([*game, *own], loaded)
    here = WordPool()
    _walk(own, words, report, here)
    here.report(report, words.value_names(), pool)
    return sorted_findings([*file.parsed.diagnostics, *without_consequences(report, loaded, file)])


def game_pool(loaded: LoadedPacks) -> WordPool:
    """What the game, without its tests, does with undeclared words."""
    game = list(loaded.nodes())
    pool = WordPool()
    _walk(game, _vocabulary(game, loaded), Report(), pool)
    return pool


def _report(loaded: LoadedPacks) -> Report:
    report = Report()
    for pack in loaded.packs:
        for file in pack.files:
            try:
                report.add_text(file.parsed.file, file.path.read_text(encoding="utf-8"))
            except (OSError, UnicodeDecodeError):
                continue
    return report


def _vocabulary(entries: list[Entry], loaded: LoadedPacks) -> Vocabulary:
    words = Vocabulary(declare(entries), loaded.modes)
    words.collect_labels(node for node, _ in entries)
    return words


def _walk(entries: Iterable[Entry], words: Vocabulary, report: Report, pool: WordPool) -> None:
    checker = ItemChecker(words, report, pool)
    for node, source in entries:
        checker.item(node, source)
