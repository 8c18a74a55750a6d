"""The oracle and the compiled expressions agree: on every test written in a pack, on whole games, and before every seat's eyes."""

from __future__ import annotations

from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest

from nemesis.kernel.program import Program
from nemesis.pack_tests import run_tests
from tests.proof.playing import FOREST_3, RETALIATION_3, SETTINGS, Setting
from tests.test_packs import test_files as files_of_tests

from .walked import BothWriter, WalkWriter, journal_with, program_with

files_of_tests.__test__ = False  # type: ignore[attr-defined]
SEMANTICS = [(root, pack, file) for root, pack, file in files_of_tests() if root.name == "semantics"]


@cache
def walked(name: str) -> Program:
    return program_with(SETTINGS[name], WalkWriter)


@pytest.mark.parametrize(("root", "pack", "file"), SEMANTICS, ids=[f"{pack}/{file}" for _, pack, file in SEMANTICS])
def test_semantic_situations_hold_when_walked(root: Path, pack: str, file: str) -> None:
    results = run_tests([pack], [root], files=[file], writer=WalkWriter)
    failed = [f"{one.where}: {one.title}: {'; '.join(one.problems)}" for one in results if not one.passed]
    assert results and not failed, "\n".join(failed)


@pytest.mark.parametrize(("name", "seed"), [*(("retaliation3", seed) for seed in (1, 2, 3, 4)), ("classic2", 2), ("classic2", 6)])
def test_same_seed_same_transcript(name: str, seed: int) -> None:
    compiled = list(journal_with(SETTINGS[name], seed, None))
    for number, (one, other) in enumerate(zip_longest(compiled, journal_with(SETTINGS[name], seed, walked(name)))):
        assert one == other, f"line {number}"
    assert len(compiled) > 1000


@pytest.mark.parametrize(("setting", "seed"), [(FOREST_3, 3), (RETALIATION_3, 5)], ids=["forest", "retaliation"])
def test_same_values_before_every_seats_eyes(setting: Setting, seed: int) -> None:
    BothWriter.differences, BothWriter.asked, BothWriter.unknown = {}, 0, 0
    for _ in journal_with(setting, seed, program_with(setting, BothWriter)):
        pass
    assert not BothWriter.differences
    assert BothWriter.asked > 1000 and BothWriter.unknown > 100
