"""`rulings.yaml` of a pack: what the rules leave open, which readings there are, which one the content takes, and on whose word."""

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
    wanted = Ruling._fields
    if not isinstance(row, dict) or sorted(row) != sorted(wanted):
        raise PackError(f"{where} has the keys {', '.join(wanted)}, and no other")
    rules, readings = row["rules"], row["readings"]
    if not isinstance(rules, list) or not rules or not all(isinstance(rule, str) and RULE_ID.fullmatch(rule) for rule in rules):
        raise PackError(f"{where}: 'rules' is a list of rule ids")
    if not isinstance(readings, list) or len(readings) < 2 or not all(isinstance(reading, str) for reading in readings):
        raise PackError(f"{where} ({rules[0]}): 'readings' is a list of two or more texts")
    for name in ("question", "choice", "certainty", "source"):
        if not isinstance(row[name], str) or not row[name].strip():
            raise PackError(f"{where} ({rules[0]}): '{name}' is a text")
    if row["choice"] not in readings:
        raise PackError(f"{where} ({rules[0]}): 'choice' is one of the readings, word for word")
    if row["certainty"] not in CERTAINTIES:
        raise PackError(f"{where} ({rules[0]}): 'certainty' is one of {', '.join(CERTAINTIES)}")
    return Ruling(tuple(rules), row["question"], tuple(readings), row["choice"], row["certainty"], row["source"])
