"""A save made at any decision gives another process the same game: same hash, same decision, same transcript when played on.

And every answer that may be taken back, taken back, gives the same state. `bench/long/saves.py` does ten games.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from .saving import differences, load_elsewhere, save_each


@pytest.mark.parametrize("name", ["retaliation3", "forest3"])
def test_every_decision_saved_and_loaded(name: str, tmp_path: Path) -> None:
    found = save_each(name, 3, tmp_path)
    assert found.barriers > 5
    assert found.undone > 20 or name == "forest3"  # there the next answer is always another seat's
    assert differences(found, load_elsewhere(name, tmp_path)) == []
