"""A program: the declarations of some packs, lowered for a number of seats. Shared by all games that play it."""

from __future__ import annotations

import marshal
from collections.abc import Callable, Iterable
from types import CodeType
from typing import TYPE_CHECKING, Any

from nemesis.kernel.code import Code
from nemesis.kernel.rule import HookRule, ModifyRule, make_rules
from nemesis.lower.scope import Scope
from nemesis.world.thing import Ref, Value
from nemesis.world.world import World
from rulescript import tree as t
from rulescript.table.declarations import Declarations, HeadInfo
from rulescript.table.survey import Survey

if TYPE_CHECKING:
    from nemesis.lower.expression import ExpressionWriter
    from nemesis.state import State

PRIMITIVES = (
    "place", "move", "return", "remove", "swap", "attach", "orient", "flip", "draw", "shuffle", "renew", "look", "reveal", "hide", "roll",
    "set", "raise", "lower", "divide", "act", "use", "rows", "win", "end_game", "note",
)  # fmt: skip


class Ruleset:
    """The names that a pack's manifest gives to what the kernel calls by role."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.main: str | None = said.get("main")
        self.ending: str | None = said.get("ending")
        self.over: str | None = said.get("over")
        self.policy: str = said.get("policy") or "lowest_id"
        self.harm: str | None = said.get("harm")
        self.asks: str | None = said.get("asks")
        self.chance_period: str | None = said.get("chance_period")
        self.pay: str | None = said.get("pay")


class Program:
    """Tables that generated code and the kernel read; code units are lowered when first needed."""

    def __init__(
        self, table: Declarations, found: Survey, ruleset: dict[str, Any], modes: dict[str, Any], seats: int, *, scenario: bool = False
    ) -> None:
        self.table = table
        self.ruleset = Ruleset(ruleset)
        self.modes = modes
        self.primitives = frozenset(PRIMITIVES)
        self.world = World(table, seats, scenario=scenario)
        self.refs = self.world.refs
        self.actions = table.actions
        self.action_names = {action.name for action in table.actions}
        self.namespace: dict[str, Any] = {}
        self.counter = 0
        self.codes: list[Code] = []
        self.lines: list[tuple[str, tuple[str, ...], t.Span]] = []
        self._line_ids: dict[tuple[str, int], int] = {}
        self.walker = False
        self.cache: dict[str, bytes] = {}
        self.cache_new = False
        self._words: dict[tuple[str, str], bool] = {}
        self.modified_kinds: frozenset[str] = frozenset()
        self._place_tables()
        self.dids = {(self._did_verb(verb), step) for verb, step in found.dids}
        self.writes = set(found.writes)
        self.hooks: dict[tuple[str, str | None], dict[str, list[HookRule]]] = {}
        self.untils: list[tuple[HookRule, list[HookRule], list[ModifyRule]]] = []
        self.modifiers: dict[str, list[ModifyRule]] = {}
        self.labels: dict[str, HookRule] = {}
        self._hook_kinds: dict[tuple[str, str | None], list[t.Pattern]] = {}
        make_rules(self, found)
        self.head_codes: dict[int, Code] = {}
        self.action_codes: dict[int, Code] = {}
        self.row_codes: dict[tuple[str, int, int], Code] = {}
        self._members: dict[tuple[str, bool], str] = {}
        self._head_groups: dict[tuple[int, ...], str] = {}
        self._until_ids: dict[int, int] = {}
        self.all_seats = (1 << seats) - 1
        from nemesis.kernel.library import library

        self.namespace.update(library())
        self.offers = self._sort_offers()

    # ---- tables of places --------------------------------------------------------------------------------------------
    def _place_tables(self) -> None:
        world, table = self.world, self.table
        n = world.count
        self.is_zone = bytes(kind == "zone" for kind in world.kind)
        self.up = [-1] * n
        self.out = [False] * n
        self.shows = [0] * n
        self.ordered = [False] * n
        self.shuffles = [False] * n
        self.zones_of: list[tuple[Ref, ...]] = [()] * n
        self.open_zones: list[tuple[Ref, ...]] = [()] * n
        self.owns = [any(info.owns for kind in kinds if (info := table.kinds.get(kind)) or False) for kinds in world.kinds]
        for ref, kinds in enumerate(world.kinds):
            self.owns[ref] = any(table.kinds[up].owns for kind in kinds for up in table.ancestors(kind) if up in table.kinds)
        self.acts = [any(table.kinds[up].acts for kind in kinds for up in table.ancestors(kind) if up in table.kinds) for kinds in world.kinds]
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
            if zone is not None:
                self.zone_info[ref] = zone
                self.shows[ref] = codes.get(zone.shows, 0)
                self.out[ref] = zone.shows == "nobody"
                self.ordered[ref] = zone.order in ("ordered", "shuffled", "stack")
                self.shuffles[ref] = zone.order in ("shuffled", "mixed")
        for holder, zones in held.items():
            self.zones_of[holder] = tuple(zones)
            if not self.owns[holder]:
                self.open_zones[holder] = tuple(zones)
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
        self._holds: dict[int, bytes | None] = {}
        self.live_zones: dict[str, frozenset[int]] = {}

    def holds_mask(self, zone: int) -> bytes | None:
        if zone not in self._holds:
            info = self.zone_info.get(zone)
            self._holds[zone] = self.world.mask(info.holds) if info is not None and info.holds else None
        return self._holds[zone]

    def holder_bit(self, S: State, zone: int) -> int:
        """The bit of the seat that owns what a zone holds."""
        seat = self.seat_of_thing(S, self.up[zone])
        return 0 if seat < 0 else 1 << seat

    def seat_of_thing(self, S: State, x: int) -> int:
        """0-based seat of a thing (its field `seat`, or its owner's), -1 without one."""
        world = self.world
        guard = 0
        while x >= 0 and guard < 20:
            guard += 1
            if world.kind[x] == "seat":
                return world.copy[x] - 1
            address = world.field_at.get("seat")
            if address is not None and address[x] >= 0:
                seat = S.v[address[x]]
                if type(seat) is Ref:
                    return world.copy[seat] - 1
            x = self.up[x] if self.up[x] >= 0 else S.place[x]
        return -1

    # ---- names for generated code ------------------------------------------------------------------------------------
    def use(self, name: str, value: Any) -> str:
        self.namespace.setdefault(name, value)
        return name

    def mask_code(self, kind: str) -> str:
        kind = self.table.singular(kind)
        if kind in self.modified_kinds:
            return f"mask_of(S, {kind!r})"
        return self.use(f"K_{kind}", self.world.mask(kind))

    def members_code(self, kind: str) -> str:
        return self.use(f"M_{kind}", self.world.members(kind))

    def use_ref(self, name: str) -> str:
        ref = self.world.by_name[name]
        return self.use(f"R_{int(ref)}", ref)

    def use_pool(self, kind: str) -> str:
        ref = self.world.pools.get(kind)
        return "None" if ref is None else self.use(f"R_{int(ref)}", ref)

    def is_spot(self, name: str) -> bool:
        """Whether a bare name means one thing, place or zone, and not a kind or word."""
        ref = self.world.by_name.get(name)
        if ref is None or name in self.table.kinds:
            return False
        return not any(name in words for words in self.table.words.values()) or self.world.kind[ref] == "zone" or self.on_map[ref]

    def name_code(self, name: str, writer: ExpressionWriter) -> str:
        """Python text of a name that is bound nowhere: a zone, place, thing, kind or word."""
        world, table = self.world, self.table
        if name == "box":
            return self.use(f"R_{int(world.box)}", world.box)
        if name == "table":
            return self.use(f"R_{int(world.on_table)}", world.on_table)
        ref = world.by_name.get(name)
        if ref is not None:
            code = self.use(f"R_{int(ref)}", ref)
            if ref in world.links or ref in world.ends:
                return f"spot_value(S, {code})"
            return code
        if name in table.tracks:
            return f"S.v[{world.track_at[name]}]"
        kind = table.singular(name)
        if kind in table.kinds:
            return writer.set(t.AllOf(name, span=t.Span("", 0, 0, 0, 0)))
        if name in self.world.field_type and False:
            return ""
        if name in table.queries and any(info.receiver == "game" for info in table.queries[name]):
            return f"{self.member_name(name, writer.checked)}(S, {self.use_ref('game')})"
        return repr(name)

    def track_places_code(self, track: str) -> str:
        return self.use(f"TP_{track}", tuple(self.world.track_places.get(track, ())))

    def holders_code(self, zone: str) -> str:
        name = f"Z_{zone}"
        if name not in self.namespace:
            found = {holder: ref for (known, holder), ref in self.world.zone_ids.items() if known == zone and holder is not None}
            self.namespace[name] = found
        return name

    def field_code(self, name: str) -> str:
        address = self.world.field_at.get(name)
        if address is None:
            address = [-1] * self.world.count
        return self.use(f"F_{name}", address)

    def field_hideable(self, name: str) -> bool:
        address = self.world.field_at.get(name, ())
        return any(at >= 0 and self.hideable[ref] for ref, at in enumerate(address))

    def note_write(self, name: str) -> None:
        self.writes.add(name)

    # ---- members -----------------------------------------------------------------------------------------------------
    def member_sorts(self, name: str) -> tuple[str, ...]:
        sorts = []
        if name in self.world.field_at:
            sorts.append("field")
        if name in self.table.queries:
            sorts.append("query")
        if name in self.table.zones and self.table.zones[name].holder is not None:
            sorts.append("zone")
        if not sorts and name in self.action_names:
            sorts.append("action")
        return tuple(sorts)

    def is_modified(self, name: str) -> bool:
        return name in self.modifiers

    def member_name(self, name: str, checked: bool) -> str:
        from nemesis.lower.query import make_member

        known = self._members.get((name, checked))
        if known is None:
            known = f"Q{'c' if checked else ''}_{name}"
            self._members[(name, checked)] = known
            make_member(self, name, checked, known)
        return known

    def ask(self, S: State, name: str, x: Value, *args: Value, checked: bool = False) -> Any:
        """A question to a thing from the kernel itself (`in_game`, `exits`, `limit_in` …)."""
        return self.namespace[self.member_name(name, checked)](S, x, *args)

    # ---- kinds and words ---------------------------------------------------------------------------------------------
    def word_below(self, word: str, above: str) -> bool:
        """Whether a kind's name is another kind's or below it; equal words always are."""
        if word == above:
            return True
        known = self._words.get((word, above))
        if known is None:
            known = word in self.table.kinds and above in self.table.kinds and self.table.is_kind(word, above)
            self._words[(word, above)] = known
        return known

    def thing_is(self, S: State, x: Ref, word: str) -> bool:
        world = self.world
        if word in self.table.kinds:
            if word in self.modified_kinds:
                from nemesis.kernel.modifier import kinds_of

                return any(self.word_below(kind, word) for kind in kinds_of(S, x))
            if world.mask(word)[x]:
                return True
        made = world.definition[x]
        if made is not None and made.id == word:
            return True
        address = world.field_at.get("face")
        if address is not None and address[x] >= 0 and S.v[address[x]] == word:
            return True
        if x in world.slot_of and world.slot_of[x][0] == word:
            return True
        return self.is_zone[x] == 1 and world.zone_name[x] == word

    def stale_is(self, x: Any, word: str) -> bool:
        return word in self.table.kinds and bool(self.world.mask(word)[x.thing])

    def public_kind(self, S: State, x: Ref, word: str) -> bool:
        """Whether the kind test is answered by what the zone is known to hold."""
        holds = self.holds_mask(S.place[x])
        if holds is None or word not in self.table.kinds:
            return False
        mask = self.world.mask(word)
        return all(mask[i] for i in range(len(holds)) if holds[i]) or not any(mask[i] for i in range(len(holds)) if holds[i])

    # ---- heads -------------------------------------------------------------------------------------------------------
    def heads_for(self, verb: str, word: str | None) -> tuple[HeadInfo, ...]:
        """The heads that a call may mean; those with the object word first, the most specific first."""
        heads = self.table.verbs[verb]
        if word is not None:
            fitting = [
                head for head in heads if head.head.object is not None and self.word_below(word, self.table.singular(head.head.object))
            ]
            if fitting:
                return tuple(sorted(fitting, key=lambda head: self._depth(head.head.object or ""), reverse=True))
        return tuple(heads) if len(heads) == 1 else tuple(sorted(heads, key=self._specific, reverse=True))

    def _depth(self, kind: str) -> int:
        return len(self.table.ancestors(self.table.singular(kind)))

    def _specific(self, head: HeadInfo) -> tuple[int, ...]:
        shape = head.head
        depths = [self._depth(shape.operand.type.name) if shape.operand is not None else 0]
        depths += [self._depth(binder.type.name) for _, binder in shape.binders]
        return tuple(depths)

    def slots_of(self, head: HeadInfo) -> tuple[str, ...]:
        """Argument names in slot order: n, object, 0, then prepositions."""
        names: list[str] = []
        shape = head.head
        if shape.amount is not None:
            names += ["n", "object"]
        if shape.operand is not None:
            names.append("0")
        names += [word for word, _ in shape.binders]
        return tuple(names)

    def use_head(self, head: HeadInfo) -> str:
        return self.use(f"H_{head.index}", head)

    def use_heads(self, heads: tuple[HeadInfo, ...]) -> str:
        key = tuple(head.index for head in heads)
        if key not in self._head_groups:
            name = f"HG_{len(self._head_groups)}"
            self._head_groups[key] = name
            self.namespace[name] = heads
        return self._head_groups[key]

    def wants_word(self, heads: Iterable[Any], name: str) -> str | None:
        for head in heads:
            for word, binder in self._binders(head):
                if word == name and (binder.type.name == "word" or binder.type.name in self.table.words):
                    return "word"
        return None

    def wants_set(self, heads: Iterable[Any], name: str) -> bool:
        return all(any(word == name and binder.type.mark in ("*", "[]") for word, binder in self._binders(head)) for head in heads)

    def takes_by(self, heads: Iterable[Any]) -> bool:
        return any(word == "by" for head in heads for word, _ in head.head.binders)

    @staticmethod
    def _binders(head: HeadInfo) -> list[tuple[str, t.Binder]]:
        found = list(head.head.binders)
        if head.head.operand is not None:
            found.append(("0", head.head.operand))
        return found

    def head_code(self, head: HeadInfo) -> Code:
        code = self.head_codes.get(head.index)
        if code is None:
            scope = Scope()
            shape = head.head
            slots: list[tuple[str, int]] = []
            if shape.amount is not None:
                slots.append(("n", scope.add(shape.amount)))
                word = shape.object or "object"
                slots.append(("object", scope.add(word if word in self.table.kinds else f"object {word}")))
            if shape.operand is not None:
                slots.append(("0", scope.add(shape.operand.name, shape.operand.type)))
            for word, binder in shape.binders:
                slots.append((word, scope.add(binder.name, binder.type)))
            code = Code(
                self,
                f"{head.source.pack}:procedure/{self.table.step_name(head)}",
                head.node.block,
                scope,
                strict=head.strict,
                done=head.done,
                verb=head.verb,
                step_verb=self.table.step_name(head),
                cites=head.node.notes.cites,
                arg_slots=tuple(slots),
                nests=head.nests,
                period=head.period,
            )
            self.head_codes[head.index] = code
        return code

    # ---- hooks -------------------------------------------------------------------------------------------------------
    def _did_verb(self, verb: str) -> str:
        if verb in self.action_names and verb not in self.table.verbs and verb not in self.primitives:
            return "use"
        return verb

    def note_interest(self, verb: str, step: str | None) -> None:
        self.dids.add((verb, step))

    def interesting(self, verb: str, step: str | None) -> bool:
        return (verb, step) in self.dids

    def note_hook(self, verb: str, step: str | None, pattern: t.Pattern) -> None:
        self._hook_kinds.setdefault((verb, step), []).append(pattern)

    def step_hooked(self, verb: str, step: str) -> bool:
        return (verb, step) in self._hook_kinds

    def needs_event(self, head: HeadInfo) -> bool:
        """Whether some rule may hook a call of this head."""
        for pattern in self._hook_kinds.get((head.verb, None), ()):
            if self._may_hook(head, pattern):
                return True
        return False

    def _may_hook(self, head: HeadInfo, pattern: t.Pattern) -> bool:
        operand = pattern.operand
        shape = head.head
        if operand is None:
            return True
        kind = self._pattern_kind(operand)
        if kind is None:
            return True
        if shape.object is not None:
            own = self.table.singular(shape.object)
            return own == kind or self.word_below(own, kind) or self.word_below(kind, own)
        if shape.operand is not None:
            own = self.table.singular(shape.operand.type.name)
            return kind in self.table.kinds and self.overlap(own, kind)
        return False

    def _pattern_kind(self, operand: t.PatternArg) -> str | None:
        if isinstance(operand, t.NamedArg | t.MarkedArg):
            return self.table.singular(operand.type.name)
        if isinstance(operand, t.Quantity):
            return self.table.singular(operand.unit or "")
        if isinstance(operand, t.Name):
            word = self.table.singular(operand.name)
            if word in self.table.kinds or word in self.table.words.get("units", ()):
                return word
        return None

    def overlap(self, a: str, b: str) -> bool:
        """Whether one thing can be of both kinds."""
        if a in self.modified_kinds or b in self.modified_kinds:
            return True
        if self.word_below(a, b) or self.word_below(b, a):
            return True
        first, second = self.world.mask(a), self.world.mask(b)
        return any(x and y for x, y in zip(first, second, strict=True))

    def primitive_hooked(self, verb: str, kinds: tuple[str, ...] | None) -> bool:
        for pattern in self._hook_kinds.get((verb, None), ()):
            if kinds is None or pattern.operand is None:
                return True
            kind = self._pattern_kind(pattern.operand)
            if kind is None or kind not in self.table.kinds or any(self.overlap(kind, one) for one in kinds):
                return True
        return False

    def field_hooked(self, verb: str, field: str) -> bool:
        for pattern in self._hook_kinds.get((verb, None), ()):
            operand = pattern.operand
            name = getattr(operand, "member", None) or getattr(operand, "name", None)
            if operand is None or name is None or name == field:
                return True
        return False

    # ---- code and lines ----------------------------------------------------------------------------------------------
    def register_code(self, code: Code) -> int:
        self.codes.append(code)
        return len(self.codes) - 1

    def add_line(self, address: str, cites: tuple[str, ...], span: t.Span) -> int:
        key = (address, span.column)
        known = self._line_ids.get(key)
        if known is None:
            known = len(self.lines)
            self._line_ids[key] = known
            self.lines.append((address, cites, span))
        return known

    def compiled(self, source: str, address: str) -> CodeType:
        """Compile generated source, by way of the cache of compiled code."""
        data = self.cache.get(source)
        if data is not None:
            code: CodeType = marshal.loads(data)
            return code
        made = compile(source, f"<{address}>", "exec")
        self.cache[source] = marshal.dumps(made)
        self.cache_new = True
        return made

    def function(self, source: str, name: str, address: str) -> Callable[..., Any]:
        """Compile one function of generated source in the program's namespace."""
        made: dict[str, Any] = {}
        exec(self.compiled(source, address), self.namespace, made)
        found: Callable[..., Any] = made[name]
        return found

    def until_index(self, node: t.Until, scope: Scope, unit: Code) -> int:
        from nemesis.kernel.rule import make_until

        known = self._until_ids.get(id(node))
        if known is None:
            known = make_until(self, node, scope, unit)
            self._until_ids[id(node)] = known
        return known

    def _sort_offers(self) -> list[int]:
        """Actions that stand in the menu by themselves: everybody's, and those in cards that name a cost."""
        return [a.index for a in self.actions if (a.definition is None and a.kind is None) or a.node.cost is not None]
