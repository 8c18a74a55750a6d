"""What lint says to a pack for Retaliation that puts things where they cannot be, or leaves out what is printed on them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.check.lint import lint_paths

ROOT = Path(__file__).resolve().parent.parent


def faults(root: Path, text: str) -> list[tuple[str, int]]:
    """(code, line) of what lint finds in a pack with this text."""
    folder = root / "retaliation/mine"
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text("id: retaliation/mine\nrequires: [retaliation/base]\n")
    (folder / "mine.nrs").write_text(text)
    found = lint_paths([folder], roots=[root, ROOT / "content"]).findings
    return [(one.code, one.span.line) for one in found if one.span.file.endswith("mine.nrs")]


@pytest.mark.parametrize(
    ("thing", "place", "fits"),
    [
        ("secure", "corridor", False), ("fire", "corridor", False), ("noise", "room", False), ("malfunction", "corridor", False),
        ("secure", "room", True), ("fire", "room", True), ("noise", "corridor", True), ("malfunction", "room", True),
        ("malfunction", "heavy", True), ("fire", "heavy", False),
    ],
)  # fmt: skip
def test_hosts(tmp_path: Path, thing: str, place: str, fits: bool) -> None:
    """RET-MAP-40: Noise in Corridors, Fire and Secure in Rooms, Malfunctions on Rooms and Heavy Items."""
    found = faults(tmp_path, f"procedure mischief on x: {place} {{ place 1 {thing} in x }}\n")
    assert ("E-HOST" in [code for code, _ in found]) is not fits, found


def test_a_room_has_a_number(tmp_path: Path) -> None:
    """RET-MAP-06"""
    assert faults(tmp_path, 'room "Cellar" house "mine" { letter a; icons [red] }\n') == [("E-FIELD", 1)]


def test_a_room_with_a_number(tmp_path: Path) -> None:
    assert faults(tmp_path, 'room "Cellar" house "mine" { id 90; letter a; icons [red] }\n') == []
