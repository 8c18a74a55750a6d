"""All that can be looked up in a set of packs, made once and kept until a file changes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from rulescript.lookup.entry import Index
from rulescript.pack.load import load_packs, packs_stamp
from rulescript.pack.roots import content_roots, known_packs
from rulescript.syntax.grammar import cache_directory
from rulescript.syntax.store import read_kept, write_kept

RULINGS = "rulings.yaml"
_PACKAGE = Path(__file__).resolve().parent.parent


def look_up(names: Sequence[str] = (), roots: Sequence[Path] = ()) -> Index:
    """The index of the packs that `names` mean (none: the default pack). Raises PackError."""
    known = known_packs(content_roots(roots))
    kept = cache_directory() / "lookup" / f"{_stamp(names, known)}.pickle"
    found = read_kept(kept)
    if isinstance(found, Index):
        return found
    made = _make(names, roots)
    write_kept(kept, made)
    return made


def _make(names: Sequence[str], roots: Sequence[Path]) -> Index:
    from rulescript.lookup.card import card_entries, stand_ins  # what makes texts is only imported when something has changed
    from rulescript.lookup.rule import rule_entries
    from rulescript.lookup.ruling import read_rulings
    from rulescript.table.declarations import declare

    loaded = load_packs(names, roots)
    rulings = tuple(ruling for manifest in loaded.manifests for ruling in read_rulings(manifest.folder / RULINGS))
    return Index(tuple(card_entries(declare(loaded.nodes()), rulings)), rule_entries(loaded, rulings), tuple(stand_ins(loaded)))


def _stamp(names: Sequence[str], known: dict[str, Path]) -> str:
    """Changes with the packs, their rulings, and the part of this program that writes texts."""
    makers = sorted(path for folder in ("lookup", "render", "table") for path in (_PACKAGE / folder).iterdir() if path.is_file())
    files = [*makers, *(file for folder in known.values() if (file := folder / RULINGS).is_file())]
    states = [f"{path} {found.st_mtime_ns} {found.st_size}" for path in files for found in (path.stat(),)]
    return hashlib.blake2b("\n".join([packs_stamp(names, known), *states]).encode(), digest_size=16).hexdigest()
