"""Expressions to Python expressions.

The text that is made reads the state `S`, the locals `L` and `O` (see `Scope`), `you`, `this`, the event `ev` (in conditions of rules) or
the frame `f`. The checked variant raises `Unknown` in a trial where a fact is hidden from the trial's view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.lower.kind_of import picked_kind, wanted_local
from nemesis.lower.member import TRACK_MEMBERS, gives_sets, member_code
from nemesis.lower.scope import Scope
from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.lower.pattern import Matched

COMPARISONS = {"<": ("lt", False), "<=": ("le", False), ">": ("lt", True), ">=": ("le", True)}


class ExpressionWriter:
    """Writes expressions of one code unit; names of world tables go into the program's namespace as they are met."""

    def __init__(self, program: Program, scope: Scope, *, checked: bool = False, event: str = "f") -> None:
        self.program = program
        self.table = program.table
        self.scope = scope
        self.checked = checked
        self.event = event
        self.it: list[str] = []
        self.loop_name: str | None = None
        self.kinds: dict[str, str] = {}
        self.c = "_c" if checked else ""

    # ---- what another way of evaluating may replace (the oracle of the tests does) --------------------------------------
    @staticmethod
    def make_member(program: Program, name: str, checked: bool, public: str) -> None:
        """Put the function that answers `x.name(args)` into the program's namespace."""
        from nemesis.lower.query import make_member

        make_member(program, name, checked, public)

    def match(self, pattern: t.Pattern, *, after: bool = False) -> Matched:
        """Tests and bindings of a pattern."""
        from nemesis.lower.pattern import match_code

        return match_code(self, pattern, after=after)

    def key_test(self, key: t.Expression, value: str) -> str:
        """Python text of the test that a value fits the key of a `match` row."""
        if isinstance(key, t.Name) and not self.bound(key.name):
            return f"is_none({value})" if key.name == "none" else f"is_word{self.c}(S, {value}, {key.name!r})"
        return f"is_value{self.c}(S, {value}, {self.value(key)})"

    # ---- helpers -----------------------------------------------------------------------------------------------------
    def mask(self, kind: str) -> str:
        return self.program.mask_code(kind)

    def c_of(self, kind: str) -> str:
        """Whether to check when things of a kind are counted: not if none of them can ever be hidden."""
        return self.c if self.checked and self.program.can_hide(kind) else ""

    def ref(self, name: str) -> str:
        return self.program.use_ref(name)

    def fresh(self) -> str:
        self.program.counter += 1
        return f"it{self.program.counter}"

    def bound(self, name: str) -> bool:
        return self.scope.code(name) is not None or (bool(self.it) and name == self.loop_name)

    def is_kind_name(self, node: t.Expression) -> str | None:
        """The kind that a bare, unbound name stands for."""
        if isinstance(node, t.AllOf):
            kind = self.table.singular(node.kind)
            return kind if kind in self.table.kinds else None
        if isinstance(node, t.Name) and (not self.bound(node.name) or node.name in self.scope.objects):
            kind = self.table.singular(node.name)
            if kind in self.table.kinds and node.name not in ("game", "it", "you", "this"):
                return kind
        return None

    # ---- values ------------------------------------------------------------------------------------------------------
    def value(self, node: t.Expression, want: str | None = None) -> str:
        """Python text for the value; `want` is `word` where a kind's name is meant as a word."""
        if isinstance(node, t.Number):
            return str(node.value)
        if isinstance(node, t.Flag):
            return str(node.value)
        if isinstance(node, t.Text):
            return repr(node.value)
        if isinstance(node, t.Name):
            return self.name(node.name, want)
        if isinstance(node, t.Everyone):
            return "'all'"
        if isinstance(node, t.AllOf):
            return self.set(node)
        if isinstance(node, t.Range):
            return f"tuple(range({node.low}, num({self.value(node.high)}) + 1))"
        if isinstance(node, t.Your):
            return member_code(self, "you", node.member, node.args, None)
        if isinstance(node, t.Get | t.Ask):
            return self.member(node)
        if isinstance(node, t.Function):
            return self.function(node)
        if isinstance(node, t.Did):
            from nemesis.lower.pattern import did_code

            return did_code(self, node.pattern)
        if isinstance(node, t.ListOf):
            if any(self._item_want(item, want) == "word" for item in node.items):
                want = "word"
            items = [self.value(item, want if not self._names_value(item) else None) for item in node.items]
            return f"({', '.join(items)},)" if items else "()"
        if isinstance(node, t.Select | t.At | t.Count | t.Any | t.No):
            return self.about_set(node)
        return self.operator(node, want)

    def _item_want(self, item: t.Expression, want: str | None) -> str | None:
        kind = self.is_kind_name(item)
        info = self.table.kinds.get(kind) if kind else None
        return "word" if want == "word" or (info is not None and info.limit != 1) else want

    def _names_value(self, item: t.Expression) -> bool:
        """A bound name or a computed value keeps its meaning among words."""
        return not isinstance(item, t.Name) or self.bound(item.name)

    def operator(self, node: t.Expression, want: str | None) -> str:
        if isinstance(node, t.Not):
            return f"(not {self.value(node.value)})"
        if isinstance(node, t.And):
            return "(" + " and ".join(self.value(item) for item in node.items) + ")"
        if isinstance(node, t.Or):
            return "(" + " or ".join(self.value(item) for item in node.items) + ")"
        if isinstance(node, t.Compare):
            return self.compare(node)
        if isinstance(node, t.Is):
            text = self.is_(node.left, node.right)
            return f"(not {text})" if node.negated else text
        if isinstance(node, t.Has):
            return f"has(S, {self.value(node.left)}, {self.value(node.right, 'word' if self._is_words(node.left) else None)})"
        if isinstance(node, t.Arithmetic):
            return self.arithmetic(node, want)
        if isinstance(node, t.Negative):
            return f"(-num({self.value(node.value)}))"
        if isinstance(node, t.Quantity):
            return self.value(node.amount)
        raise TypeError(f"no value: {type(node).__name__}")

    def _is_words(self, node: t.Expression) -> bool:
        return isinstance(node, t.ListOf) and all(isinstance(item, t.Name) and not self.bound(item.name) for item in node.items)

    def name(self, name: str, want: str | None = None) -> str:
        if name == "it":
            if self.it:
                return self.it[-1]
            return self.scope.code("it") or "None"
        if self.it and name == self.loop_name:
            return self.it[0]  # the loop's own thing, also in a narrowed set inside its `where`
        code = self.scope.code(name)
        if code is not None:
            return code
        if name in ("you", "this"):
            return name
        if name == "none":
            return "None"
        if name == "result":
            return f"result_of(S, {self.event})"
        if name == "actor":
            return f"actor_of(S, {self.event})"
        if name == "source":
            return f"source_of(S, {self.event})"
        if name == "over":
            return "(S.ended > 0)"
        if want == "word":
            return repr(self.table.singular(name) if self.table.singular(name) in self.table.kinds else name)
        return self.program.name_code(name, self)

    # ---- sets --------------------------------------------------------------------------------------------------------
    def set(self, node: t.Expression) -> str:
        """Python text for a tuple."""
        kind = self.is_kind_name(node)
        if kind is not None:
            if kind == "seat":
                return self.program.use("SEATS", tuple(self.program.world.seats))
            if kind in self.program.modified_kinds:
                return f"set_of_kind(S, {kind!r})"
            return self.in_play(self.program.members_code(kind), self.program.mask_code(kind))
        if isinstance(node, t.At | t.Select):
            return self.about_set(node)
        if isinstance(node, t.Arithmetic) and node.op in ("|", "except"):
            op = "union" if node.op == "|" else "minus_set"
            right = node.right
            if node.op == "except" and isinstance(right, t.Name) and self.program.is_thing(right.name):
                return f"{op}({self.set(node.left)}, items(S, {self.value(right)}))"  # also one that is not in play
            return f"{op}({self.set(node.left)}, {self.set(right)})"
        if isinstance(node, t.Range | t.ListOf):
            return self.value(node)
        if isinstance(node, t.Name) and not self.bound(node.name):
            if self.program.is_thing(node.name):
                return f"those(S, {self.value(node)})"
            if node.name in self.table.definitions:
                return self.in_play(self.program.copies_code(node.name), self.program.definition_code(node.name))
        if isinstance(node, t.Your | t.Get | t.Ask) and gives_sets(self, node.member):
            return f"({self.value(node)} or ())"
        return f"items(S, {self.value(node)})"

    def in_play(self, members: str, mask: str) -> str:
        """Those of some things that are in play; in trials a hidden hand may keep the answer back."""
        zones = self.program.telling_zones(self.program.namespace[mask]) if self.checked else ()
        if not zones:
            return f"set_of(S, {members})"
        return f"set_of_c(S, {members}, {mask}, {self.program.use(f'HZ_{mask}', zones)})"

    def about_set(self, node: t.Expression) -> str:
        if isinstance(node, t.Count):
            return f"len({self.set(node.value)})"
        if isinstance(node, t.Any):
            return self.any_(node.value)
        if isinstance(node, t.No):
            return f"(not {self.any_(node.value)})"
        if isinstance(node, t.At):
            return self.at(node)
        assert isinstance(node, t.Select)
        text = self.filtered(node.source, node.where)
        if node.keys:
            return f"ordered_by({text}, {self.sort_key(node.keys)})"
        return text if node.where is None else f"tuple({text})"

    def filtered(self, source: t.Expression, where: t.Expression | None, *, lazy: bool = False) -> str:
        """A set's members that pass a test: a list, or (lazy) one after the other as they are wanted."""
        text = self.set(source)
        if where is None:
            return text
        if not self.checked and (wanted := wanted_local(self.scope, where)):
            return f"of_name(S, {text}, {wanted})"
        it = self.each_of(source)
        condition = self.value(where)
        self.it.pop()
        return f"({it} for {it} in {text} if {condition})" if lazy else f"[{it} for {it} in {text} if {condition}]"

    def each_of(self, source: t.Expression) -> str:
        """A variable for the members of a set, which is `it` from now on."""
        it = self.fresh()
        self.it.append(it)
        kind = picked_kind(self.program, source, self.bound)
        if kind is not None:
            self.kinds[it] = kind
        return it

    def any_(self, node: t.Expression) -> str:
        if isinstance(node, t.Select) and node.where is not None:
            text = self.set(node.source)
            it = self.each_of(node.source)
            condition = self.value(node.where)
            self.it.pop()
            return f"any(True for {it} in {text} if {condition})"
        if isinstance(node, t.At):
            kind = self.is_kind_name(node.source)
            if kind is not None:
                return f"any_at{self.c_of(kind)}(S, {self.mask(kind)}, {self.place(node.place)})"
        return f"bool({self.set(node)})"

    def at(self, node: t.At) -> str:
        kind = self.is_kind_name(node.source)
        if kind is not None:
            return f"at_kind{self.c_of(kind)}(S, {self.mask(kind)}, {self.place(node.place)})"
        source = node.source
        if isinstance(source, t.Name) and not self.bound(source.name):
            if source.name in self.table.definitions:
                return f"at_kind{self.c}(S, {self.program.definition_code(source.name)}, {self.place(node.place)})"
            if self.program.is_thing(source.name):
                return f"at_set(S, {self.value(source)}, {self.value(node.place)})"
        if isinstance(source, t.Arithmetic) and source.op == "|":
            left = t.At(source.left, node.place, span=node.span)
            right = t.At(source.right, node.place, span=node.span)
            return f"union({self.at(left)}, {self.at(right)})"
        return f"at_set(S, {self.set(source)}, {self.value(node.place)})"

    def place(self, node: t.Expression) -> str:
        """A place operand: a kind's name read as a set of things to look into."""
        return self.set(node) if isinstance(node, t.AllOf) or (self.is_kind_name(node) and not self._single(node)) else self.value(node)

    def _single(self, node: t.Expression) -> bool:
        kind = self.is_kind_name(node)
        return kind is not None and self.table.kinds[kind].limit == 1

    def sort_key(self, keys: tuple[t.SortKey, ...]) -> str:
        it = self.fresh()
        parts = ", ".join(self.key_parts(keys, it))
        return f"(lambda {it}: ({parts},))"

    def sort_key_list(self, keys: tuple[t.SortKey, ...]) -> str:
        """A tuple of one key function per key, for choices that narrow key by key."""
        texts: list[str] = []
        for one in keys:
            it = self.fresh()
            parts = self.key_parts((one,), it)
            texts.extend(f"(lambda {it}: {part})" for part in parts)
        return f"({', '.join(texts)},)"

    def key_parts(self, keys: tuple[t.SortKey, ...], it: str) -> list[str]:
        """Sort keys as Python texts; named orders are written out."""
        parts: list[str] = []
        for one in keys:
            order = self._order(one.value)
            if order is not None:
                parts.extend(self.key_parts(order.keys, it))
            elif isinstance(one.value, t.Name) and one.value.name in ("lowest_number", "seating"):
                parts.append(f"int({it})")
            elif isinstance(one.value, t.Name) and one.value.name == "printed_order":
                parts.append("0")
            else:
                self.it.append(it)
                down = one.direction in ("down", "first")
                parts.append(f"key{'_down' if down else ''}({self.value(one.value)})")
                self.it.pop()
        return parts or ["0"]

    def _order(self, node: t.Expression) -> t.Order | None:
        if isinstance(node, t.Name) and not self.bound(node.name):
            return self.table.orders.get(node.name)
        return None

    # ---- comparisons and arithmetic ----------------------------------------------------------------------------------
    def compare(self, node: t.Compare) -> str:
        left, right = self.value(node.left), self.value(node.right)
        if node.op in COMPARISONS:
            function, swapped = COMPARISONS[node.op]
            if self.is_number(node.left) and self.is_number(node.right):
                return f"({left} {node.op} {right})"
            return f"{function}({right}, {left})" if swapped else f"{function}({left}, {right})"
        if node.op == "=":
            if isinstance(node.right, t.Number | t.Flag):
                return f"({left} == {right})"
            if isinstance(node.right, t.Name) and node.right.name in ("you", "this"):
                return f"({left} == {right} is not None)"
            return f"eq({left}, {right})"
        return f"ne({left}, {right})"

    def is_number(self, node: t.Expression) -> bool:
        if isinstance(node, t.Number | t.Count):
            return True
        if isinstance(node, t.Function):
            return node.name == "sum"
        return isinstance(node, t.Arithmetic) and node.op in "+-*" and self.is_number(node.left) and self.is_number(node.right)

    def arithmetic(self, node: t.Arithmetic, want: str | None) -> str:
        if node.op in ("|", "except"):
            if want == "word":
                return f"union({self.value(node.left, want)}, {self.value(node.right, want)})"
            return self.set(node)
        left, right = self.value(node.left), self.value(node.right)
        if self.is_number(node.left) and self.is_number(node.right):
            return f"({left} {node.op} {right})"
        if node.op == "+":
            return f"plus({left}, {right})"
        return f"(num({left}) {node.op} num({right}))"

    def is_(self, left: t.Expression, right: t.Expression) -> str:
        if isinstance(right, t.Arithmetic) and right.op == "|":
            return f"({self.is_(left, right.left)} or {self.is_(left, right.right)})"
        text = self.value(left, "word" if isinstance(left, t.Name) and not self.bound(left.name) and self._is_plain_kind(left) else None)
        if isinstance(right, t.Name) and not self.bound(right.name):
            name = right.name
            if name == "none":
                return f"is_none({text})"
            if name in ("you", "this", "it"):
                return f"is_value(S, {text}, {self.name(name)})"
            if self.program.is_spot(name) and not (isinstance(left, t.Get) and left.member == "title"):
                return f"is_{'named_c' if self.checked else 'value'}(S, {text}, {self.name(name)})"
            word = self.table.singular(name)
            if self.program.only_a_kind(word, self.checked):
                return f"kind_is(S, {text}, {self.mask(word)}, {word!r})"
            if self.program.only_a_kind(word, checked=False) and not self.gives_word(left):
                return f"kind_is_c(S, {text}, {self.mask(word)}, {word!r})"
            return f"is_word{'' if self.gives_word(left) else self.c}(S, {text}, {word!r})"
        return f"is_value{self.c}(S, {text}, {self.value(right)})"

    def gives_word(self, node: t.Expression) -> bool:
        """Whether an expression gives a word, never a thing: a field or question of that type."""
        if not isinstance(node, t.Get | t.Your | t.Ask):
            return False
        table, sorts = self.table, self.program.member_sorts(node.member)
        if sorts == ("field",):
            types = [self.program.world.field_type[node.member].name]
        elif sorts == ("query",):
            types = [info.node.type.name for info in table.queries[node.member]]
        else:
            return False
        return all(name == "word" or name in table.words for name in types)

    def _is_plain_kind(self, node: t.Name) -> bool:
        kind = self.is_kind_name(node)
        return kind is not None and self.table.kinds[kind].limit != 1

    # ---- members and functions ---------------------------------------------------------------------------------------
    def member(self, node: t.Get | t.Ask) -> str:
        args = node.args if isinstance(node, t.Ask) else None
        base = node.base
        if isinstance(base, t.Function) and base.name == "cause_of":
            verb = base.args[0]
            assert isinstance(verb, t.Name)
            return f"cause(S, {verb.name!r}, {node.member!r})"
        if isinstance(base, t.Name) and base.name == "twin":
            return f"twin_value(S, {node.member!r})"
        if isinstance(base, t.Get) and isinstance(base.base, t.Name) and base.base.name == "twin":
            return f"twin_value(S, {base.member!r}, {node.member!r})"
        if isinstance(base, t.Name) and base.name == "map" and not self.bound("map"):
            rest = ", ".join(self.value(arg) for arg in args or ())
            return f"map_{node.member}(S, {rest})"
        if isinstance(base, t.Name) and base.name == "game" and node.member == "mode" and args:
            assert isinstance(args[0], t.Name)
            return f"mode(S, {args[0].name!r})"
        if node.member == "of" and isinstance(base, t.Name) and args:
            amounts = self.scope.code(f"{base.name} amounts")
            if amounts is not None:
                return f"share_of(S, {self.value(base)}, {amounts}, {self.value(args[0])})"
        track = self.track_of(base)
        if track is not None and node.member in TRACK_MEMBERS:
            return self.track_member(base, track, node.member, args)
        if node.member == "pool":
            kind = self.is_kind_name(base)
            if kind is not None:
                return self.program.use_pool(kind)
        if node.member in ("first", "last", "count", "cards") and not isinstance(base, t.Name):
            text = self.place(base)
        else:
            text = self.set(base) if self._set_like(base, node.member) else self.value(base)
        return member_code(self, text, node.member, args, base)

    def _set_like(self, base: t.Expression, member: str) -> bool:
        if isinstance(base, t.Name | t.AllOf):
            kind = self.is_kind_name(base)
            return kind is not None and self.table.kinds[kind].limit != 1
        return False

    def track_of(self, node: t.Expression) -> str | None:
        """The track that an expression names: a track of the table or a field of type `track`."""
        if isinstance(node, t.Name) and not self.bound(node.name) and node.name in self.table.tracks:
            return node.name
        member = node.member if isinstance(node, t.Get | t.Your) else None
        if member is not None and member in self.table.tracks:
            type_ = self.program.world.field_type.get(member)
            if type_ is not None and type_.name == "track":
                return member
        return None

    def track_slot(self, node: t.Expression, track: str) -> str:
        if isinstance(node, t.Name):
            return f"S.v[{self.program.world.track_at[track]}]"
        return self.value(node)

    def track_member(self, base: t.Expression, track: str, member: str, args: tuple[t.Expression, ...] | None) -> str:
        slot = self.track_slot(base, track)
        values = self.program.use(f"TV_{track}", self.table.tracks[track].values)
        rest = "".join(f", {self.value(arg)}" for arg in args or ())
        places = self.program.track_places_code(track)
        if member == "slot":
            return slot
        if member in ("at", "here", "behind"):
            return f"track_{member}({places}, {slot}{rest})"
        return f"track_{member}({values}, {slot}{rest})"

    def function(self, node: t.Function) -> str:
        name, args = node.name, node.args
        if name in ("sum", "lowest", "highest", "every") and len(args) == 2:
            it = self.fresh()
            source = self.set(args[0])
            self.it.append(it)
            inner = self.value(args[1])
            self.it.pop()
            if name == "every":
                return f"all([{inner} for {it} in {source}])"
            return f"{'total' if name == 'sum' else name}([{inner} for {it} in {source}])"
        if name in ("lowest", "highest") and len(args) == 1:
            return f"{name}({self.set(args[0])})"
        if name == "pool" and args and isinstance(args[0], t.Name):
            kind = self.is_kind_name(args[0])
            return self.program.use_pool(kind) if kind else f"pool_of(S, {self.value(args[0])})"
        if name == "warned" and args and isinstance(args[0], t.Text):
            return f"({args[0].value!r} in S.warnings)"
        zone = self.table.zones.get(name)
        if zone is not None and zone.holder is not None and len(args) == 1:
            holders = self.program.holders_code(name)
            return f"{holders}.get({self.value(args[0], 'word' if zone.holder in self.table.words else None)})"
        rest = "".join(f", {self.value(arg)}" for arg in args)
        return f"{self.program.member_name(name, self.checked)}(S, {self.ref('game')}{rest})"
