"""What a program knows of containers: who sees into them, what is out of play, which order they keep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.world.thing import Ref
from nemesis.world.world import World, card_key
from rulescript.table.declarations import Declarations

if TYPE_CHECKING:
    from nemesis.state import State

SEAT = -2


class PlaceTables:
    """Columns by thing number that never change."""

    world: World
    table: Declarations
    refs: list[Ref]

    # ---- tables of places --------------------------------------------------------------------------------------------
    def _place_tables(self) -> None:
        world, table = self.world, self.table
        n = world.count
        self.is_zone = bytes(kind == "zone" for kind in world.kind)
        self.up = [-1] * n
        self._fields: dict[int, tuple[int, ...]] = {}
        self.out = [False] * n
        self.shows = [0] * n
        self.ordered = [False] * n
        self.shuffles = [False] * n
        self.zones_of: list[tuple[Ref, ...]] = [()] * n
        self.open_zones: list[tuple[Ref, ...]] = [()] * n
        self.owns = [False] * n
        self.acts = [False] * n
        for ref, kinds in enumerate(world.kinds):
            above = [table.kinds[up] for kind in kinds for up in table.ancestors(kind) if up in table.kinds]
            self.owns[ref] = world.kind[ref] == "seat" or any(info.owns for info in above)
            self.acts[ref] = any(info.acts for info in above)
        held: dict[int, list[Ref]] = {}
        codes = {"all": 0, "owner": 1, "nobody": 2, "front": 3}
        self.zone_info: dict[int, Any] = {}
        for ref, name in world.zone_name.items():
            zone = table.zones.get(name)
            holder = world.zone_holder[ref]
            if isinstance(holder, Ref):
                self.up[ref] = holder
                held.setdefault(holder, []).append(self.refs[ref])
            if name in ("box", "pool"):
                self.out[ref] = True
            if name == "box":
                self.shows[ref] = 2  # what goes out of the game unseen stays unseen
            if zone is not None:
                self.zone_info[ref] = zone
                self.shows[ref] = codes.get(zone.shows, 0)
                self.out[ref] = zone.shows == "nobody"
                self.ordered[ref] = zone.order in ("ordered", "shuffled", "stack")
                self.shuffles[ref] = zone.order in ("shuffled", "mixed")
        # One entry more: what lies nowhere (-1) is hidden from nobody.
        self.open_to_all = bytes([*(zone and not shows for zone, shows in zip(self.is_zone, self.shows, strict=True)), 1])
        for at, zones in held.items():
            self.zones_of[at] = tuple(zones)
            if not self.owns[at]:
                self.open_zones[at] = tuple(zones)
        self.on_map = [False] * n
        for ref in (*world.ends, *world.links):
            self.on_map[ref] = True
        self.place_mask = world.mask("place")
        hidden_kinds = {zone.holds for zone in table.zones.values() if zone.shows in ("nobody", "owner", "front") and zone.holds}
        hidden_kinds.add("card")
        hidden_kinds |= {info.name for info in table.kinds.values() if info.shows == "nobody"}
        masks = [world.mask(kind) for kind in sorted(hidden_kinds)]
        self.hideable = bytes(any(mask[ref] for mask in masks) for ref in range(n))
        self.runs_out = {
            kind for kind in table.kinds for up in table.ancestors(kind) if up in table.kinds and table.kinds[up].when_out is not None
        }
        seat_of = world.field_at.get("seat")
        self.seat_at = [SEAT if world.kind[ref] == "seat" else seat_of[ref] if seat_of is not None else -1 for ref in range(n)]
        self.card_keys = [card_key(world, ref) for ref in world.refs]
        self._can_hide: dict[str, bool] = {}
        self._holds: dict[int, bytes | None] = {}
        self._holds_only: dict[tuple[int, int], bool] = {}
        self.pool_set = frozenset(int(ref) for ref in world.pools.values())
        self.gone_set = self.pool_set | {int(world.box)}
        self.zone_limits: dict[int, Any] = {}
        self.reference_fields = self._reference_fields()

    def _reference_fields(self) -> tuple[int, ...]:
        """Addresses of fields that may hold things."""
        world = self.world
        found = []
        for name, address in world.field_at.items():
            kind = world.field_type[name].name
            if kind in self.table.kinds and kind not in ("track", "die"):
                found += [at for at in address if at >= 0]
        return tuple(found)

    def fields_of(self, x: int) -> tuple[int, ...]:
        """The addresses of a thing's fields; asked often, so they are kept."""
        found = self._fields.get(x)
        if found is None:
            found = self._fields[x] = tuple(self.addresses_of(x))
        return found

    def addresses_of(self, x: int) -> list[int]:
        return [address[x] for address in self.world.field_at.values() if address[x] >= 0]

    def has_hidden_hand(self, S: State, seat: int) -> bool:
        """Whether a seat owns a zone with things that only it sees."""
        return any(
            self.shows[zone] == 1 and S.inside[zone] and self.seat_of_thing(S, self.up[zone]) == seat for zone in self.world.zone_name
        )

    def holds_mask(self, zone: int) -> bytes | None:
        if zone not in self._holds:
            info = self.zone_info.get(zone)
            self._holds[zone] = self.world.mask(info.holds) if info is not None and info.holds else None
        return self._holds[zone]

    def holds_only(self, zone: int, mask: bytes) -> bool:
        """Whether all or none of what a zone may hold is of a kind: then the kind of what lies there is no secret."""
        key = (zone, id(mask))
        known = self._holds_only.get(key)
        if known is None:
            holds = self.holds_mask(zone)
            if not any(a and b for a, b in zip(mask, self.hideable, strict=True)):
                self._holds_only[key] = True  # nothing of that kind can be hidden
                return True
            inside = [bool(b) for a, b in zip(holds, mask, strict=True) if a] if holds is not None else [True, False]
            known = all(inside) or not any(inside)
            self._holds_only[key] = known
        return known

    def can_hide(self, kind: str) -> bool:
        """Whether some thing of a kind may lie unseen."""
        known = self._can_hide.get(kind)
        if known is None:
            known = self._can_hide[kind] = any(a and b for a, b in zip(self.world.mask(kind), self.hideable, strict=True))
        return known

    def telling_zones(self, mask: bytes) -> tuple[int, ...]:
        """Hidden zones in play that may hold things of a kind among others: who cannot look in cannot count that kind."""
        return tuple(zone for zone in self.zone_info if self.shows[zone] and not self.out[zone] and not self.holds_only(zone, mask))

    def holder_bit(self, S: State, zone: int) -> int:
        """The bit of the seat that owns what a zone holds."""
        seat = self.seat_of_thing(S, self.up[zone])
        return 0 if seat < 0 else 1 << seat

    def seat_of_thing(self, S: State, x: int) -> int:
        """0-based seat of a thing (its field `seat`, or its owner's), -1 without one."""
        at, up, copy = self.seat_at, self.up, self.world.copy
        for _ in range(20):
            if x < 0:
                return -1
            address = at[x]
            if address >= 0:
                seat = S.v[address]
                if type(seat) is Ref:
                    return copy[seat] - 1
            elif address == SEAT:
                return copy[x] - 1
            x = up[x] if up[x] >= 0 else S.place[x]
        return -1
