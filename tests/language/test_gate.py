"""Slips of the pen: of the misspelt words of content at least 95 of 100 are found."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulescript.check.lint import lint_loose

ROOT = Path(__file__).parents[2]
TOKEN = re.compile(r'"[^"\n]*"|#[^\n]*|[A-Za-z][A-Za-z0-9_]*(?:-[A-Z0-9]+[a-z]?)*(?:#[0-9]+)?|[0-9]+|\S')
DECLARES = frozenset(
    [
        "kind",
        "has",
        "procedure",
        "step",
        "order",
        "action",
        "let",
        "as",
        "zone",
        "die",
        "track",
        "words",
        "harm",
        "hope",
        "map",
        "node",
        "label",
        "choose",
    ]
)


def sites(text: str) -> list[re.Match[str]]:
    """Words outside of strings and comments that are not just being declared."""
    found: list[re.Match[str]] = []
    previous = before = ""
    for token in TOKEN.finditer(text):
        word = token.group()
        if len(word) > 1 and word[0].isalpha() and not re.fullmatch(r"x[0-9]+", word):
            declared = previous in DECLARES or (previous == "." and before == "query") or text[token.end() : token.end() + 1] == ":"
            if not declared:
                found.append(token)
        before, previous = previous, word
        if previous == "." and before:
            before = "query" if text[: token.start()].rstrip("abcdefghijklmnopqrstuvwxyz_0123456789").endswith("query ") else before
    return found


def misspelt(word: str, rng: random.Random) -> str:
    at = rng.randrange(len(word))
    kind = rng.choice(["swap", "drop", "insert", "double"])
    if kind == "swap":
        at = rng.randrange(len(word) - 1)
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == "drop":
        return word[:at] + word[at + 1 :]
    letter = rng.choice("abcdefghijklmnopqrstuvwxyz") if kind == "insert" else word[at]
    return word[:at] + (letter.upper() if word[0].isupper() else letter) + word[at:]


@pytest.mark.parametrize("source", ["tests/language/world.nrs", "tests/minigames/parlour/forest/forest.nrs"])
def test_misspelt_words_are_found(source: str, tmp_path: Path) -> None:
    rng = random.Random(20)
    text = (ROOT / source).read_text(encoding="utf-8")
    folder = tmp_path / "pack"
    folder.mkdir()
    target = folder / "text.nrs"

    def count(version: str) -> int:
        target.write_text(version, encoding="utf-8")
        return len(lint_loose(folder))

    base = count(text)
    tried, missed = 0, []
    for site in rng.sample(sites(text), 120):
        word = misspelt(site.group(), rng)
        if word == site.group():
            continue
        tried += 1
        if count(text[: site.start()] + word + text[site.end() :]) <= base:
            missed.append(f"{site.group()} -> {word}")
    assert len(missed) <= tried * 0.05, missed
