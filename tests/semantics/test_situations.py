"""The meaning of the language, situation by situation, on packs of a few made-up nouns."""

from __future__ import annotations

from pathlib import Path

import pytest

from nemesis.pack_tests import run_tests

ROOT = Path(__file__).parent


@pytest.mark.parametrize("pack", ["tiny/skirmish", "tiny/moss", "tiny/frost"])
def test_pack(pack: str) -> None:
    failed = [f"{one.where}: {one.title}: {'; '.join(one.problems)}" for one in run_tests([pack], [ROOT]) if not one.passed]
    assert not failed, "\n".join(failed)
