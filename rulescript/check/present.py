"""`present.yaml`: every name in it must be one that the packs declare."""

from __future__ import annotations

import typing
from collections.abc import Iterable
from pathlib import Path

from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary
from rulescript.diagnostic import Diagnostic
from rulescript.nearest import did_you_mean, nearest
from rulescript.pack.load import LoadedPacks
from rulescript.pack.roots import shown
from rulescript.tree import Span

KEYS: typing.Final = ("kinds", "map", "places", "seat", "bar", "actions", "alarms", "endings", "format")
KIND_KEYS: typing.Final = ("sign", "words", "role", "order", "colour", "label", "facts", "number")
MAP_KEYS: typing.Final = ("type", "rows")


def check_presents(loaded: LoadedPacks, words: Vocabulary, report: Report) -> None:
    """E-WORD for unknown names, E-PACK for a file that is no table of names."""
    for pack in loaded.packs:
        path = pack.manifest.folder / "present.yaml"
        if path.is_file():
            report.findings += _PresentFile(path, words).check()


class _PresentFile:
    def __init__(self, path: Path, words: Vocabulary) -> None:
        self.path = path
        self.file = shown(path)
        self.words = words
        self.findings: list[Diagnostic] = []

    def check(self) -> list[Diagnostic]:
        import yaml

        try:
            document = yaml.compose(self.path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
            return [Diagnostic("E-PACK", error.problem or "not YAML", Span(self.file, line, column, line, column + 1))]
        table = self.words.table
        fields = set(self.words.members) | set(table.zones) | set(table.tracks)
        for key, value in self._pairs(document):
            name = str(key.value)
            if name not in KEYS:
                self._slip(key, "key", KEYS)
            elif name == "kinds":
                self._kinds(value)
            elif name == "map":
                for inner, _ in self._pairs(value):
                    self._slip(inner, "key of 'map'", MAP_KEYS)
            elif name == "places":
                for inner, _ in self._pairs(value):
                    self._known(inner, "place", self.words.places | set(table.definitions) | set(table.kinds) | set(table.zones))
            elif name == "actions":
                for inner in self._items(value):
                    self._known(inner, "action", self.words.actions)
            elif name in ("seat", "bar"):
                for inner in self._items(value):
                    self._known(inner, "field, zone or track", fields | set(table.kinds) | set(table.definitions))
            elif name == "endings":
                for inner in self._items(value):
                    self._known(inner, "procedure", {head.verb for head in table.heads if head.text})
            elif name == "alarms":
                self._alarms(value, fields)
        return self.findings

    def _kinds(self, node: typing.Any) -> None:
        for key, value in self._pairs(node):
            self._known(key, "kind", {*self.words.table.kinds, *self.words.table.definitions})
            for inner, _ in self._pairs(value):
                self._slip(inner, "key of a kind", KIND_KEYS)

    def _alarms(self, node: typing.Any, fields: set[str]) -> None:
        for alarm in self._items(node):
            for key, value in self._pairs(alarm):
                self._known(key, "key of an alarm", ("when", "say"))
                if str(key.value) == "when" and str(value.value).rsplit(".", 1)[-1] not in fields:
                    self._unknown(value, "question", fields)

    def _pairs(self, node: typing.Any) -> Iterable[tuple[typing.Any, typing.Any]]:
        if isinstance(node.value, list) and all(isinstance(pair, tuple) for pair in node.value):
            yield from node.value
        else:
            self._report("E-PACK", node, "expected 'name: value' pairs", None)

    def _items(self, node: typing.Any) -> Iterable[typing.Any]:
        if isinstance(node.value, list) and not any(isinstance(item, tuple) for item in node.value):
            yield from node.value
        else:
            self._report("E-PACK", node, "expected a list", None)

    def _known(self, node: typing.Any, what: str, right: Iterable[str]) -> None:
        if str(node.value) not in set(right):
            self._unknown(node, what, right)

    def _slip(self, node: typing.Any, what: str, right: Iterable[str]) -> None:
        """Which keys there are is the faces' affair: only what looks like a misspelt one is reported."""
        word = str(node.value)
        if word not in set(right) and nearest(word, right) is not None:
            self._unknown(node, what, right)

    def _unknown(self, node: typing.Any, what: str, right: Iterable[str]) -> None:
        self._report("E-WORD", node, f"there is no {what} '{node.value}'", did_you_mean(str(node.value), right))

    def _report(self, code: str, node: typing.Any, message: str, hint: str | None) -> None:
        start, end = node.start_mark, node.end_mark
        column = end.column + 1 if end.line == start.line else start.column + 2
        span = Span(self.file, start.line + 1, start.column + 1, start.line + 1, max(column, start.column + 2))
        self.findings.append(Diagnostic(code, message, span, hint=hint))
