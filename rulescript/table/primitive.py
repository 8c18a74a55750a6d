"""The signature rows of the primitive verbs, from `primitives.yaml` beside this file."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path

import attrs


@attrs.frozen
class Primitive:
    """One verb of the kernel. `args` maps a preposition to what it takes; a `?` at its end means that it may be missing."""

    verb: str
    operand: str
    args: Mapping[str, str]
    done: str
    cannot: str
    text: str
    gerund: str


@functools.cache
def primitives() -> Mapping[str, Primitive]:
    """All rows by verb.

    >>> primitives()["place"].args["in"], len(primitives())
    ('place', 25)
    """
    import yaml

    rows = yaml.safe_load((Path(__file__).parent / "primitives.yaml").read_text(encoding="utf-8"))
    return {verb: Primitive(verb=verb, **row) for verb, row in rows.items()}
