"""The commands of the table, run with the fake game: in this process (`run`) or in one of their own (`start`)."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from . import fake_game

# Started in the background a process may have been told to ignore interrupts, and so would those that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Outcome:
    code: int
    out: str
    err: str


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A content root with the pack that the fake game pretends to be."""
    folder = tmp_path / "content"
    (folder / "tests" / "fake").mkdir(parents=True)
    (folder / "tests" / "fake" / "pack.yaml").write_text("id: tests/fake\ntitle: Fake\ndefault: yes\n")
    (folder / "tests" / "fake" / "present.yaml").write_text(
        "kinds:\n  pawn: {sign: p, words: [pawn, pawns], order: 1}\nplaces: {a1: Gate}\nseat: [points]\nbar: [round]\n"
        "actions: [walk, fly, pick, rest]\n"
    )
    return folder


@pytest.fixture
def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], content: Path, tmp_path: Path
) -> Iterator[Callable[..., Outcome]]:
    """``run("play", "--seed", "1", typed="rest\\n")``: one command with its input; content and saves are the test's own."""
    monkeypatch.setitem(sys.modules, "nemesis.game", fake_game)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("FAKE_CHANGED", raising=False)
    from cli.nemesis_command import main

    def command(*words: str | Path, typed: str = "") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        capsys.readouterr()
        name, *rest = [str(word) for word in words]
        given = [] if name == "saves" else ["--content", str(content)]
        try:
            code = main([name, *given, *rest])
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        told = capsys.readouterr()
        return Outcome(code, told.out, told.err)

    yield command


def fake_command(content: Path, *words: str | Path) -> list[str]:
    """The command line of a process that runs the table with the fake game."""
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r})\n"
        "from tests.table import fake_game\n"
        "sys.modules['nemesis.game'] = fake_game\n"
        "from cli.nemesis_command import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    name, *rest = [str(word) for word in words]
    return [sys.executable, "-c", program, name, "--content", str(content), *rest]


def run_process(arguments: list[str], typed: bytes = b"", **more: object) -> subprocess.CompletedProcess[bytes]:
    """Run to the end; at most 30 seconds."""
    return subprocess.run(arguments, input=typed, capture_output=True, timeout=30, cwd=ROOT, env={**os.environ, "TERM": "dumb"}, **more)  # type: ignore[call-overload,no-any-return]
