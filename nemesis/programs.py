"""Programs by packs and number of seats, made once in a process; compiled code is kept between processes."""

from __future__ import annotations

import atexit
import contextlib
import marshal
import os
import sys
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from nemesis.kernel.program import Program
from rulescript import collector
from rulescript.diagnostic import format_findings
from rulescript.pack.load import LoadedPacks, load_packs
from rulescript.syntax.grammar import cache_directory
from rulescript.table.declarations import declare
from rulescript.table.survey import survey

if TYPE_CHECKING:
    from nemesis.coverage import Coverage

_programs: dict[tuple[str, ...], Program] = {}
_packs: dict[tuple[str, ...], LoadedPacks] = {}
VERSION = "1"


class ContentFault(ValueError):
    """Content that cannot be played; the text lists what is wrong and where."""


def packs_of(names: Sequence[str], roots: Sequence[Path]) -> LoadedPacks:
    """The loaded packs. Raises PackError, or ContentFault if some file does not parse."""
    key = (*names, *(str(root) for root in roots))
    found = _packs.get(key)
    if found is None:
        found = load_packs(names, roots)
        files = [file for pack in found.packs for file in pack.files if not file.test]
        faults = [one for file in files for one in file.parsed.diagnostics if one.code.startswith("E-")]
        if faults:
            raise ContentFault(format_findings(tuple(faults)))
        _packs[key] = found
    return found


def loaded_packs() -> list[LoadedPacks]:
    """What was loaded for games in this process."""
    return list(_packs.values())


def program_of(names: Sequence[str], seats: int, roots: Sequence[Path] = ()) -> tuple[Program, LoadedPacks]:
    """The program that plays some packs at so many seats."""
    loaded = packs_of(names, roots)
    key = _key(names, seats, roots)
    program = _programs.get(key)
    if program is None:
        program = _programs[key] = _make(loaded, seats)
    return program, loaded


@collector.paused()
def _make(loaded: LoadedPacks, seats: int) -> Program:
    program = new_program(loaded, seats)
    keep_code(program, loaded, seats)
    return program


def _key(names: Sequence[str], seats: int, roots: Sequence[Path]) -> tuple[str, ...]:
    return (*names, *(str(root) for root in roots), str(seats))


def new_program(loaded: LoadedPacks, seats: int) -> Program:
    """A program that nobody else plays. Raises ContentFault if some rule can never meet an event."""
    nodes = list(loaded.nodes())
    table = declare(nodes)
    program = Program(table, survey(node for node, _ in nodes), attrs.asdict(loaded.ruleset), dict(loaded.modes), seats)
    faults = program.hook_faults()
    if faults:
        raise ContentFault("\n".join(f"{span.where}: {text}; `rulescript lint` says more" for span, text in faults))
    return program


def watch_games(names: Sequence[str], seats: int, coverage: Coverage, roots: Sequence[Path] = ()) -> None:
    """From now on this process plays these packs at so many seats by a program of its own whose coverage is noted."""
    program = new_program(packs_of(names, roots), seats)
    coverage.watch(program)
    _programs[_key(names, seats, roots)] = program


def keep_code(program: Program, loaded: LoadedPacks, seats: int) -> None:
    """Take over code compiled by an earlier process, and keep what this one adds. The cache is never needed for correctness."""
    digest = blake2b(digest_size=12)
    for part in (VERSION, sys.version, str(seats), *(pack.hash for pack in loaded.packs)):
        digest.update(part.encode())
    path = cache_directory() / "code" / f"{digest.hexdigest()}.marshal"
    with contextlib.suppress(OSError, ValueError, EOFError, TypeError):
        program.cache = marshal.loads(path.read_bytes())

    def write() -> None:
        if not program.cache_new:
            return
        with contextlib.suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_name(f"{path.name}.{os.getpid()}")
            fresh.write_bytes(marshal.dumps(program.cache))
            os.replace(fresh, path)

    atexit.register(write)
