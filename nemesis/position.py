"""Positions from their text form (`docs/formats.md` section 3): `given`, `--from`, bug reports."""

from __future__ import annotations

from typing import Any

from nemesis.kernel.commit import move
from nemesis.kernel.signal import ContentError
from nemesis.state import State
from nemesis.world.thing import Ref, Value
from rulescript.syntax.fragment import parse_fragment
from rulescript.tree import fragment as tree


class PositionWriter:
    """Carries out the statements of a text form on a fresh state."""

    def __init__(self, S: State) -> None:
        self.S = S
        self.program = S.program
        self.world = S.program.world
        self.table = S.program.table
        self.here: Ref | None = None
        self.seated = sum(1 for x in self.world.refs if self.program.acts[x] and self.program.seat_of_thing(S, x) >= 0)

    def write(self, text: str) -> None:
        found = parse_fragment(text)
        self.statements([one for one in found if not isinstance(one, tree.PutGame)])
        self.statements([one for one in found if isinstance(one, tree.PutGame)])
        self.S.memo.clear()
        self.S.distances = {}

    def statements(self, found: Any) -> None:
        for one in found:
            if isinstance(one, tree.PutPlace):
                self.place(one)
            elif isinstance(one, tree.PutInside):
                self.here = self.spot(one.spot, one.member)
                self.things(one.things)
            elif isinstance(one, tree.PutGame):
                for pair in one.pairs:
                    self.pair(self.world.game, pair)
            elif isinstance(one, tree.PutPool):
                self.pool(one)
            elif isinstance(one, tree.PutHere):
                self.things(one.things)

    def name(self, name: str) -> Ref | None:
        ref = self.world.by_name.get(name)
        if ref is None:
            for one in self.world.refs:
                if self.S.name(one) == name:
                    return one
        return ref

    # ---- places ------------------------------------------------------------------------------------------------------
    def place(self, one: tree.PutPlace) -> None:
        node = self.name(one.where) if one.to is None else self.link(one.where, one.to)
        if node is None:
            raise ContentError(f"there is no place {one.where}{'-' + one.to if one.to else ''} on the map")
        kind = self.table.singular(one.kind)
        if kind in self.table.kinds and self.world.is_a(node, kind):
            self.here = node
        else:
            here = [x for x in self.S.inside[node] if self.program.place_mask[x]]
            tile = here[0] if here else self.free_tile(kind, one.number)
            if here and one.number is not None and not self.numbered(here[0], one.number):
                tile = self.free_tile(kind, one.number)
            if not here:
                move(self.S, None, -1, "move", tile, node)
            self.here = tile
        for pair in one.pairs:
            self.pair(self.here, pair)
        self.things(one.things)

    def link(self, a: str, b: str) -> Ref | None:
        first, second = self.name(a), self.name(b)
        for link in self.world.links.get(first if first is not None else -1, ()):
            if second in self.world.ends[link]:
                return link
        return None

    def numbered(self, x: Ref, number: int) -> bool:
        for name in ("id", "number"):
            address = self.world.field_at.get(name)
            if address is not None and address[x] >= 0:
                return self.S.v[address[x]] == number
        return self.world.copy[x] == number

    def free_tile(self, kind: str, number: int | None) -> Ref:
        """A tile of a kind that is on no map yet: the one with the number, else the lowest that names nothing special."""
        free = [x for x in self.world.members(kind) if not self.placed(x)]
        for x in free:
            if number is not None and self.numbered(x, number):
                return x
        if number is not None:
            raise ContentError(f"there is no free {kind} {number}")
        plain = [x for x in free if self.blank(x)]
        if not free:
            raise ContentError(f"no {kind} is left")
        return (plain or free)[0]

    def blank(self, x: Ref) -> bool:
        """Whether a tile has no special flags: every flag field stands at its kind's default."""
        world = self.world
        plain = True
        for name, address in world.field_at.items():
            if address[x] >= 0 and world.field_type[name].name == "flag":
                plain = plain and S_default(world, name, x) == self.S.v[address[x]]
        return plain

    def placed(self, x: Ref) -> bool:
        at = self.S.place[x]
        return at >= 0 and self.program.on_map[at]

    def spot(self, name: str, member: str | int | None) -> Ref:
        whole = self.name(f"{name}.{member}") if member is not None else None
        if whole is not None:
            return whole
        base = self.name(name)
        if base is None and isinstance(member, str):
            ref = self.world.zone_of(name, member)
            if ref is not None:
                return ref
        if base is None and member is None and name in ("box", "table"):
            base = self.world.box if name == "box" else self.world.on_table
        if base is not None and isinstance(member, str):
            zone = self.world.zone_of(member, base)
            if zone is None:
                raise ContentError(f"{name} has no zone {member}")
            return zone
        if base is None and isinstance(member, str):
            found = self.world.zone_of(name, member)
            if found is not None:
                return found
        if base is None:
            raise ContentError(f"there is no place or zone {name}{'.' + str(member) if member is not None else ''}")
        if base in self.world.links or base in self.world.ends:
            inner = [x for x in self.S.inside[base] if self.program.place_mask[x]]
            return inner[0] if inner else base
        return base

    def pool(self, one: tree.PutPool) -> None:
        pool = self.world.pools.get(self.table.singular(one.kind))
        if pool is None:
            raise ContentError(f"{one.kind} has no pool")
        for x in self.S.inside[pool][one.count :]:
            move(self.S, None, -1, "move", x, self.world.box)

    # ---- things ------------------------------------------------------------------------------------------------------
    def things(self, found: tuple[tree.PutThing, ...]) -> None:
        for one in found:
            self.thing(one, self.here)

    def thing(self, one: tree.PutThing, where: Ref | None) -> None:
        if where is None:
            raise ContentError(f"{one.name} lies nowhere: name a place first")
        for x in self.take(one, where):
            move(self.S, None, -1, "move", x, where)
            self.seat(x)
            if one.word is not None and not self.titled(one):
                self.face(x, one.word)
            for inner in one.inner:
                self.thing(inner, x)
            for pair in one.pairs:
                self.pair(x, pair)

    def titled(self, one: tree.PutThing) -> bool:
        """`skill slasher`: the word after a kind is the title of a card."""
        made = self.table.definitions.get(one.word or "")
        return made is not None and self.table.singular(one.name) in self.table.kinds

    def take(self, one: tree.PutThing, where: Ref) -> list[Ref]:
        """The instances that a description means: a named one, copies of a definition, or so many of a kind."""
        count = one.count if one.count is not None else 1
        if self.titled(one):
            return self.copies(one.word or "", 1, where)
        kind = self.table.singular(one.name)
        if kind in self.table.kinds:
            pool = self.world.pools.get(kind)
            if pool is not None:
                free = sorted(self.S.inside[pool])[:count]
                if len(free) < count:
                    raise ContentError(f"only {len(free)} {kind} are left")
                return free
            described = [x for x in self.world.members(kind) if self.free(x)]
            if one.count is not None and self.numbers(kind):
                return [x for x in described if self.numbers_of(x, one.count)][:1] or described[:count]
            return described[:count]
        if one.name in self.table.definitions:
            return self.copies(one.name, count, where)
        ref = self.name(one.name)
        if ref is not None:
            return [ref]
        raise ContentError(f"nothing is called {one.name}")

    def numbers(self, kind: str) -> bool:
        return False

    def numbers_of(self, x: Ref, number: int) -> bool:
        return False

    def copies(self, name: str, count: int, where: Ref) -> list[Ref]:
        """Free copies of a definition, those of the owner's own zones first."""
        world = self.world
        all_ = [x for x in world.refs if (made := world.definition[x]) is not None and made.id == name]
        free = [x for x in all_ if self.free(x)]
        found = free[:count]
        if len(found) < count:
            found += [x for x in all_ if x not in found and self.S.place[x] != where][: count - len(found)]
        if len(found) < count:
            raise ContentError(f"only {len(found)} {name} are left")
        return found

    def free(self, x: Ref) -> bool:
        """Not yet put anywhere by this position: in its pool, in the box or in the deck it began in."""
        at = self.S.place[x]
        info = self.program.zone_info.get(at)
        return at in self.program.gone_set or (info is not None and info.order in ("shuffled", "mixed") and info.holder is None)

    def seat(self, x: Ref) -> None:
        """Who acts sits down in the next free seat."""
        if self.program.acts[x] and self.program.seat_of_thing(self.S, x) < 0:
            address = self.world.field_at.get("seat")
            if address is not None and address[x] >= 0 and self.seated < len(self.world.seats):
                self.S.v[address[x]] = self.world.seats[self.seated]
                self.seated += 1

    def face(self, x: Ref, word: str) -> None:
        for name in ("face", "state"):
            address = self.world.field_at.get(name)
            if address is not None and address[x] >= 0:
                self.S.v[address[x]] = self.value(word, name)
                return
        address = self.world.field_at.get(word)
        if address is not None and address[x] >= 0:
            self.S.v[address[x]] = True

    def pair(self, x: Ref, pair: tree.PutPair) -> None:
        address = self.world.field_at.get(pair.name)
        zone = self.world.zone_of(pair.name, x)
        if address is not None and address[x] >= 0 and not (zone is not None and not isinstance(pair.value, int)):
            self.S.v[address[x]] = self.field_value(pair)
            return
        if zone is not None:
            self.fill(zone, pair)
            return
        if x == self.world.game:
            if pair.name in self.world.track_at and isinstance(pair.value, int):
                self.S.v[self.world.track_at[pair.name]] = pair.value
                return
            if pair.name in self.table.modes or pair.name in self.program.modes:
                self.S.options = {**self.S.options, pair.name: getattr(pair.value, "name", pair.value)}
                return
        raise ContentError(f"{self.S.name(x)} has no field or zone {pair.name}")

    def fill(self, zone: Ref, pair: tree.PutPair) -> None:
        if isinstance(pair.value, int):
            for x in self.unknown_cards(zone, pair.value):
                move(self.S, None, -1, "move", x, zone)
        elif isinstance(pair.value, tree.PutThing):
            self.thing(pair.value, zone)
        else:
            for one in pair.value:
                self.thing(one, zone)

    def unknown_cards(self, zone: Ref, count: int) -> list[Ref]:
        """So many cards, which ones is drawn: from the owner's deck if there is one, else any that the zone holds."""
        world = self.world
        holder = world.zone_holder[zone]
        mask = self.program.holds_mask(zone)
        deck = world.zone_of("deck", holder) if holder is not None else None
        found = list(reversed(self.S.inside[deck]))[:count] if deck is not None else []
        if len(found) < count and mask is not None:
            found += [x for x in world.refs if mask[x] and self.free(x) and x not in found][: count - len(found)]
        return found

    def field_value(self, pair: tree.PutPair) -> Value:
        value = pair.value
        if isinstance(value, int):
            return value
        if isinstance(value, tree.PutThing):
            return self.value(value.name, pair.name)
        return tuple(self.value(one.name, pair.name) for one in value)

    def value(self, word: str, field: str) -> Value:
        if word in ("yes", "no"):
            return word == "yes"
        if word == "none":
            return None
        type_ = self.world.field_type.get(field)
        ref = self.name(word)
        if type_ is not None and type_.name == "seat" and ref is not None and self.world.kind[ref] != "seat":
            self.seat(ref)
            seat = self.program.seat_of_thing(self.S, ref)
            return self.world.seats[seat] if seat >= 0 else None
        if type_ is not None and type_.name in self.table.kinds and ref is not None:
            return ref
        return word


def S_default(world: Any, name: str, x: int) -> Value:
    """The default of a field's kind, without what the thing's own definition says."""
    for own in world.kinds[x]:
        for up in world.table.ancestors(own):
            info = world.table.kinds.get(up)
            if info is not None and name in info.fields:
                default = info.fields[name].default
                return False if default is None else world.literal(default, info.fields[name].type)
    return False
