"""Broken files, one per kind of fault: the whole output stands beside each as a text.

After an intended change: `python -m tests.language.test_broken` writes the texts anew.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from rulescript.check.lint import lint_loose
from rulescript.diagnostic import format_findings

from .conftest import HERE, Check

BROKEN = sorted((HERE / "broken").glob("*.nrs"))


@pytest.mark.parametrize("path", BROKEN, ids=[path.stem for path in BROKEN])
def test_findings(path: Path, check: Check) -> None:
    found = format_findings(check(path.read_text(encoding="utf-8"), path.name))
    assert found + "\n" == path.with_suffix(".txt").read_text(encoding="utf-8")


def test_the_world_is_clean(check: Check) -> None:
    assert check("") == []


def _write_anew() -> None:
    for path in BROKEN:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve() / "pack"
            folder.mkdir()
            (folder / "world.nrs").write_text((HERE / "world.nrs").read_text(encoding="utf-8"), encoding="utf-8")
            (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
            here = os.getcwd()
            os.chdir(folder.parent)
            try:
                found = format_findings(lint_loose(folder))
            finally:
                os.chdir(here)
        path.with_suffix(".txt").write_text(found + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write_anew()
