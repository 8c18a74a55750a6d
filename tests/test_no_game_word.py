"""No word that a pack declares stands in the programs: names, strings, comments, examples of `nemesis/`, `rulescript/`, `cli/`.

The list is made from the packs (kinds, words, zones, dice, tracks, procedures); what is allowed all the same is in `game_words.allow`.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

from rulescript.pack.load import load_packs
from rulescript.pack.roots import known_packs
from rulescript.table.declarations import declare

ROOT = Path(__file__).resolve().parent.parent
SPOKEN = {tokenize.NAME, tokenize.STRING, tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1)}


def declared_words() -> set[str]:
    """All words of more than two letters that some shipped pack declares."""
    found: set[str] = set()
    for pack in known_packs([ROOT / "content"]):
        table = declare(list(load_packs([pack], [ROOT / "content"]).nodes()))
        for names in (table.kinds, table.words, table.zones, table.dice, table.tracks, table.verbs):
            found |= set(names)
        found |= {str(word) for words in table.words.values() for word in words}
    return {word for word in found if len(word) > 2}


def allowed() -> set[str]:
    lines = (ROOT / "tests/game_words.allow").read_text(encoding="utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def said(path: Path) -> Iterator[tuple[int, str]]:
    """(line, word or run of words joined by `_`) of a Python file."""
    with path.open("rb") as handle:
        for token in tokenize.tokenize(handle.readline):
            if token.type not in SPOKEN:
                continue
            for match in re.finditer(r"[a-z][a-z0-9_]*", token.string.lower()):
                parts = match.group().strip("_").split("_")
                for start in range(len(parts)):
                    for end in range(start + 1, len(parts) + 1):
                        yield token.start[0], "_".join(parts[start:end])


def test_no_game_word() -> None:
    words = declared_words()
    assert len(words) > 300
    wanted = words - allowed()
    faults = []
    for folder in ("nemesis", "rulescript", "cli"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for line, spoken in said(path):
                faults += [f"{path.relative_to(ROOT)}:{line}: {word}" for word in {spoken, spoken.removesuffix("s")} & wanted]
    assert not faults, f"{len(faults)} game words\n" + "\n".join(dict.fromkeys(faults))


def test_allow_list_is_short_and_used() -> None:
    words, listed = declared_words(), allowed()
    assert len(listed) <= 90
    assert sorted(listed - words - {"phase"}) == []
