"""Every test written in a pack passes: the shipped games, the semantic situations, the probes, the small games. One case per test file."""

from __future__ import annotations

from pathlib import Path

import pytest

from nemesis.pack_tests import run_tests
from rulescript.pack.load import load_packs

ROOT = Path(__file__).resolve().parent.parent
ROOTS = (ROOT / "content", ROOT / "tests/semantics", ROOT / "tests/probes", ROOT / "tests/minigames")


def test_files() -> list[tuple[Path, str, str]]:
    """(content root, pack, file) of every test file."""
    found = []
    for root in ROOTS:
        for manifest in sorted(root.glob("*/*/pack.yaml")):
            pack = manifest.parent.relative_to(root).as_posix()
            found += [(root, pack, file.name) for file in sorted(manifest.parent.glob("*_test.nrs"))]
    return found


test_files.__test__ = False  # type: ignore[attr-defined]


@pytest.mark.parametrize(("root", "pack", "file"), test_files(), ids=[f"{pack}/{file}" for _, pack, file in test_files()])
def test_pack_file(root: Path, pack: str, file: str) -> None:
    loaded = load_packs([pack], [root])
    broken = [f"{one.span.where}: {one.message}" for one in loaded.diagnostics if one.span.file.endswith(f"/{file}")]
    assert not broken, "not all of the file could be read\n" + "\n".join(broken)
    results = run_tests([pack], [root], files=[file])
    failed = [f"{one.where}: {one.title}: {'; '.join(one.problems)}" for one in results if not one.passed]
    assert results, "the file holds no test"
    assert not failed, f"{len(failed)} of {len(results)} fail\n" + "\n".join(failed)
