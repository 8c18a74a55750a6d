"""Scripted chance: named results in front of a stream, for tests and reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.commit import move
from nemesis.kernel.signal import ContentError
from nemesis.world.thing import Ref
from rulescript.table.declarations import slug

if TYPE_CHECKING:
    from nemesis.state import State


def scripted_card(S: State, zone: Ref, name: Any, taken: tuple[Ref, ...] = ()) -> Ref:
    """The card of a zone that a scripted title, id or description (`goblin 3`) means; from the box if the zone has none such."""
    inside = S.inside[zone]
    for x in reversed(inside):
        if x not in taken and describes(S, x, str(name)):
            return x
    holds = S.program.holds_mask(zone)
    for place in (S.program.world.box, *discard_of(S, zone)):
        for x in S.inside[place]:
            if (holds is None or holds[x]) and x not in taken and describes(S, x, str(name)):
                move(S, None, -1, "move", x, zone)
                return x
    able = sorted({describe(S, x) for x in inside})
    raise ContentError(f"nothing in {S.name(zone)} is called {name}; there are {', '.join(able[:12]) or 'no cards'}")


def lay_on_top(S: State, zone: Ref, names: list[Any]) -> list[Ref]:
    """Scripted titles lie on top of a deck, the first one uppermost; the cards, in that order."""
    found: list[Ref] = []
    for name in names:
        x = scripted_card(S, zone, name, tuple(found))
        found.append(x)
    for x in reversed(found):
        S.inside[zone] = (*[y for y in S.inside[zone] if y != x], x)
    return found


def discard_of(S: State, zone: Ref) -> list[Ref]:
    info = S.program.zone_info.get(zone)
    if info is None or info.renewed_from is None:
        return []
    found = S.program.world.zone_of(info.renewed_from, S.program.world.zone_holder[zone])
    return [found] if found is not None else []


def describe(S: State, x: Ref) -> str:
    made = S.program.world.definition[x]
    return made.title if made is not None and made.title else S.name(x)


def describes(S: State, x: Ref, name: str) -> bool:
    """`Fireball`, `fireball`, `fireball#2`, or words and numbers that all stand in the thing's fields (`goblin 3`)."""
    program = S.program
    made = program.world.definition[x]
    if made is not None and made.title and (made.title == name or made.id == name or slug(made.title) == slug(name)):
        return True
    if S.name(x) == name or program.world.name_of(x) == name:
        return True
    parts = name.split()
    values = [str(S.v[at]) for at in program.addresses_of(x)]
    for part in parts:
        if part == program.world.kind[x]:
            continue
        if part not in values:
            return False
        values.remove(part)
    return bool(parts)
