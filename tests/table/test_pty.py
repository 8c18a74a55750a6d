"""A person at a terminal: takes a turn, asks why and why not, undoes, is killed, and resumes.

Played with the fake game always, and with the real kernel and the pack that ships as the default when both are there.
"""

from __future__ import annotations

import importlib.util
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nemesis.game_file import read_game_file

from .conftest import ROOT, fake_command

PACK = "retaliation/base"


class Terminal:
    """One process behind a pseudo-terminal; ``said`` is all it printed."""

    def __init__(self, words: list[str]) -> None:
        self.master, slave = pty.openpty()
        env = {**os.environ, "TERM": "dumb", "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}
        self.child = subprocess.Popen(words, stdin=slave, stdout=slave, stderr=slave, cwd=ROOT, env=env, start_new_session=True)
        os.close(slave)
        self.said = ""

    def until(self, pattern: str, seconds: float = 60) -> str:
        """Wait for ``pattern`` in what is said from now on; that part."""
        begun, end = len(self.said), time.monotonic() + seconds
        while not re.search(pattern, self.said[begun:], re.M):
            assert time.monotonic() < end, f"no {pattern!r} in: {self.said[begun:]}"
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.said += os.read(self.master, 65536).decode("utf-8", "replace").replace("\r", "")
                except OSError:
                    break
        return self.said[begun:]

    def type(self, line: str, pattern: str = r"^\w+\? $") -> str:
        """Type a line and wait for the next prompt."""
        os.write(self.master, line.encode() + b"\n")
        return self.until(pattern)

    def kill(self) -> None:
        self.child.send_signal(signal.SIGKILL)
        self.child.wait(timeout=10)
        os.close(self.master)

    def end(self) -> int:
        code = self.child.wait(timeout=20)
        os.close(self.master)
        return code


def test_turn_why_undo_kill_resume(content: Path, tmp_path: Path) -> None:
    words = fake_command(content, "play", "--saves", tmp_path, "--name", "x", "--seed", "5", "--seats", "me,bot:greedy")
    table = Terminal(words)
    table.until(r"^me\? $")
    assert "Me walks to b1" in table.type("walk b1")
    assert "because of" in table.type("why 2")
    assert "Fly: refused, you have no wings" in table.type("why-not fly")
    assert "Undone" in table.type("undo")
    table.type("a2")
    table.kill()
    table = Terminal(words)
    assert "Going on after 2 answers" in table.until(r"^me\? $")
    assert "a2 Pond: Pawn of me" in table.type("map")
    table.type("quit", r"--resume x")
    assert table.end() == 0


def test_the_shipped_game(tmp_path: Path) -> None:
    if importlib.util.find_spec("nemesis.game") is None or not (ROOT / "content" / PACK / "pack.yaml").is_file():
        pytest.skip("the kernel or the pack is not there yet")
    words = [sys.executable, "-m", "cli.nemesis_command", "play", "--pack", PACK, "--saves", str(tmp_path), "--name", "x", "--seed", "7",
             "--seats", "me,bot:greedy", "--plain"]  # fmt: skip
    table = Terminal(words)
    table.until(r"^me\? $", 120)
    path = tmp_path / "x.game.jsonl"
    undone = refused = reasons = False
    for _ in range(60):
        before = len(read_game_file(path).answers)
        choices = [part for part in table.said.rsplit("possible.", 1)[-1].splitlines() if re.match(r"\d+ ", part)]
        number = next((line.split()[0] for line in choices if "refused" not in line), "1")
        told = table.type(number)
        if len(read_game_file(path).answers) == before:
            told = table.type("none") if "none" in told else table.type(f"{number} {int(number) + 1}")
        if not reasons:
            reasons = "Nothing is known" not in table.type("why")
        if not refused:
            refused = "refused" in table.type("why-not")
        if not undone:
            undone = "Undone" in table.type("undo")
        if undone and refused and reasons and len(read_game_file(path).answers) >= 4:
            break
        if table.child.poll() is not None:
            break
    assert undone and refused and reasons
    kept = len(read_game_file(path).answers)
    table.kill()
    table = Terminal(words)
    assert f"Going on after {kept} answer" in table.until(r"^me\? $", 120)
    table.type("quit", r"--resume x")
    assert table.end() == 0


def test_two_enters_from_the_shell_to_the_last_game(content: Path, tmp_path: Path) -> None:
    table = Terminal(fake_command(content, "play", "--saves", tmp_path))
    table.until(r"^me\? $")
    table.type("rest")
    table.type("quit", r"--resume game-1")
    assert table.end() == 0
    table = Terminal(fake_command(content, "play", "--saves", tmp_path))
    assert '1 Continue "game-1": tests/fake; me; 1 answer.' in table.until(r"^\? $")
    assert "Going on after 1 answer." in table.type("", r"me\? $")
    table.type("quit", r"--resume game-1")
    assert table.end() == 0
