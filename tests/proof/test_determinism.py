"""Two processes with two PYTHONHASHSEEDs write the same bytes: decisions, answers, views, journals of all eyes, the state's hash.

So does a process that has played other games before.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from .playing import ROOT
from .transcripts import transcript


def transcript_bytes(name: str, seed: int, hash_seed: str) -> bytes:
    run = subprocess.run(
        [sys.executable, "-m", "tests.proof.transcripts", name, str(seed)],
        cwd=ROOT, env=os.environ | {"PYTHONHASHSEED": hash_seed}, capture_output=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr.decode()[-2000:]
    return run.stdout


@pytest.mark.parametrize(("name", "seed"), [("retaliation3", 7), ("classic2", 7), ("forest3", 7)])
def test_same_bytes_in_two_processes(name: str, seed: int) -> None:
    first, second = transcript_bytes(name, seed, "1"), transcript_bytes(name, seed, "4242")
    assert len(first) > 10_000
    assert first == second


@pytest.mark.parametrize(("name", "seed"), [("retaliation2", 8), ("forest3", 9)])
def test_what_was_played_before_does_not_matter(name: str, seed: int) -> None:
    for other in (1, 2):
        assert list(transcript(name, other))
    here = "".join(f"{line}\n" for line in transcript(name, seed))
    assert here.encode() == transcript_bytes(name, seed, "5")


def test_another_seed_is_another_game() -> None:
    assert list(transcript("forest3", 7)) != list(transcript("forest3", 8))
