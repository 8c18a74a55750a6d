"""Of sixty seeded misspellings of each shipped game the checker catches at least 19 in 20. `bench/long/misspell.py` tries thousands."""

from __future__ import annotations

import random

import pytest

from .misspelling import Speller


@pytest.mark.parametrize("pack", ["retaliation/base", "classic/base"])
def test_misspellings_are_caught(pack: str) -> None:
    speller = Speller(pack)
    slips = speller.draw(60, random.Random(f"slips/{pack}"))
    missed = [speller.line_of(slip) for slip in slips if speller.caught(slip) is None]
    assert len(missed) <= 3, "\n".join(missed)
