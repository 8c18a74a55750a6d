"""What the tests of the language share: checking a text against a small world."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulescript.check.lint import lint_loose
from rulescript.diagnostic import Diagnostic

HERE = Path(__file__).parent

Check = Callable[..., list[Diagnostic]]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Check:
    """Findings of a text that stands beside the small world, in a file of the given name."""
    monkeypatch.chdir(tmp_path)

    def run(text: str, name: str = "text.nrs", world: bool = True) -> list[Diagnostic]:
        folder = tmp_path / "pack"
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.nrs"):
            old.unlink()
        if world:
            (folder / "world.nrs").write_text((HERE / "world.nrs").read_text(encoding="utf-8"), encoding="utf-8")
        (folder / name).write_text(text, encoding="utf-8")
        return [finding for finding in lint_loose(folder) if finding.span.file.endswith(name) or finding.severity == "error"]

    return run
