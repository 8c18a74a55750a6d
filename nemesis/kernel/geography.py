"""Distances on the graph that a pack's `exits` question makes; a table of distances is kept until a place moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.reading import seq
from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from nemesis.state import State


def exits(S: State, place: Ref) -> tuple[Ref, ...]:
    """Where one may go from a place, by number."""
    found = S.program.ask(S, "exits", place)
    return tuple(sorted(x for x in seq(found) if type(x) is Ref))


ENTRIES = -1


def entries(S: State) -> dict[int, list[int]]:
    """For every place the places that have it among their exits."""
    found: Any = S.distances.get(ENTRIES)
    if found is None:
        found = {}
        mask, on_map, place_of = S.program.place_mask, S.program.on_map, S.place
        for place in S.program.refs:
            if mask[place] and (place_of[place] >= 0 or on_map[place]):
                for to in exits(S, place):
                    found.setdefault(int(to), []).append(int(place))
        S.distances[ENTRIES] = found
    table: dict[int, list[int]] = found
    return table


def distances_to(S: State, goal: Ref) -> dict[int, int]:
    """Steps from every place to the goal, breadth first against the exits."""
    known = S.distances.get(int(goal))
    if known is None:
        table = entries(S)
        known = {int(goal): 0}
        queue = [int(goal)]
        for at in queue:
            step = known[at] + 1
            for x in table.get(at, ()):
                if x not in known:
                    known[x] = step
                    queue.append(x)
        S.distances[int(goal)] = known
    return known


def place_on(S: State, x: Any) -> Any:
    """A place, or the place a thing is in."""
    if type(x) is tuple:
        x = x[0] if x else None
    if type(x) is not Ref:
        return None
    mask = S.program.place_mask
    while not mask[x]:
        at = S.place[x]
        if at < 0:
            return None
        x = S.program.refs[at]
    return x


def map_distance(S: State, a: Any, b: Any) -> Any:
    a, b = place_on(S, a), place_on(S, b)
    if a is None or b is None:
        return None
    return distances_to(S, b).get(a)


def map_first_steps(S: State, a: Any, b: Any) -> tuple[Ref, ...]:
    """The neighbours of a that lie on a shortest way to b, by number."""
    a, b = place_on(S, a), place_on(S, b)
    if a is None or b is None or a == b:
        return ()
    table = distances_to(S, b)
    here = table.get(a)
    if here is None:
        return ()
    return tuple(x for x in exits(S, a) if table.get(x) == here - 1)


def map_closed(S: State, a: Any, b: Any) -> bool:
    """Whether the step is barred: the question `closed` of either place answers yes."""
    if not S.program.member_sorts("closed"):
        return False
    return bool(S.program.ask(S, "closed", a) or S.program.ask(S, "closed", b))


def map_open(S: State, a: Any, b: Any) -> bool:
    return not map_closed(S, a, b)
