"""What a seat sees of a state: the one place where faces and bots get facts from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.sight import seen_by
from nemesis.wording import plain_value
from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from nemesis.state import State


def make_view(S: State, seat: int) -> dict[str, Any]:
    """The view of a seat (0-based; -1 = the public): `things`, `places`, `zones`, `fields`, `seats`; what is not seen is not in it."""
    world, program = S.program.world, S.program
    things: dict[str, Any] = {}
    places: dict[str, Any] = {}
    zones: dict[str, Any] = {}
    for x in world.refs:
        if program.is_zone[x]:
            name = S.name(x)
            if x in program.gone_set:
                continue
            inside = S.inside[x]
            seen = [S.name(y) for y in inside if seen_by(S, y, seat)]
            if inside or world.zone_holder[x] is None:
                zones[name] = {"count": len(inside), "things": seen if program.ordered[x] else sorted(seen)}
            continue
        place = S.place[x]
        if place in program.gone_set:
            continue
        if program.hideable[x] and not seen_by(S, x, seat):
            continue
        made = world.definition[x]
        row = {"kind": world.kind[x], "title": made.title if made is not None else "", "fields": fields_of(S, x, seat)}
        if place >= 0:
            row["place"] = S.name(place)
        if program.place_mask[x]:
            if place >= 0 or program.on_map[x]:
                row["exits"] = [S.name(y) for y in exits_of(S, x)]
            places[S.name(x)] = row
        elif x != world.game and world.kind[x] != "seat":
            things[S.name(x)] = row
    fields = fields_of(S, world.game, seat)
    for track, address in world.track_at.items():
        slot = S.v[address]
        if not any(track == name for name in world.field_at):
            assert isinstance(slot, int)
            fields[track] = plain_value(S, program.table.tracks[track].values[slot - 1])
    seats = {S.name(x): S.seat_names[n] for n, x in enumerate(world.seats)}
    return {"things": things, "places": places, "zones": zones, "fields": fields, "seats": seats}


def exits_of(S: State, x: Ref) -> tuple[Ref, ...]:
    if not S.program.member_sorts("exits"):
        return ()
    from nemesis.kernel.geography import exits

    return exits(S, x)


def fields_of(S: State, x: Ref, seat: int) -> dict[str, Any]:
    """Fields of a thing whose face is seen; hidden fields only if they are known."""
    world = S.program.world
    found: dict[str, Any] = {}
    for name, address in world.field_at.items():
        at = address[x]
        if at < 0 or (name in world.hidden_fields and not knows_field(S, x, seat)):
            continue
        value = S.v[at]
        type_ = world.field_type[name]
        if type_.name == "track" and name in S.program.table.tracks and isinstance(value, int):
            found[name] = plain_value(S, S.program.table.tracks[name].values[value - 1])
            found[f"{name}_slot"] = value
        elif type(value) is Ref and world.kind[value] == "seat":
            found[name] = S.seat_names[world.copy[value] - 1]
        elif type(value) is Ref and S.program.hideable[value] and not seen_by(S, value, seat):
            found[name] = "unseen"
        else:
            found[name] = plain_value(S, value)
    return found


def knows_field(S: State, x: int, seat: int) -> bool:
    return seat >= 0 and bool(S.known[x] >> 32 >> seat & 1)
