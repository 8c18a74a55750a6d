"""Where a rule stands, and which of its places live now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from nemesis.kernel.reading import in_play, owner
from nemesis.world.thing import Ref, Value

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State

PATCH: list[Value] = [None]


@attrs.define(eq=False)
class Holder:
    """Where a rule stands: nowhere (a patch), in a kind, or in the copies of a definition; and where it lives."""

    things: tuple[Ref, ...] | None = None
    zones: frozenset[int] | None = None
    unique: bool = False
    owner_live: bool = False

    def live(self, program: Program, S: State) -> list[Value]:
        """The things through which the rule lives now; `[None]` for a patch."""
        if self.things is None:
            return PATCH
        known: list[Value] | None = S.memo.get(self)
        if known is None:
            known = S.memo[self] = self._live(program, S, self.things)
        return known

    def _live(self, program: Program, S: State, things: tuple[Ref, ...]) -> list[Value]:
        found: list[Value] = []
        place, zones, out = S.place, self.zones, program.out
        for x in things:
            if zones is not None:
                if place[x] not in zones:
                    continue
            elif place[x] >= 0 and (out[place[x]] or not in_play(S, x)):
                continue
            found.append(x)
        if found and self.owner_live:
            found = [x for x in found if owner_alive(program, S, x)]
        if self.unique and len(found) > 1:
            first: dict[Any, Value] = {}
            for holder in found:
                first.setdefault(owner(S, holder), holder)
            found = list(first.values())
        return found


def owner_alive(program: Program, S: State, x: Value) -> bool:
    mine = owner(S, x)
    if mine is None:
        return True
    for kind in program.world.kinds[mine]:
        for up in program.table.ancestors(kind):
            info = program.table.kinds.get(up)
            if info is not None and info.owner_live is not None:
                return bool(program.ask(S, info.owner_live, mine))
    return True
