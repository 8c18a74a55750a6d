"""Every name that the loaded packs and the kernel know, sorted by what it can be."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import attrs

from rulescript import tree as t
from rulescript.check.types import NUMBER, Type, parse_type, type_of
from rulescript.table import builtin
from rulescript.table.declarations import Declarations, HeadInfo, slug
from rulescript.table.primitive import Primitive, primitives
from rulescript.table.survey import walk


@attrs.define
class Member:
    """Something to ask a thing of `kind` for. `role`: field, zone, query or action."""

    kind: str
    type: Type | None
    role: str
    params: tuple[tuple[str, t.TypeRef], ...] = ()
    hidden: bool = False


Found = typing.TypeVar("Found")


def remembered(ask: Callable[[t.Node | None], Found]) -> Callable[[t.Node | None], Found]:
    """Keeps the answer for each tree: the same trees are asked again for every test file."""
    kept: dict[int, tuple[t.Node | None, Found]] = {}

    def asked(node: t.Node | None) -> Found:
        found = kept.get(id(node))
        if found is None or found[0] is not node:
            found = kept[id(node)] = (node, ask(node))
        return found[1]

    return asked


@remembered
def bound_names(block: t.Node | None) -> dict[str, Type | None]:
    """The names that the lines of a block bind, those of blocks inside included."""
    found: dict[str, Type | None] = {}
    for node in parts(block):
        if isinstance(node, t.Let | t.Choose):
            found.setdefault(node.name, None)
        elif isinstance(node, t.Line) and node.result:
            found.setdefault(node.result, None)
    return found


@remembered
def steps_in(block: t.Node | None) -> frozenset[str]:
    return frozenset(node.name for node in parts(block) if isinstance(node, t.Step))


@remembered
def labels_in(node: t.Node | None) -> frozenset[str]:
    """The slugs of the option labels in a tree."""
    return frozenset(slug(part.label) for part in parts(node) if isinstance(part, t.Option))


def parts(node: t.Node | None) -> Iterator[t.Node]:
    """The node and everything below it; nothing for None."""
    return iter(()) if node is None else walk(node)


_SORTS = {int: "number", str: "word"}


class Vocabulary:
    """The names of one set of packs."""

    def __init__(self, table: Declarations, modes: Mapping[str, object]) -> None:
        self.table = table
        self.primitives: Mapping[str, Primitive] = primitives()
        self.members: dict[str, list[Member]] = {}
        self.steps: dict[str, set[str]] = {}
        self.step_heads: dict[str, list[HeadInfo]] = {}
        self.labels: set[str] = set()
        self.actions: set[str] = {action.name for action in table.actions}
        self.modes: dict[str, Type] = dict.fromkeys(table.modes, Type("flag"))
        self.modes |= {name: Type(_SORTS.get(type(value), "flag")) for name, value in modes.items()}
        self.words: set[str] = {*builtin.LITERALS, *self.modes, *(value for value in modes.values() if isinstance(value, str))}
        self.row_keys: set[str] = set()
        self.option_labels: set[str] = set()
        self.places: set[str] = set()
        self.periods: set[str] = set(builtin.PERIODS)
        self.units: set[str] = set(table.words.get("units", ()))
        self.acting: list[str] = sorted(name for name in table.kinds if any(self._kind_acts(up) for up in table.ancestors(name)))
        self._descendants: dict[str, set[str]] = {}
        for name in table.kinds:
            for up in table.ancestors(name):
                self._descendants.setdefault(up, set()).add(name)
        self._related: dict[tuple[str, str], bool] = {}
        self._together = {
            frozenset(up for kind in made.kinds for up in table.ancestors(kind)) - {"thing"} for made in table.definitions.values()
        }
        for rule in table.rules:
            # Kinds that a rule adds to things at play may meet any kind.
            if isinstance(rule.node, t.Modify) and rule.node.member == "kinds":
                self._together.add(frozenset(table.kinds))
        self._collect_words()
        self._collect_members()
        self._collect_steps()
        self._collect_places()

    def collect_labels(self, nodes: Iterable[t.Node]) -> None:
        """Option labels as words: tests name options by them."""
        for node in nodes:
            self.option_labels |= labels_in(node)

    def _kind_acts(self, kind: str) -> bool:
        info = self.table.kinds.get(kind)
        return info is not None and info.acts

    def _collect_words(self) -> None:
        table = self.table
        for words in table.words.values():
            self.words |= set(words)
        for faces in table.dice.values():
            self.words |= {str(face) for face in faces if isinstance(face, str)}
        for track in table.tracks.values():
            self.words |= {str(value) for value in track.values if isinstance(value, str)}
        for info in table.kinds.values():
            self.words |= set(info.faces)
            if info.effect_source:
                self.words.add(info.effect_source)
        for head in table.heads:
            if head.period:
                self.periods.add(head.period)

    def _member(self, name: str, member: Member) -> None:
        self.members.setdefault(name, []).append(member)

    def _collect_members(self) -> None:
        table = self.table
        for kind, info in table.kinds.items():
            for field in info.fields.values():
                type_ = type_of(field.type)
                if field.type.name == "track":
                    type_ = Type("track", "", field.name)
                self._member(field.name, Member(kind, type_, "field", (), field.shows == "nobody"))
        for zone in table.zones.values():
            self._member(zone.name, Member(zone.holder or "game", Type("zone", "", zone.holds), "zone"))
        for queries in table.queries.values():
            for query in queries:
                self._member(query.name, Member(query.receiver, type_of(query.node.type), "query", query.node.params))
        for action in table.actions:
            self._member(action.name, Member("thing", Type("ability"), "action"))

    def _collect_steps(self) -> None:
        table = self.table
        for head in table.heads:
            names = steps_in(head.node.block)
            for word in {head.verb, head.name}:
                self.steps.setdefault(word, set()).update(names)
                self.step_heads.setdefault(word, []).append(head)
        for rule in table.rules:
            node = rule.node
            if node.label:
                self.labels.add(node.label)
            if isinstance(node, t.Hook):
                added = steps_in(node.block)
                if added and node.pattern.verb in self.steps:
                    self.steps[node.pattern.verb] |= added
        for definition in table.definitions.values():
            for row in definition.rows:
                self.row_keys |= {key.name for key in row.keys if isinstance(key, t.Name)}

    def _collect_places(self) -> None:
        for info in self.table.maps:
            self.places.add(info.name)
            for line in info.block.lines:
                if not isinstance(line, t.Line) or line.word not in ("node", "link"):
                    continue
                if line.word == "node" and isinstance(line.operand, t.Name):
                    self.places.add(line.operand.name)
                if line.word == "link":
                    to = line.arg("to")
                    if line.result:
                        self.places.add(line.result)
                    if isinstance(line.operand, t.Name) and isinstance(to, t.Name):
                        self.places |= {f"{line.operand.name}_{to.name}", f"{to.name}_{line.operand.name}"}

        self._fields: dict[str, dict[str, Type | None]] = {}

    # ---- asking

    def fields_of(self, kinds: Sequence[str]) -> dict[str, Type | None]:
        """The fields and questions that a block of these kinds may give a value."""
        found: dict[str, Type | None] = {}
        for kind in kinds:
            for up in self.table.ancestors(kind):
                for name, type_ in self._own_fields(up).items():
                    found.setdefault(name, type_)
        return found

    def _own_fields(self, kind: str) -> dict[str, Type | None]:
        if not self._fields:
            for name, info in self.table.kinds.items():
                self._fields[name] = {field.name: type_of(field.type) for field in info.fields.values()}
            for name, members in self.members.items():
                for member in members:
                    if member.role == "query":
                        self._fields.setdefault(member.kind, {}).setdefault(name, None)
        return self._fields.get(kind, {})

    def kind_of(self, word: str) -> str | None:
        """The kind that a word names, also in the plural."""
        name = self.table.singular(word)
        return name if name in self.table.kinds else None

    def unit_of(self, word: str) -> str | None:
        """The unit or kind of a quantity's word."""
        name = self.table.singular(word)
        if name in self.table.kinds or name in self.units:
            return name
        return next((unit for unit in self.units if unit in (word + "s", word.removesuffix("s"))), None)

    def descendants(self, kind: str) -> set[str]:
        return self._descendants.get(kind, {kind})

    def has_pool(self, kind: str) -> bool:
        """Whether some kind at, above or below it has a limit."""
        kinds = self.table.kinds
        return any(kinds[name].limit is not None for name in {*self.table.ancestors(kind), *self.descendants(kind)} if name in kinds)

    def related(self, left: str, right: str) -> bool:
        """Can one thing be of both kinds?"""
        known = self._related.get((left, right))
        if known is None:
            known = left == right or bool(self.descendants(left) & self.descendants(right))
            known = known or any(left in kinds and right in kinds for kinds in self._together)
            self._related[left, right] = known
        return known

    def find_member(self, kind: str, name: str) -> list[Member]:
        """What `x.name` can be for an x of this kind: of the kinds above first, then of those below."""
        found = self.members.get(name, [])
        up = self.table.ancestors(kind)
        above = [member for member in found if member.kind in up]
        above.sort(key=lambda member: up.index(member.kind))
        return above or [member for member in found if self.related(member.kind, kind)]

    def member_names(self, kind: str | None) -> set[str]:
        """Names that can stand after the dot."""
        own = set(builtin.MEMBERS)
        if kind is None:
            own |= self.members.keys() | builtin.TRACK.keys() | builtin.SEAT.keys() | builtin.ABILITY.keys() | builtin.SLOT.keys()
            return own | builtin.MAP.keys() | builtin.GAME.keys()
        return own | self.special_members(kind).keys() | {name for name in self.members if self.find_member(kind, name)}

    def special_members(self, kind: str) -> Mapping[str, str]:
        """The kernel's answers for tracks, seats, abilities, the map, the game."""
        by_kind: dict[str, Mapping[str, str]] = {
            "track": builtin.TRACK, "seat": builtin.SEAT, "ability": builtin.ABILITY, "map": builtin.MAP, "game": builtin.GAME,
        }  # fmt: skip
        if kind in by_kind:
            return by_kind[kind]
        if self.related(kind, "place") or kind == "zone":
            return builtin.SLOT
        return {}

    def builtin_type(self, kind: str | None, name: str) -> tuple[bool, Type | None]:
        """Whether the kernel answers `x.name`, and what type that is."""
        tables = [self.special_members(kind), builtin.MEMBERS] if kind else [
            builtin.MEMBERS, builtin.TRACK, builtin.SEAT, builtin.ABILITY, builtin.SLOT, builtin.MAP, builtin.GAME,
        ]  # fmt: skip
        for rows in tables:
            if name in rows:
                return True, parse_type(rows[name])
        return False, None

    def known_verbs(self) -> set[str]:
        return set(self.table.verbs) | set(self.primitives)

    def thing_type(self, name: str) -> Type | None:
        """The type of a named thing: a definition, `kind#n`, a map node."""
        base = name.split("#")[0]
        if base in self.table.definitions:
            made = self.table.definitions[base]
            return Type(made.kind) if made.copies == 1 or "#" in name else Type(made.kind, "*")
        if "#" in name and base in self.table.kinds:
            return Type(base)
        return Type("place") if name in self.places else None

    def name_type(self, name: str) -> tuple[bool, Type | None]:
        """Whether a bare, unbound word means anything, and what it is."""
        table = self.table
        kind = self.kind_of(name)
        if kind is not None:
            return True, Type(kind, "*")
        if name in table.zones:
            return True, Type("zone", "", table.zones[name].holds)
        if name in table.tracks:
            return True, Type("track", "", name)
        if name in table.dice:
            return True, Type("die")
        thing = self.thing_type(name)
        if thing is not None:
            return True, thing
        if name in self.words:
            return True, Type("word")
        if name in table.orders or name in builtin.ORDERS or name in builtin.DECIDERS:
            return True, None
        if name in self.actions or name in self.labels or name in table.words or name in self.units or name in table.verbs:
            return True, Type("word")
        if name in table.harms or name in table.hopes:
            return True, None
        return False, None

    def value_names(self) -> set[str]:
        """Words that could stand as a value."""
        table = self.table
        found = set(table.kinds) | set(table.plurals) | set(table.zones) | set(table.tracks) | set(table.dice) | set(table.definitions)
        return found | self.words | self.places | set(table.orders) | set(builtin.SPECIAL) | self.actions | set(builtin.ORDERS)


def unit_type(unit: str) -> Type:
    return Type(unit) if unit else NUMBER
