"""Two processes with two PYTHONHASHSEEDs write the same bytes: decisions, answers, views, journals of all eyes, the state's hash."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .playing import ROOT


def transcript_bytes(name: str, seed: int, hash_seed: str) -> bytes:
    run = subprocess.run(
        [sys.executable, "-m", "tests.proof.transcripts", name, str(seed)],
        cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": hash_seed}, capture_output=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr.decode()[-2000:]
    return run.stdout


@pytest.mark.parametrize(("name", "seed"), [("retaliation3", 7), ("retaliation2", 8), ("classic2", 7), ("forest3", 7)])
def test_same_bytes_in_two_processes(name: str, seed: int) -> None:
    first, second = transcript_bytes(name, seed, "1"), transcript_bytes(name, seed, "4242")
    assert len(first) > 10_000
    assert first == second


def test_another_seed_is_another_game() -> None:
    assert transcript_bytes("forest3", 7, "1") != transcript_bytes("forest3", 8, "1")
