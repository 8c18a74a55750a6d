"""A program: the declarations of some packs, lowered for a number of seats. Shared by all games that play it."""

from __future__ import annotations

import marshal
from collections.abc import Callable
from hashlib import blake2b
from types import CodeType
from typing import TYPE_CHECKING, Any

from nemesis.kernel.code import Code
from nemesis.kernel.head import HeadTable
from nemesis.kernel.hooks import HookTable, Stages
from nemesis.kernel.look_table import LookTable
from nemesis.kernel.places import PlaceTables
from nemesis.kernel.rule import HookRule, ModifyRule, make_rules
from nemesis.lower.expression import ExpressionWriter
from nemesis.lower.member import BUILT_IN
from nemesis.lower.scope import Scope
from nemesis.lower.watched import held
from nemesis.world.thing import Deed, Ref, Value
from nemesis.world.world import World
from rulescript import tree as t
from rulescript.table.declarations import Declarations
from rulescript.table.survey import Survey

if TYPE_CHECKING:
    from nemesis.coverage import Coverage
    from nemesis.state import State
    from rulescript.table.declarations import HeadInfo

PRIMITIVES = (
    "place", "move", "return", "remove", "swap", "attach", "orient", "flip", "draw", "shuffle", "renew", "look", "reveal", "hide", "roll",
    "set", "raise", "lower", "divide", "act", "use", "rows", "win", "end_game", "note",
)  # fmt: skip


def _walk(node: t.Expression | None) -> list[t.Node]:
    from rulescript.table.survey import walk

    return list(walk(node)) if node is not None else []


def _walk_block(block: t.Block) -> list[t.Node]:
    from rulescript.table.survey import walk

    return list(walk(block))


class Ruleset:
    """The names that a pack's manifest gives to what the kernel calls by role."""

    def __init__(self, said: dict[str, Any]) -> None:
        self.main: str | None = said.get("main")
        self.ending: str | None = said.get("ending")
        self.over: str | None = said.get("over")
        self.policy: str = said.get("policy") or "lowest_id"
        self.harm: str | None = said.get("harm")
        self.hope: str | None = said.get("hope")
        self.asks: str | None = said.get("asks")
        self.chance_period: str | None = said.get("chance_period")
        self.pay: str | None = said.get("pay")


