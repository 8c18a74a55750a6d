"""Every test written in a pack passes: the shipped games, the semantic situations, the probes, the small games. One case per test file,
one for a pack of which it is checked as well how much of it the tests reach.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from nemesis.coverage import Coverage
from nemesis.pack_tests import TestResult, run_tests
from rulescript.pack.load import load_packs

ROOT = Path(__file__).resolve().parent.parent
ROOTS = (ROOT / "content", ROOT / "tests/semantics", ROOT / "tests/probes", ROOT / "tests/minigames")

# The sorts of definitions of which the tests reach each line and each way, and the least part (in percent) of the whole pack.
COVERED = {
    "retaliation/base": (
        {"room", "event_card", "attack_card", "exploration_card", "item", "character_item", "support_item", "serious_wound", "queen_card",
         "robot_card", "intruder_token", "private_objective", "mission_objective", "mission_task", "coop_task"},
        98,
    ),
}  # fmt: skip


def test_files() -> list[tuple[Path, str, str]]:
    """(content root, pack, file) of every test file."""
    found = []
    for root in ROOTS:
        for manifest in sorted(root.glob("*/*/pack.yaml")):
            pack = manifest.parent.relative_to(root).as_posix()
            found += [(root, pack, file.name) for file in sorted(manifest.parent.glob("*_test.nrs"))]
    return found


test_files.__test__ = False  # type: ignore[attr-defined]
FILES = [(root, pack, file) for root, pack, file in test_files() if pack not in COVERED]


def failures(results: list[TestResult]) -> str:
    failed = [f"{one.where}: {one.title}: {'; '.join(one.problems)}" for one in results if not one.passed]
    return f"{len(failed)} of {len(results)} fail\n" + "\n".join(failed) if failed else ""


def unread(root: Path, pack: str, file: str) -> list[str]:
    """What of a file could not be read."""
    return [f"{one.span.where}: {one.message}" for one in load_packs([pack], [root]).diagnostics if one.span.file.endswith(f"/{file}")]


@pytest.mark.parametrize(("root", "pack", "file"), FILES, ids=[f"{pack}/{file}" for _, pack, file in FILES])
def test_pack_file(root: Path, pack: str, file: str) -> None:
    broken = unread(root, pack, file)
    assert not broken, "not all of the file could be read\n" + "\n".join(broken)
    results = run_tests([pack], [root], files=[file])
    assert results, "the file holds no test"
    assert not failures(results), failures(results)


@pytest.mark.parametrize("pack", COVERED)
def test_pack(pack: str) -> None:
    loaded = load_packs([pack])
    assert not loaded.diagnostics, "\n".join(f"{one.span.where}: {one.message}" for one in loaded.diagnostics)
    coverage = Coverage(loaded.nodes())
    results = run_tests([pack], coverage=coverage)
    assert not failures(results), failures(results)
    assert {one.file for one in results} == {file for _, name, file in test_files() if name == pack}
    whole, least = COVERED[pack]
    missed = [f"{place.where}: {place.sort} {place.title}" for place in coverage.missed() if place.sort in whole]
    assert not missed, "no test of the pack reaches\n" + "\n".join(missed)
    share = coverage.shares(lambda place: pack)[pack]
    assert 100 * share.reached >= least * share.places, f"{coverage.text}: `rulescript test content/{pack} --coverage` lists the rest"
