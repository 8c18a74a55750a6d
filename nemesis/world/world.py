"""The roster: every thing, place and zone of a game, numbered once and never again.

Numbers run: game, seats, map nodes and links, track slots, limited things, definitions, zones. A zone is a thing too (kind `zone`), so that
one column `place` holds where anything lies.
"""

from __future__ import annotations

from collections.abc import Iterable

from nemesis.world.thing import Ref, Value
from rulescript import tree as t
from rulescript.table.declarations import Declarations
from rulescript.table.definition import Definition

UNKNOWN = -1


class World:
    """Everything about a set of packs and a number of seats that no move of the game changes."""

    def __init__(self, table: Declarations, seats: int, *, scenario: bool = False) -> None:
        self.table = table
        self.seat_count = seats
        self.scenario = scenario
        self.kind: list[str] = []
        self.kinds: list[tuple[str, ...]] = []
        self.definition: list[Definition | None] = []
        self.copy: list[int] = []
        self.refs: list[Ref] = []
        self.base_name: list[str] = []
        self.by_name: dict[str, Ref] = {}
        self.ends: dict[int, tuple[Ref, ...]] = {}
        self.links: dict[int, list[Ref]] = {}
        self.labels: dict[int, Value] = {}
        self.slot_of: dict[int, tuple[str, int]] = {}
        self.track_places: dict[str, list[Ref]] = {}
        self.zone_name: dict[int, str] = {}
        self.zone_holder: dict[int, Ref | str | None] = {}
        self.zone_ids: dict[tuple[str, int | str | None], Ref] = {}
        self.pools: dict[str, Ref] = {}
        self._masks: dict[str, bytes] = {}
        self._members: dict[str, tuple[Ref, ...]] = {}
        self.field_at: dict[str, list[int]] = {}
        self.field_type: dict[str, t.TypeRef] = {}
        self.hidden_fields: set[str] = set()
        self.v0: list[Value] = []
        self.track_at: dict[str, int] = {}
        self.overrides: dict[str, dict[int, Value]] = {}
        self._make_things()
        self._make_zones()
        self.count = len(self.refs)
        self._lay_out_fields()

    # ---- things ------------------------------------------------------------------------------------------------------
    def _new(self, kinds: tuple[str, ...], name: str, copy: int, definition: Definition | None = None) -> Ref:
        ref = Ref(len(self.refs))
        self.refs.append(ref)
        self.kind.append(kinds[0])
        self.kinds.append(kinds)
        self.definition.append(definition)
        self.copy.append(copy)
        self.base_name.append(name)
        return ref

    def _make_things(self) -> None:
        table = self.table
        self.game = self._new(("game",), "game", 0)
        self.by_name["game"] = self.game
        self.seats: list[Ref] = [self._new(("seat",), "seat", n + 1) for n in range(self.seat_count)]
        for n, seat in enumerate(self.seats):
            self.by_name[f"seat#{n + 1}"] = seat
        for board in table.maps:
            self._make_map(board.nodes, board.links, board.block)
        for track in table.tracks.values():
            if track.slots:
                places = [self._new((track.slots,), f"{track.name}.{value}", 0) for value in track.values]
                places.append(self._new((track.slots,), f"{track.name}.behind", 0))
                self.track_places[track.name] = places
                for slot, (place, value) in enumerate(zip(places, (*track.values, "behind"), strict=True), 1):
                    self.slot_of[place] = (track.name, slot)
                    self.by_name[f"{track.name}.{value}"] = place
        for kind in table.kinds.values():
            for n in range(kind.limit or 0):
                ref = self._new((kind.name,), kind.name, n + 1)
                self.by_name[f"{kind.name}#{n + 1}"] = ref
                if kind.limit == 1:
                    self.by_name.setdefault(kind.name, ref)
        for made in table.definitions.values():
            self._make_copies(made)

    def _make_copies(self, made: Definition) -> None:
        table = self.table
        card = any(table.is_kind(kind, "card") for kind in made.kinds)
        named_by = next((info.named_by for kind in made.kinds if (info := table.kinds.get(kind)) and info.named_by), None)
        number = made.values.get(named_by) if named_by else None
        for n in range(made.copies):
            if isinstance(number, t.Number):
                ref = self._new(made.kinds, made.kind, number.value, made)
                self.by_name[f"{made.kind}#{number.value}"] = ref
                continue
            alone = made.copies == 1 and not card
            ref = self._new(made.kinds, made.id, 0 if alone else n + 1, made)
            self.by_name[f"{made.id}#{n + 1}"] = ref
            if made.copies == 1:
                self.by_name[made.id] = ref

    def _make_map(self, nodes: str, links: str, block: t.Block) -> None:
        waiting: list[t.Line] = []
        for line in block.lines:
            if not isinstance(line, t.Line):
                continue
            if line.word == "node" and isinstance(line.operand, t.Name):
                ref = self._new(line.kinds or (nodes,), line.operand.name, 0, _inline(line, nodes))
                self.by_name[line.operand.name] = ref
                self.links[ref] = []
            elif line.word == "link":
                waiting.append(line)
        for line in waiting:
            to = line.arg("to")
            if not isinstance(line.operand, t.Name) or not isinstance(to, t.Name):
                continue
            name = line.result or f"{line.operand.name}_{to.name}"
            ref = self._new(line.kinds or (links,), name, 0, _inline(line, links))
            self.by_name[name] = ref
            ends = (self.by_name[line.operand.name], self.by_name[to.name])
            self.ends[ref] = ends
            for end in dict.fromkeys(ends):
                self.links[end].append(ref)
            said = line.arg("with")
            label = () if said is None else self.literal(said, None)
            self.labels[ref] = label if isinstance(label, tuple) else (label,)

    # ---- zones -------------------------------------------------------------------------------------------------------
    def _make_zones(self) -> None:
        table = self.table
        self.box = self._zone("box", None)
        self.on_table = self._zone("table", None)
        for kind in table.kinds.values():
            if kind.limit:
                self.pools[kind.name] = self._zone("pool", kind.name)
        things = list(self.refs)
        for zone in table.zones.values():
            if zone.holder is None:
                self.by_name.setdefault(zone.name, self._zone(zone.name, None))
            elif zone.holder in table.words:
                for word in table.words[zone.holder]:
                    self._zone(zone.name, word)
            else:
                for ref in things:
                    if any(table.is_kind(kind, zone.holder) for kind in self.kinds[ref]):
                        self._zone(zone.name, ref)

    def _zone(self, name: str, holder: Ref | str | None) -> Ref:
        label = name if holder is None else f"{name}({holder})" if isinstance(holder, str) else f"{self.name_of(holder)}.{name}"
        ref = self._new(("zone",), label, 0)
        self.by_name.setdefault(label, ref)
        self.zone_name[ref] = name
        self.zone_holder[ref] = holder
        self.zone_ids[(name, holder)] = ref
        return ref

    def name_of(self, ref: int) -> str:
        """The fixed name (`goblin#2`, `anna`, `sack`); shuffled hidden cards are renamed by the state, see `sight.alias`."""
        number = self.copy[ref]
        return f"{self.base_name[ref]}#{number}" if number else self.base_name[ref]

    # ---- kinds -------------------------------------------------------------------------------------------------------
    def mask(self, kind: str) -> bytes:
        """One byte per thing: 1 where it is of the kind (declared, not modified)."""
        found = self._masks.get(kind)
        if found is None:
            fits = {kinds: any(self.table.is_kind(own, kind) for own in kinds) for kinds in set(self.kinds)}
            found = bytes([fits[kinds] for kinds in self.kinds])
            self._masks[kind] = found
        return found

    def members(self, kind: str) -> tuple[Ref, ...]:
        found = self._members.get(kind)
        if found is None:
            mask = self.mask(kind)
            found = tuple(ref for ref in self.refs if mask[ref])
            self._members[kind] = found
        return found

    def is_a(self, ref: int, kind: str) -> bool:
        return bool(self.mask(kind)[ref])

    # ---- fields ------------------------------------------------------------------------------------------------------
    def _lay_out_fields(self) -> None:
        table = self.table
        fields: dict[str, dict[str, t.TypeRef]] = {}
        for kind in table.kinds.values():
            for info in kind.fields.values():
                self.field_type.setdefault(info.name, info.type)
                self.field_at.setdefault(info.name, [UNKNOWN] * self.count)
                if info.shows == "nobody":
                    self.hidden_fields.add(info.name)
            fields[kind.name] = {}
        waiting: list[tuple[int, t.Expression, t.TypeRef]] = []
        for ref in self.refs:
            lineage = tuple(dict.fromkeys(up for own in self.kinds[ref] for up in table.ancestors(own)))
            said: dict[str, t.Expression] = {}
            for name in reversed(lineage):
                if name in table.kinds:
                    said.update(table.kinds[name].values)
            made = self.definition[ref]
            if made is not None:
                said.update(made.values)
            for name in lineage:
                kind_info = table.kinds.get(name)
                for info in kind_info.fields.values() if kind_info else ():
                    if self.field_at[info.name][ref] != UNKNOWN:
                        continue
                    self.field_at[info.name][ref] = len(self.v0)
                    given = said.get(info.name, info.default)
                    if given is None:
                        self.v0.append(self._empty(info.type))
                    else:
                        waiting.append((len(self.v0), given, info.type))
                        self.v0.append(None)
            for name, value in said.items():
                if name in table.queries and not (name in self.field_at and self.field_at[name][ref] != UNKNOWN):
                    self.overrides.setdefault(name, {})[ref] = self.literal(value, table.queries[name][0].node.type)
        for track in table.tracks:
            self.track_at[track] = len(self.v0)
            self.v0.append(1)
        for address, expression, type_ in waiting:
            self.v0[address] = self.literal(expression, type_)
        self.v0.append(None)  # what an address of -1 (no such field) reads

    def _empty(self, type_: t.TypeRef) -> Value:
        if type_.mark in ("*", "[]"):
            return ()
        if type_.mark == "?":
            return None
        if type_.name == "flag":
            return False
        if type_.name == "track":
            return 1
        if type_.name == "number" or type_.name in self.table.words.get("units", ()):
            return 0
        return None

    def literal(self, node: t.Expression, type_: t.TypeRef | None) -> Value:
        """The value of a constant expression in a declaration; kinds and unknown names are words, names of things are things."""
        if isinstance(node, t.Number):
            return node.value
        if isinstance(node, t.Negative) and isinstance(node.value, t.Number):
            return -node.value.value
        if isinstance(node, t.Flag):
            return node.value
        if isinstance(node, t.Text):
            return node.value
        if isinstance(node, t.ListOf):
            return tuple(self.literal(item, type_) for item in node.items)
        if isinstance(node, t.Range) and isinstance(node.high, t.Number):
            return tuple(range(node.low, node.high.value + 1))
        if isinstance(node, t.Name):
            if node.name == "none":
                return None
            wants_thing = type_ is not None and type_.name in self.table.kinds and type_.name != "track"
            if wants_thing and node.name in self.by_name:
                return self.by_name[node.name]
            return node.name
        return None

    def zone_of(self, name: str, holder: int | str | None) -> Ref | None:
        return self.zone_ids.get((name, holder))

    def lasting_names(self) -> Iterable[str]:
        return self.by_name.keys()


def _inline(line: t.Line, kind: str) -> Definition | None:
    """The field values written in a node's or link's block, as a definition of its own."""
    from rulescript.table.definition import Source

    if line.block is None:
        return None
    values: dict[str, t.Expression] = {}
    for inner in line.block.lines:
        if isinstance(inner, t.Line):
            values[inner.word] = inner.operand if inner.operand is not None else t.Flag(True, span=inner.span)
    return Definition("", "", (kind,), 1, line.notes, values, [], Source("", "", 0, 0), line)


def card_key(world: World, x: int) -> str:
    """The name of a thing in keys of chance: pack, definition and copy, so that a card added elsewhere moves no order."""
    made = world.definition[x]
    return f"{made.source.pack}/{made.id}/{world.copy[x]}" if made is not None else f"{world.base_name[x]}/{world.copy[x]}"