class Program(PlaceTables, HeadTable, HookTable):
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
        self.lines: dict[int, tuple[str, tuple[str, ...], t.Span]] = {}
        self.orders: dict[int, tuple[t.SortKey, ...]] = {}
        """The keys that narrow a choice, by the number of its line."""
        self._line_ids: dict[tuple[str, int], int] = {}
        self.writer_class: type[ExpressionWriter] = ExpressionWriter
        self.cache: dict[str, bytes] = {}
        self.cache_new = False
        self._words: dict[tuple[str, str], bool] = {}
        self.modified_kinds: frozenset[str] = frozenset()
        self.strict_bans = False
        self._place_tables()
        self.dids = {(self._did_verb(verb), step) for verb, step in found.dids}
        self.writes = set(found.writes)
        self.hooks: dict[tuple[str, str | None], dict[str, list[HookRule]]] = {}
        self.untils: dict[int, tuple[HookRule, list[HookRule], list[ModifyRule]]] = {}
        self._until_order = {id(node): number for number, node in enumerate(found.untils)}
        self.modifiers: dict[str, list[ModifyRule]] = {}
        self.labels: dict[str, HookRule] = {}
        self.map_questions: Any = None
        self._overlaps: dict[tuple[str, str], bool] = {}
        self.dispatched: dict[tuple[Any, ...], HeadInfo | None] = {}
        self.fitting: dict[tuple[Any, ...], tuple[HookRule, ...]] = {}
        self._hook_lists: dict[tuple[str, str | None], tuple[HookRule, ...]] = {}
        self._hook_kinds: dict[tuple[str, str | None], list[t.Pattern]] = {}
        make_rules(self, found)
        self.head_codes: dict[int, Code] = {}
        self.action_codes: dict[int, Code] = {}
        self.row_codes: dict[tuple[str, int, int], Code] = {}
        self.head_runs: dict[int, Any] = {}
        self.written_actions: dict[int, tuple[int, ...]] = {}
        self.written_deeds: dict[int, tuple[Deed, ...]] = {}
        self.cost_functions: dict[int, Any] = {}
        self.limited: dict[tuple[str, ...], tuple[tuple[str, str], ...]] = {}
        self.looks = LookTable(self)
        self.watch: Coverage | None = None
        self.harm: list[Any] | None = None
        self.hope: list[Any] | None = None
        self.bare = False
        self.forced_hook: Callable[[Any, int, str], None] | None = None
        self.over_in_tests = True
        self._sorts: dict[str, str] = {}
        self.made_ids = [made.id if made is not None else None for made in self.world.definition]
        self._members: dict[tuple[str, bool], str] = {}
        self._row_tests: dict[tuple[str, int, int, bool], Any] = {}
        self._order_keys: dict[str, Any] = {}
        self._guards: dict[int, tuple[Any, ...]] = {}
        self._holders: dict[tuple[str | None, str | None], Any] = {}
        self._face_words = {face for info in table.kinds.values() for face in info.faces}
        address = self.world.field_at.get("face", [])
        self._face_words |= {str(self.world.v0[at]) for at in address if at >= 0}
        self._may: dict[tuple[str, str | None, str], bool] = {}
        self._asking: dict[tuple[str, str | None], bool] = {}
        self._stages: dict[tuple[HookRule, ...], Stages] = {}
        self.first_places: tuple[list[int], list[tuple[Ref, tuple[Ref, ...], bool]]] | None = None
        self._head_groups: dict[tuple[int, ...], str] = {}
        self._until_ids: dict[int, int] = {}
        self.all_seats = (1 << seats) - 1
        from nemesis.kernel.library import library

        self.namespace.update(library())
        self.offers = self._sort_offers()
        self.menus: dict[int, Any] = {}
        self.over_names, self.over_things = self._what_ends()

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

    def definition_code(self, name: str) -> str:
        """A mask of the copies of a definition."""
        return self.use(f"KD_{name}", bytes(made is not None and made.id == name for made in self.world.definition))

    def copies_code(self, name: str) -> str:
        world = self.world
        return self.use(f"MD_{name}", tuple(ref for ref in world.refs if (made := world.definition[ref]) is not None and made.id == name))

    def only_a_kind(self, word: str, checked: bool) -> bool:
        """Whether a word can mean nothing but a kind, and, in trials, one that nothing hidden is of."""
        if word not in self.table.kinds or word in self.modified_kinds or word in self.table.definitions or word in self.table.tracks:
            return False
        if word in self._face_words:
            return False
        return not checked or not self.can_hide(word)

    def is_thing(self, name: str) -> bool:
        """Whether a name means one thing that may be in play or not (no zone, no place of the map)."""
        ref = self.world.by_name.get(name)
        return ref is not None and not self.is_zone[ref] and not self.on_map[ref] and name != "game"

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
        known = self._members.get((name, checked))
        if known is None:
            known = f"Q{'c' if checked else ''}_{name}"
            self._members[(name, checked)] = known
            self.writer_class.make_member(self, name, checked, known)
        return self._members[(name, checked)]

    def same_when_checked(self, name: str) -> None:
        """From now on the plain answer to a question stands for the checked one."""
        self._members[(name, True)] = self.member_name(name, False)

    def answers_code(self, name: str, member: str) -> str:
        """The table of functions that answer a plain question, by thing."""
        return f"A{name}"

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
        """Whether a thing is of a kind, a copy of a definition, shows a face, or is a zone or slot of that name."""
        sort = self._sorts.get(word)
        if sort is None:
            sort = self._sorts[word] = self._sort_of(word)
        if sort == "kind":
            return self.world.mask(word)[x] == 1
        if sort == "definition":
            return self.made_ids[x] == word
        world = self.world
        if word in self.table.kinds:
            if word in self.modified_kinds:
                from nemesis.kernel.modifier import kinds_of

                return any(self.word_below(kind, word) for kind in kinds_of(S, x))
            if world.mask(word)[x]:
                return True
        if self.made_ids[x] == word:
            return True
        address = world.field_at.get("face")
        if address is not None and address[x] >= 0 and S.v[address[x]] == word:
            return True
        if x in world.slot_of and world.slot_of[x][0] == word:
            return True
        return self.is_zone[x] == 1 and world.zone_name[x] == word

    def names_a_definition(self, word: str) -> bool:
        """Whether a word can mean nothing but the copies of a definition."""
        sort = self._sorts.get(word)
        if sort is None:
            sort = self._sorts[word] = self._sort_of(word)
        return sort == "definition"

    def _sort_of(self, word: str) -> str:
        """Whether a word can mean nothing but a kind, nothing but a definition, or something else as well."""
        world, table = self.world, self.table
        names = {*world.zone_name.values(), *(name for name, _ in world.slot_of.values())}
        if word in self._face_words or word in names or "face" in self.writes:
            return "any"
        if self.only_a_kind(word, checked=False):
            return "kind"
        return "definition" if word in table.definitions and word not in table.kinds else "any"

    def stale_is(self, x: Any, word: str) -> bool:
        return word in self.table.kinds and bool(self.world.mask(word)[x.thing])

    def public_kind(self, S: State, x: Ref, word: str) -> bool:
        """Whether the kind test is answered by what the zone is known to hold."""
        place = S.place[x]
        return (
            place >= 0 and word in self.table.kinds and self.holds_mask(place) is not None and self.holds_only(place, self.world.mask(word))
        )

    def order_key(self, order: t.Order) -> Callable[..., Any]:
        """A named order as a key function of (state, thing)."""
        found = self._order_keys.get(order.name)
        if found is None:
            parts = ", ".join(self.writer_class(self, Scope(), event="None").key_parts(order.keys, "it"))
            found = self.function(f"def k(S, it):\n    return ({parts},)", "k", f"order/{order.name}")
            self._order_keys[order.name] = found
        made: Callable[..., Any] = found
        return made

    def is_header(self, line: t.Node) -> bool:
        """Whether a line of a procedure says something about it (`done all`, `text …`) and does nothing."""
        from nemesis.lower.calls import HEADER_WORDS

        return isinstance(line, t.Line) and line.word in HEADER_WORDS and line.block is None and line.word not in self.table.verbs

    def action_guards(self, action: Any) -> tuple[Any, ...]:
        found = self._guards.get(action.index)
        if found is None:
            from nemesis.kernel.rule import guard_code

            found = (guard_code(self, action.guards, action.address),) if action.guards else ()
            self._guards[action.index] = found
        return found

    def action_holder(self, action: Any) -> Any:
        from nemesis.kernel.rule import make_holder

        key = (action.definition, action.kind)
        if key not in self._holders:
            self._holders[key] = make_holder(self, action.definition, action.kind)
        return self._holders[key]

    def row_test(self, made: Any, index: int, unit: Code, checked: bool) -> Callable[..., Any]:
        key = (made.id, index, unit.number, checked)
        found = self._row_tests.get(key)
        if found is None:
            from nemesis.kernel.rows import row_scope

            row = made.rows[index]
            text = self.writer_class(self, row_scope(unit), checked=checked, event="None").value(row.condition)
            text = held(self, row, text)
            found = self.function(f"def t(S, you, this, O):\n    return {text}", "t", f"row/{made.id}")
            self._row_tests[key] = found
        test: Callable[..., Any] = found
        return test

    def changeable_kinds(self) -> tuple[Ref, ...]:
        """Things whose kinds some modifier may change."""
        found: list[Ref] = []
        for rule in self.modifiers.get("kinds", ()):
            condition = rule.node.condition
            names = {one.right.name for one in _walk(condition) if isinstance(one, t.Is) and isinstance(one.right, t.Name)}
            kinds = [name for name in names if name in self.table.kinds] or ["thing"]
            for kind in kinds:
                found += [x for x in self.world.members(kind) if x not in found]
        return tuple(found)

    # ---- code and lines ----------------------------------------------------------------------------------------------
    def register_code(self, code: Code) -> int:
        self.codes.append(code)
        return len(self.codes) - 1

    def add_line(self, address: str, cites: tuple[str, ...], span: t.Span) -> int:
        key = (address, span.column)
        known = self._line_ids.get(key)
        if known is None:
            # A number that depends on the line alone, so that saves and hashes mean the same line in every process.
            known = int.from_bytes(blake2b(f"{address}|{span.column}".encode(), digest_size=5).digest(), "big")
            self._line_ids[key] = known
            self.lines[known] = (address, cites, span)
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

    def line(self, number: int) -> tuple[str, tuple[str, ...], t.Span | None]:
        """(address, cited rules, span) of a line's number; empty for what the kernel itself did."""
        return self.lines.get(number, ("", (), None))

    def until_number(self, node: t.Until) -> int:
        """The number of an `until` block: its place among all of the packs."""
        return self._until_order.setdefault(id(node), len(self._until_order))

    def code_by_key(self, key: tuple[Any, ...]) -> Code:
        """The code unit of a saved frame."""
        sort = key[0]
        if sort == "head":
            return self.head_code(self.table.heads[key[1]])
        if sort == "action":
            from nemesis.kernel.offer import action_code

            return action_code(self, key[1])
        if sort == "row":
            from nemesis.kernel.rows import row_code

            return row_code(self, self.table.definitions[key[1]], key[2], self.code_by_key(tuple(key[3])))
        outer = self.code_by_key(tuple(key[2])) if key[2] is not None else None
        code = self.rule_by_index(key[1]).variant(outer, False).code
        assert code is not None
        return code

    def until_index(self, node: t.Until, scope: Scope, unit: Code) -> int:
        from nemesis.kernel.rule import make_until

        known = self._until_ids.get(id(node))
        if known is None:
            known = make_until(self, node, scope, unit)
            self._until_ids[id(node)] = known
        return known

    def _what_ends(self) -> tuple[frozenset[str], bytes]:
        """(names, things) that the `over` question of the rule set may read: it is asked again only when one of them changes."""
        over = self.ruleset.over
        names: set[str] = set()
        kinds: set[str] = set()
        todo = [over.split(".")[-1]] if over else []
        while todo:
            name = todo.pop()
            if name in names:
                continue
            names.add(name)
            if name in self.modifiers or name in BUILT_IN:
                return frozenset(self.world.field_at) | frozenset(self.table.tracks), bytes([1]) * self.world.count
            for info in self.table.queries.get(name, ()):
                for one in _walk_block(info.node.block):
                    if isinstance(one, t.Get | t.Ask | t.Your):
                        todo.append(one.member)
                    elif isinstance(one, t.Function | t.Name):
                        todo.append(one.name)
                    elif isinstance(one, t.AllOf):
                        todo.append(one.kind)
            kind = self.table.singular(name)
            if kind in self.table.kinds:
                kinds.add(kind)
        masks = [self.world.mask(kind) for kind in sorted(kinds)]
        return frozenset(names), bytes(any(mask[x] for mask in masks) for x in range(self.world.count))

    def _sort_offers(self) -> list[int]:
        """Actions that stand in the menu by themselves: everybody's, and those in cards that name a cost."""
        return [a.index for a in self.actions if (a.definition is None and a.kind is None) or a.node.cost is not None]
