"""How a game begins: everything in its pool, deck or the box, decks in their first keyed order, seats for those who act."""

from __future__ import annotations

from typing import Any

from nemesis.kernel.chance import shuffled
from nemesis.kernel.program import Program
from nemesis.kernel.verb_things import zone_key
from nemesis.state import State
from nemesis.world.thing import Ref


def new_state(program: Program, seed: int, seats: tuple[str, ...], options: dict[str, Any]) -> State:
    """A state before the first procedure: limited things in their pools, cards in the one deck that holds them, the rest in the box."""
    S = State(program, seed, seats, options)
    if program.first_places is None:
        program.first_places = first_places(program)
    places, containers = program.first_places
    S.place[:] = places
    for container, things, mixed in containers:
        S.inside[container] = shuffled(S, container, things, zone_key(S, container)) if mixed else things
    return S


def first_places(program: Program) -> tuple[list[int], list[tuple[Ref, tuple[Ref, ...], bool]]]:
    """Where everything lies at first: (place by thing, [(container, what lies in it, whether it is mixed)])."""
    world, table = program.world, program.table
    homes = deck_of_kind(program)
    places = [-1] * world.count
    inside: dict[Ref, list[Ref]] = {}
    for ref in world.refs:
        kind = world.kind[ref]
        if program.is_zone[ref] or kind in ("game", "seat") or program.on_map[ref] or ref in world.slot_of:
            continue
        made = world.definition[ref]
        if made is None:
            place = world.pools.get(kind, world.box)
        else:
            place = next((homes[up] for own in world.kinds[ref] for up in table.ancestors(own) if up in homes), world.box)
        places[ref] = place
        inside.setdefault(place, []).append(ref)
    return places, [(container, tuple(things), program.zone_info.get(container) is not None) for container, things in inside.items()]


def deck_of_kind(program: Program) -> dict[str, Ref]:
    """Kinds of cards that exactly one shuffled zone of the table holds, with that zone."""
    found: dict[str, list[Ref]] = {}
    for zone, info in program.zone_info.items():
        if info.holder is None and info.order == "shuffled" and info.holds and program.table.is_kind(info.holds, "card"):
            found.setdefault(info.holds, []).append(program.refs[zone])
    return {kind: zones[0] for kind, zones in found.items() if len(zones) == 1}
