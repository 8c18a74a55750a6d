"""The table as a process: killed, interrupted, pipes closed, disks full, and how fast it says who it is."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nemesis.game_file import read_game_file

from .conftest import ROOT, fake_command, run_process


def children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_help_and_version_answer_at_once() -> None:
    for word in ("--version", "--help"):
        took = []  # processor time: the clock also counts what else the machine does
        for _ in range(5):
            begun = children_seconds()
            done = subprocess.run([sys.executable, "-m", "cli.nemesis_command", word], cwd=ROOT, capture_output=True, timeout=30)
            took.append(children_seconds() - begun)
            assert done.returncode == 0 and done.stdout
        assert min(took) < 0.15
    slow = "('attrs', 'lark', 'networkx', 'yaml')"
    code = f"import sys, cli.nemesis_command as c; c._parser(); print([m for m in {slow} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=30).stdout.strip() == "[]"


@pytest.mark.parametrize(
    "command",
    [
        "-m cli.nemesis_command cards >&-",
        "-m cli.nemesis_command saves --saves {tmp} >&- 2>&-",
        "-m cli.nemesis_command play --seats me,bot:random --seed 7 --saves {tmp} <&-",
        "-m cli.rulescript_command lint content/classic >&-",
    ],
)
def test_closed_streams_are_the_end_of_input_or_nobody_listening(command: str, tmp_path: Path) -> None:
    line = f"{sys.executable} {command.format(tmp=tmp_path)}"
    done = subprocess.run(["sh", "-c", line], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr and "failed" not in done.stdout + done.stderr


def read_until(child: subprocess.Popen[bytes], words: bytes) -> bytes:
    told = b""
    assert child.stdout is not None
    while words not in told:
        part = os.read(child.stdout.fileno(), 65536)
        assert part, told
        told += part
    return told


def test_killed_after_any_answer_nothing_is_lost(content: Path, tmp_path: Path) -> None:
    words = ["toss", "rest", "bid", "2", "toss", "undo", "walk", "undo"]
    for count in range(len(words) + 1):
        name = f"g{count}"
        child = subprocess.Popen(
            fake_command(content, "play", "--saves", tmp_path, "--name", name, "--seed", "5", "--seats", "me"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, bufsize=0,
        )  # fmt: skip
        assert child.stdin is not None and child.stdout is not None
        for word in [*words[:count], "where zzz"]:
            child.stdin.write(word.encode() + b"\n")
        told = read_until(child, b"is called `zzz`")
        child.send_signal(signal.SIGKILL)
        child.wait(timeout=10)
        kept = len(read_game_file(tmp_path / f"{name}.game.jsonl").answers)
        assert kept == (0, 1, 2, 3, 4, 5, 5, 6, 5)[count]
        told = run_process(fake_command(content, "play", "--saves", tmp_path, "--resume", name), b"quit\n").stdout
        assert kept == 0 or f"Going on after {kept} answer".encode() in told


def test_interrupt_keeps_the_game(content: Path, tmp_path: Path) -> None:
    child = subprocess.Popen(
        fake_command(content, "play", "--saves", tmp_path, "--name", "x", "--seed", "5"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, bufsize=0,
    )  # fmt: skip
    assert child.stdin is not None and child.stdout is not None and child.stderr is not None
    child.stdin.write(b"rest\nwhere zzz\n")
    told = read_until(child, b"is called `zzz`")
    child.send_signal(signal.SIGINT)
    told += child.stdout.read()
    assert child.wait(timeout=10) == 130 and child.stderr.read() == b"" and b"--resume x" in told
    assert len(read_game_file(tmp_path / "x.game.jsonl").answers) == 1


def test_a_closed_pipe_ends_quietly(content: Path) -> None:
    for words in (["play", "--seats", "bot:random,bot:greedy", "--seed", "3"], ["map"]):
        child = subprocess.Popen(fake_command(content, *words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)
        assert child.stdout is not None and child.stderr is not None
        child.stdout.close()
        assert child.wait(timeout=20) == 0 and child.stderr.read() == b""


@pytest.mark.parametrize("room", [0, 100, 300, 380, 420])
def test_a_full_disk_loses_nothing(content: Path, tmp_path: Path, room: int) -> None:
    def small_files() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    words = fake_command(content, "play", "--saves", tmp_path, "--name", "x", "--seed", "5", "--seats", "me")
    done = run_process(words, b"rest\n" * 4 + b"bid\n2\ntoss\n", preexec_fn=small_files)
    path = tmp_path / "x.game.jsonl"
    if not path.exists():
        assert done.returncode == 2 and b"cannot be kept there" in done.stderr
        assert list(tmp_path.glob("*.new")) == []
        return
    record = read_game_file(path)
    assert not record.torn
    if done.returncode == 2:
        assert b"The last answer was not given" in done.stderr and b"Traceback" not in done.stderr
    resumed = run_process(fake_command(content, "play", "--saves", tmp_path, "--resume", "x"), b"").stdout
    assert resumed and b"torn" not in resumed


def test_transcript_onto_a_full_disk_is_said(content: Path, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    done = run_process(fake_command(content, "play", "--saves", tmp_path, "--transcript", "/dev/full", "--seed", "1"), b"rest\n")
    assert done.returncode == 2 and b"could not be written" in done.stderr and b"Traceback" not in done.stderr


def test_output_that_cannot_be_written_is_said(content: Path, tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with open("/dev/full", "wb") as full:
        words = fake_command(content, "play", "--saves", tmp_path, "--seed", "1")
        done = subprocess.run(words, input=b"rest\n", stdout=full, stderr=subprocess.PIPE, cwd=ROOT, timeout=30)
    assert done.returncode == 2 and b"Traceback" not in done.stderr
