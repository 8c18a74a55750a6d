"""Where packs lie."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def content_roots(given: Sequence[Path] = ()) -> list[Path]:
    """The folders that hold packs, first hit wins: those given, `RULESCRIPT_PATH`, `content/` beside the checkout, the installed copy."""
    listed = [Path(part) for part in os.environ.get("RULESCRIPT_PATH", "").split(os.pathsep) if part]
    own = [_PACKAGE.parent / "content", _PACKAGE / "_data" / "content"]
    found: dict[Path, Path] = {}
    for root in [*given, *listed, *own]:
        if root.is_dir():
            found.setdefault(root.resolve(), root)
    return list(found.values())


def known_packs(roots: Iterable[Path]) -> dict[str, Path]:
    """Pack id -> its folder, sorted by id."""
    found: dict[str, Path] = {}
    for root in roots:
        for pattern in ("*/*/pack.yaml", "*/pack.yaml"):
            for manifest in root.glob(pattern):
                found.setdefault(manifest.parent.relative_to(root).as_posix(), manifest.parent)
    return dict(sorted(found.items()))


def shown(path: Path) -> str:
    """A path as findings print it: relative to the working directory where it lies below it."""
    full = path.resolve()
    try:
        return full.relative_to(Path.cwd()).as_posix()
    except ValueError:
        return str(full)
