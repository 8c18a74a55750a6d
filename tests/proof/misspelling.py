"""Misspells one word of content at a time (outside strings, comments and first declarations) and asks the checker.

A slip is one of: two neighbouring letters swapped, one dropped, one inserted, one doubled. What is first declared is left alone: a word of
one's own invention cannot be misspelled.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import attrs

from rulescript.check import run
from rulescript.check.item import ItemChecker
from rulescript.check.report import Report
from rulescript.check.wordpool import WordPool
from rulescript.diagnostic import Diagnostic
from rulescript.pack.load import LoadedPacks, PackFile, load_packs
from rulescript.syntax.cut import cut
from rulescript.syntax.item import Item
from rulescript.syntax.parse import parse_text

TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|[A-Za-z][A-Za-z0-9_]*(?:-[A-Z0-9]+[a-z]?)*(?:#[0-9]+)?|[0-9]+|\S')
DECLARES = frozenset({"kind", "has", "procedure", "step", "order", "action", "let", "as", "choose", "label", "test"}) | frozenset(
    {"zone", "die", "track", "words", "harm", "hope", "map", "node"}
)
KINDS_OF_SLIP = ("swap", "drop", "insert", "double")


@attrs.frozen
class Slip:
    """A word of a file, at an offset, and what it became."""

    file: str
    offset: int
    word: str
    became: str
    how: str


def places(text: str) -> Iterator[re.Match[str]]:
    """The words of a text that may be misspelled."""
    before = ["", "", ""]
    listing = False
    for token in TOKEN.finditer(text):
        word = token.group()
        if word[0] == "#":
            continue
        if word == "[" and before[-1] == "with" and before[-3] in ("words", "track", "die", "units"):
            listing = True
        elif word == "]":
            listing = False
        named = before[-1] in DECLARES or (before[-1] == "." and before[-3] == "query") or text[token.end() : token.end() + 1] == ":"
        if word[0] != '"' and len(word) > 1 and word[0].isalpha() and not re.fullmatch(r"x[0-9]+", word) and not named and not listing:
            yield token
        before = [*before[-2:], word]


def misspelled(word: str, how: str, rng: random.Random) -> str:
    at = rng.randrange(len(word))
    if how == "swap":
        at = rng.randrange(len(word) - 1)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if how == "drop":
        return word[:at] + word[at + 1 :]
    if how == "double":
        return word[:at] + word[at] + word[at:]
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return word[:at] + (letter.upper() if word[0].isupper() else letter) + word[at:]


class Speller:
    """A pack as it is, and what the checker says when one word of it is another."""

    def __init__(self, pack: str, roots: tuple[Path, ...] = ()) -> None:
        self.loaded = load_packs([pack], roots)
        self.files: dict[str, PackFile] = {file.parsed.file: file for one in self.loaded.packs for file in one.files if not file.test}
        self.texts = {name: file.path.read_text(encoding="utf-8") for name, file in self.files.items()}
        self.places = [(name, match) for name, text in self.texts.items() for match in places(text)]

    @cached_property
    def words(self) -> run.Vocabulary:
        return run._vocabulary(list(self.loaded.nodes()), self.loaded)

    @cached_property
    def base(self) -> set[tuple[str, str, str]]:
        """What the checker says of the pack as it is."""
        return {_key(finding) for finding in run.check_packs(self.loaded, tests=False)}

    def draw(self, count: int, rng: random.Random) -> list[Slip]:
        found: list[Slip] = []
        while len(found) < count:
            file, match = rng.choice(self.places)
            how = rng.choice(KINDS_OF_SLIP)
            became = misspelled(match.group(), how, rng)
            if became != match.group():
                found.append(Slip(file, match.start(), match.group(), became, how))
        return found

    def caught(self, slip: Slip) -> str | None:
        """The code of a finding that the slip brings; None if nothing is said."""
        text = self.texts[slip.file]
        new = text[: slip.offset] + slip.became + text[slip.offset + len(slip.word) :]
        chunk = [one for one in cut(new) if one.offset <= slip.offset][-1]
        parsed = parse_text("\n" * (chunk.line - 1) + chunk.text, slip.file, cached=False)
        if parsed.diagnostics:
            return parsed.diagnostics[0].code
        return self._quick(parsed.items, slip.file) or self._whole(parsed.items, chunk.line, slip.file)

    def _quick(self, items: tuple[Item, ...], file: str) -> str | None:
        """Findings in the item alone, with the words of the pack as it is."""
        report, pool = Report(), WordPool()
        checker = ItemChecker(self.words, report, pool)
        for source in [source for item, source in self.loaded.items() if item.span.file == file][:1]:
            for item in items:
                checker.item(item.node, source)
        new = [finding for finding in report.findings if _key(finding) not in self.base]
        return new[0].code if new else None

    def _whole(self, items: tuple[Item, ...], line: int, file: str) -> str | None:
        """Findings of the whole pack with the item in the place of the old one."""
        old = self.files[file].parsed
        kept: list[Item] = []
        for item in old.items:
            if item.span.line < line:
                kept.append(item)
        later = [item for item in old.items if item.span.line > line]
        parsed = attrs.evolve(old, items=(*kept, *items, *later))
        packs = tuple(
            attrs.evolve(pack, files=tuple(attrs.evolve(one, parsed=parsed) if one.parsed is old else one for one in pack.files))
            for pack in self.loaded.packs
        )
        new = [finding for finding in run.check_packs(LoadedPacks(packs), tests=False) if _key(finding) not in self.base]
        return new[0].code if new else None

    def line_of(self, slip: Slip) -> str:
        text = self.texts[slip.file]
        number = text.count("\n", 0, slip.offset) + 1
        return f"{slip.file}:{number}: {slip.word} -> {slip.became} ({slip.how}) | {text.splitlines()[number - 1].strip()[:110]}"


def _key(finding: Diagnostic) -> tuple[str, str, str]:
    """What makes a finding new: not its line, which the slip does not move."""
    return finding.code, finding.message, f"{finding.span.file}:{finding.span.line}"
