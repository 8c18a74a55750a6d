"""`rulings.yaml` of a pack: what the rules leave open, how the content reads it, how else it could be read, and on whose word."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from rulescript.lookup.entry import Ruling
from rulescript.pack.manifest import PackError
from rulescript.pack.roots import shown

CERTAINTIES = ("printed", "reported", "house")
RULE_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*-[0-9]{2,3}[a-z]?")


def read_rulings(path: Path) -> tuple[Ruling, ...]:
    """The rulings in a file, in its order; none if there is no such file. Raises PackError for a faulty one."""
    if not path.is_file():
        return ()
    import yaml

    try:
        rows = yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise PackError(f"{shown(path)}: {' '.join(str(error).split())}") from None
    if not isinstance(rows, list):
        raise PackError(f"{shown(path)}: a list of rulings is wanted")
    return tuple(_ruling(row, f"{shown(path)}: ruling {number}") for number, row in enumerate(rows, 1))


def _ruling(row: Any, where: str) -> Ruling:
    wanted = [name for name in Ruling._fields if name != "cards"]
    if not isinstance(row, dict) or sorted(row.keys() - {"cards"}) != sorted(wanted):
        raise PackError(f"{where} has the keys {', '.join(wanted)}, perhaps cards, and no other")
    names = {name: _texts(row.get(name, []), f"{where}: '{name}'") for name in ("rules", "cards", "others")}
    if not all(RULE_ID.fullmatch(rule) for rule in names["rules"]) or not (names["rules"] or names["cards"]):
        raise PackError(f"{where}: 'rules' is a list of rule ids, which is empty only if 'cards' are named")
    if not names["others"]:
        raise PackError(f"{where}: 'others' is a list of one or more readings")
    for name in ("question", "choice", "certainty", "source"):
        if not isinstance(row[name], str) or not row[name].strip():
            raise PackError(f"{where}: '{name}' is a text")
    if row["certainty"] not in CERTAINTIES:
        raise PackError(f"{where}: 'certainty' is one of {', '.join(CERTAINTIES)}")
    return Ruling(names["rules"], names["cards"], row["question"], row["choice"], names["others"], row["certainty"], row["source"])


def _texts(value: Any, what: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise PackError(f"{what} is a list of texts")
    return tuple(value)
