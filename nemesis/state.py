"""The changing part of a game: plain columns, copied in microseconds.

Columns are indexed by the thing's number (`nemesis.world`). Contents of containers are tuples, so a clone copies the outer lists only.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from nemesis.journal import Journal
from nemesis.world.thing import Ref, Value

if TYPE_CHECKING:
    from nemesis.kernel.frame import Lasting, Pending, Running
    from nemesis.kernel.program import Program
    from nemesis.kernel.trial import Trial

MISSING = object()
_versions = itertools.count(1)


def next_map_version() -> int:
    """A number never used before in this process; it only names a cache and is not part of a game's data."""
    return next(_versions)


class State:
    """One game at one moment. Everything here except `program`, `journal` and the caches is saved."""

    __slots__ = (
        "program", "seed", "options", "seat_names", "place", "inside", "v", "incarnation", "last", "left", "known", "alias", "ledger",
        "periods", "chance", "lasting", "frames", "pending", "seq", "hash", "fuel", "purse", "done", "result", "commits", "records",
        "interest", "ended", "dirty", "barrier", "winners", "forced", "decisions", "refused", "script", "warnings", "windows", "trial",
        "undo", "map_version", "distances", "journal", "memo",
    )  # fmt: skip

    def __init__(self, program: Program, seed: int, seat_names: tuple[str, ...], options: dict[str, Any]) -> None:
        world = program.world
        self.program = program
        self.seed = seed
        self.options = options
        self.seat_names = seat_names
        self.place: list[int] = [-1] * world.count
        self.inside: list[tuple[Ref, ...]] = [()] * world.count
        self.v: list[Value] = list(world.v0)
        self.incarnation: list[int] = [0] * world.count
        self.last: list[int] = [-1] * world.count
        self.left: list[int] = [-1] * world.count
        self.known: list[int] = [0] * world.count
        self.alias: list[int] = list(world.copy)
        self.ledger: dict[tuple[Any, ...], int] = {}
        self.periods: dict[str, int] = {}
        self.chance: dict[tuple[Any, ...], int] = {}
        self.lasting: list[Lasting] = []
        self.frames: list[Running] = []
        self.pending: Pending | None = None
        self.seq = 0
        self.hash = 0
        self.fuel = 0
        self.purse = 0
        self.done = False
        self.result: Value = None
        self.commits = 0
        self.records: list[Any] = []
        self.interest = 0
        self.ended = 0
        self.dirty = True
        self.barrier = 0
        self.winners: tuple[Ref, ...] = ()
        self.forced = 0
        self.decisions = 0
        self.refused = 0
        self.script: dict[str, list[Any]] = {}
        self.warnings: list[str] = []
        self.windows = "quick"
        self.trial: Trial | None = None
        self.undo: list[tuple[Any, Any, Any]] | None = None
        self.map_version = next_map_version()
        self.distances: dict[int, Any] = {}
        self.journal = Journal()
        self.memo: dict[Any, Any] = {}

    def clone(self) -> State:
        """A game of its own that shares nothing that changes; the journal's past is shared."""
        new = State.__new__(State)
        new.program = self.program
        new.seed = self.seed
        new.options = self.options
        new.seat_names = self.seat_names
        new.place = self.place.copy()
        new.inside = self.inside.copy()
        new.v = self.v.copy()
        new.incarnation = self.incarnation.copy()
        new.last = self.last.copy()
        new.left = self.left.copy()
        new.known = self.known.copy()
        new.alias = self.alias.copy()
        new.ledger = self.ledger.copy()
        new.periods = self.periods.copy()
        new.chance = self.chance.copy()
        new.lasting = [one.copy() for one in self.lasting]
        new.frames = copy_frames(self.frames)
        new.pending = self.pending
        new.seq = self.seq
        new.hash = self.hash
        new.fuel = self.fuel
        new.purse = self.purse
        new.done = self.done
        new.result = self.result
        new.commits = self.commits
        new.records = self.records.copy()
        new.interest = self.interest
        new.ended = self.ended
        new.dirty = self.dirty
        new.barrier = self.barrier
        new.winners = self.winners
        new.forced = self.forced
        new.decisions = self.decisions
        new.refused = self.refused
        new.script = {name: list(rest) for name, rest in self.script.items()} if self.script else {}
        new.warnings = self.warnings.copy()
        new.windows = self.windows
        new.trial = None
        new.undo = None
        new.map_version = self.map_version
        new.distances = self.distances
        new.journal = self.journal.fork()
        new.memo = {}
        return new

    def put(self, column: Any, key: Any, value: Any) -> None:
        """Write one cell; in a trial the old value is noted for the way back."""
        if self.undo is not None:
            self.undo.append((column, key, column[key]))
        column[key] = value
        self.memo.clear()

    def put_new(self, table: dict[Any, Any], key: Any, value: Any) -> None:
        """Write an entry of a map that may not have been there before."""
        if self.undo is not None:
            self.undo.append((table, key, table.get(key, MISSING)))
        table[key] = value

    def name(self, ref: int) -> str:
        """The public name of a thing now (`goblin#2`); the number of a card changes when it is shuffled out of sight."""
        world = self.program.world
        number = self.alias[ref]
        return f"{world.base_name[ref]}#{number}" if number else world.base_name[ref]


def copy_frames(frames: list[Running], floor: int = 0) -> list[Running]:
    """Copies of the frames from `floor` on; a step's frame shares the locals of its procedure's frame, in the copy too."""
    if floor >= len(frames):
        return frames.copy()
    new = frames[:floor]
    for frame in frames[floor:]:
        fresh = frame.copy()
        if frame.shared >= 0:
            fresh.locals = new[frame.shared].locals
        new.append(fresh)
    return new
