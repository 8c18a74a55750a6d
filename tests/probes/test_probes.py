"""Small expansions of the shipped base pack: each asks for something that is hard to bolt on."""

from __future__ import annotations

from pathlib import Path

import pytest

from nemesis.pack_tests import run_tests

ROOT = Path(__file__).parent


@pytest.mark.parametrize(
    "pack", ["retaliation/shadows", "retaliation/hunters", "retaliation/hides", "retaliation/stories", "retaliation/plate"]
)
def test_pack(pack: str) -> None:
    failed = [f"{one.where}: {one.title}: {'; '.join(one.problems)}" for one in run_tests([pack], [ROOT]) if not one.passed]
    assert not failed, "\n".join(failed)
