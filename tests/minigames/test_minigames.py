"""A whole game that shares no noun with the shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from nemesis.pack_tests import run_tests

ROOT = Path(__file__).parent


@pytest.mark.xfail(strict=False, reason="a test that names no acting thing gets one seat")
@pytest.mark.parametrize("pack", ["parlour/forest"])
def test_pack(pack: str) -> None:
    failed = [f"{one.where}: {one.title}: {'; '.join(one.problems)}" for one in run_tests([pack], [ROOT]) if not one.passed]
    assert not failed, "\n".join(failed)
