"""A pack that says another once more: every definition, procedure and question under a name of its own, for the speed of more content."""

from __future__ import annotations

import re
from pathlib import Path

from rulescript import tree as t
from rulescript.pack.load import load_packs

MANIFEST = """id: {id}
title: "{base}, once more"
version: 0.1.0
language: 1
kind: module
default: no
requires: [{base}]
excludes: []
after: []
"""


def write_double(base: str, folder: Path) -> tuple[str, int, int]:
    """Write the pack that doubles `base` below a folder: its id, how many items it has, how many the base has.

    Only what stands alone is doubled: kinds, maps and rules that act by themselves are not, since a rule said twice acts twice, nor are
    things that use the abilities of others, since two of them could go round between each other.
    """
    name = f"double/{base.split('/')[0]}"
    home = folder / name
    home.mkdir(parents=True)
    (home / "pack.yaml").write_text(MANIFEST.format(id=name, base=base), encoding="utf-8")
    texts: dict[str, list[str]] = {}
    items = list(load_packs([base]).items())
    for item, source in items:
        text = again(item.node, item.text)
        if text is not None:
            texts.setdefault(source.file, []).append(text)
    for file, found in texts.items():
        (home / file).write_text("\n".join(found) + "\n", encoding="utf-8")
    return name, sum(len(found) for found in texts.values()), len(items)


def again(node: t.Node, text: str) -> str | None:
    """The text of an item under another name; None for one that is not doubled."""
    if isinstance(node, t.Procedure):
        return re.sub(r"^procedure (\w+)", r"procedure \1_again", text)
    if isinstance(node, t.Query):
        return re.sub(r"^query (\w+)\.(\w+)", r"query \1.\2_again", text)
    if isinstance(node, t.Line) and re.match(r'\w+ "', text) and not re.search(r"\buse deed\b", text):
        text = re.sub(r'"([^"]*)"', r'"\1, again"', text, count=1)
        return re.sub(r"\bid (\w+)", r"id again_\1", text)
    return None
