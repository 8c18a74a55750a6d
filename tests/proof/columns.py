"""Whether the columns of a state agree with each other and with the manifests: places, lists, counts, limits."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import yaml

from nemesis import programs
from nemesis.game import Game
from nemesis.kernel import commit
from nemesis.kernel.verb_things import bent_limit, zone_limit
from nemesis.state import State
from rulescript import tree as t
from rulescript.pack.load import load_packs


class Columns:
    """What the packs say about the number of things and the limits of places; `faults` compares a state with it.

    A zone whose limit is a question may hold too much when the answer shrinks (until somebody lays something down), but may not take more.
    """

    def __init__(self, game: Game) -> None:
        program = game.program
        world, table = program.world, program.table
        self.program = program
        fixed = ((world.game,), world.seats, world.zone_name, world.slot_of, world.ends, world.links)
        nowhere = {int(x) for group in fixed for x in group}
        self.things = [x for x in range(world.count) if x not in nowhere]
        self.expected = Counter[str]()
        for kind in table.kinds.values():
            self.expected[f"kind {kind.name}"] += kind.limit or 0
        for made in table.definitions.values():
            self.expected[f"card {made.kinds[0]}/{made.id}"] += made.copies
        self.expected = +self.expected
        made_as = [
            f"card {kind}/{made.id}" if made is not None else f"kind {kind}"
            for kind, made in zip(world.kind, world.definition, strict=True)
        ]
        self.label = made_as
        self.limits: list[tuple[str, bytes, int, bytes]] = []
        for kind in table.kinds.values():
            found = [(1, place) for place in kind.one_in] + list(kind.up_to)
            self.limits += [(kind.name, world.mask(kind.name), number, world.mask(place)) for number, place in found]
        self.held: dict[int, int] = {}
        self.zones = {zone: info for zone, info in program.zone_info.items() if info.limit is not None or info.holds}

    def components(self, game: Game) -> list[str]:
        """Differences between the manifests' `components` and the things that the game made."""
        world = game.program.world
        faults = []
        for pack in load_packs(game.names, game.roots).packs:
            said = yaml.safe_load((pack.manifest.folder / "pack.yaml").read_text(encoding="utf-8")).get("components") or {}
            for kind, number in said.items():
                made = len(world.members(kind))
                if made != number:
                    faults.append(f"{pack.id} says {number} {kind}, there are {made}")
        return faults

    def faults(self, S: State, limits: bool = True) -> list[str]:
        """What is wrong with a state; empty if nothing is."""
        faults: list[str] = []
        place = S.place
        name = S.name
        counted = Counter[str]()
        stands: set[int] = set()
        for container, inside in enumerate(S.inside):
            for x in inside:
                if x in stands:
                    faults.append(f"{name(x)} stands twice, again in {name(container)}")
                stands.add(x)
                if place[x] != container:
                    faults.append(f"{name(x)} stands in {name(container)}, its place says {place[x]}")
                counted[self.label[x]] += 1
        for x in self.things:
            if x not in stands:
                faults.append(f"{name(x)} stands nowhere")
            self._chain(S, x, faults)
        if counted != self.expected:
            faults.append(f"counts differ: {counted - self.expected} too many, {self.expected - counted} missing")
        if limits:
            self._limits(S, faults)
        return faults

    def _chain(self, S: State, x: int, faults: list[str]) -> None:
        at, steps = x, 0
        while at >= 0 and steps <= 30:
            at = self.program.up[at] if self.program.up[at] >= 0 else S.place[at]
            steps += 1
        if steps > 30:
            faults.append(f"{S.name(x)} lies in itself")

    def _limits(self, S: State, faults: list[str]) -> None:
        for kind, mask, number, places in self.limits:
            for container, inside in enumerate(S.inside):
                if len(inside) > number and places[container]:
                    there = sum(mask[x] for x in inside)
                    if there > number and there > bent_limit(S, kind, container, number):
                        faults.append(f"{there} {kind} at {S.name(container)}, the limit is {number}")
        for zone, info in self.zones.items():
            inside = S.inside[zone]
            if info.limit is not None:
                before = self.held.get(zone, 0) if not isinstance(info.limit, t.Number) else 0
                self.held[zone] = len(inside)
                if len(inside) > before and len(inside) > zone_limit(S, zone):
                    faults.append(f"{len(inside)} in {S.name(zone)}, the limit is {zone_limit(S, zone)}")
            if inside and info.holds:
                holds = self.program.world.mask(info.holds)
                faults += [f"{S.name(x)} lies in {S.name(zone)}, which holds {info.holds}" for x in inside if not holds[x]]


class AfterEachCommit:
    """While it is entered, every commit of this process is followed by a check. `count` says how many there were.

    A swap is two moves: between them a limit may be passed, so only lists and counts are checked then.
    """

    def __init__(self) -> None:
        self.columns: Columns | None = None
        self.count = 0
        self.faults: list[str] = []
        self._wrapped: list[tuple[Callable[..., Any], Callable[..., Any]]] = []

    def __enter__(self) -> AfterEachCommit:
        for name in ("move", "put_field", "set_known"):
            real = getattr(commit, name)
            checked = self._wrap(real, name)
            self._wrapped.append((real, checked))
            _replace(real, checked)
        return self

    def __exit__(self, *_: object) -> None:
        for real, checked in self._wrapped:
            _replace(checked, real)

    def _wrap(self, real: Callable[..., Any], what: str) -> Callable[..., Any]:
        def checked(S: State, *args: Any, **more: Any) -> Any:
            result = real(S, *args, **more)
            if self.columns is not None and S.undo is None:
                self.count += 1
                if not self.faults:
                    self.faults = self.columns.faults(S, limits=what != "move" or "swap" not in args[2:3])
            return result

        return checked


def _replace(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Wherever the kernel and its compiled programs hold one function, put another."""
    spaces = [vars(module) for name, module in list(sys.modules.items()) if name.startswith("nemesis")]
    spaces += [program.namespace for program in programs._programs.values()]
    for namespace in spaces:
        for name, value in list(namespace.items()):
            if value is old:
                namespace[name] = new
