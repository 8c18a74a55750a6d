"""The oracle: expressions evaluated by walking their trees, one plain method per node (semantics 8, language 7 and 8).

`tests.kernel.walked` makes a program hand every whole expression to `walk` instead of compiling it.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from nemesis.kernel import property as around
from nemesis.kernel.geography import place_on
from nemesis.lower.expression import ExpressionWriter
from nemesis.lower.pattern import event_verb
from nemesis.state import State
from nemesis.world.thing import Deed, Ref, Stale
from rulescript import tree as t

from . import question as q

TRACK = frozenset({"slot", "value", "section", "section_at", "value_at", "full", "left", "low", "last", "at", "here", "behind"})
SIGNS: dict[str, Callable[[Any, Any], Any]] = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
NOTHING, NEVER = object(), 1 << 30


def none(x: Any) -> bool:
    return x is None or type(x) is Stale or x == ()


class Walk:
    """One evaluation: the state, the names bound around the expression, the event it belongs to."""

    def __init__(self, S: State, names: dict[str, Any], event: Any = None) -> None:
        self.S, self.names, self.event = S, names, event
        self.world, self.table = S.program.world, S.program.table

    def looking_at(self, x: Any) -> Walk:
        """The same with `it` bound; a loop's name is bound once, in the loop's own line, not in what stands inside."""
        names = {**self.names, "it": x}
        if "*loop" in names:
            names[names.pop("*loop")] = x
        return Walk(self.S, names, self.event)

    # ---- names -------------------------------------------------------------------------------------------------------
    def bare(self, node: Any) -> str | None:
        """An unbound word."""
        return node.name if isinstance(node, t.Name) and node.name not in self.names else None

    def kind(self, node: Any) -> str | None:
        """The kind that a word stands for; `all adult` also where the word is bound."""
        word = node.kind if isinstance(node, t.AllOf) else self.bare(node)
        if word is None and isinstance(node, t.Name) and node.name in self.names.get("*objects", ()):
            word = node.name  # in a head `gain n wound` the object's word is the kind that was given
        kind = self.table.singular(word or "")
        return kind if kind in self.table.kinds and kind != "game" else None

    def plain_kind(self, node: Any) -> bool:
        kind = self.kind(node)
        return kind is not None and self.table.kinds[kind].limit != 1

    def thing_named(self, node: Any) -> Ref | None:
        """The single thing (no place, no zone) that an unbound word names."""
        found = self.world.by_name.get(self.bare(node) or "")
        return (
            None if found is None or found == self.world.game or q.spot(self.S, found) == found or found in self.world.zone_name else found
        )

    def name(self, node: t.Name, want: str | None) -> Any:
        S, word = self.S, node.name
        if word in self.names:
            return self.names[word]
        special: dict[str, Callable[[], Any]] = {
            "none": lambda: None, "it": lambda: None, "result": lambda: around.result_of(S, self.event), "over": lambda: S.ended > 0,
            "actor": lambda: around.actor_of(S, self.event), "source": lambda: around.source_of(S, self.event),
            "box": lambda: self.world.box, "table": lambda: self.world.on_table,
        }  # fmt: skip
        kind = self.table.singular(word)
        if word in special and not (want == "word" and word in ("box", "table")):
            return special[word]()
        if want == "word":
            return kind if kind in self.table.kinds else word
        ref = self.world.by_name.get(word)
        if ref is not None:
            return (q.tile(S, ref) or ref) if ref in self.world.links or ref in self.world.ends else ref
        if word in self.table.tracks:
            return S.v[self.world.track_at[word]]
        if kind in self.table.kinds:
            return self.set(node)
        if any(info.receiver == "game" for info in self.table.queries.get(word, ())):
            return q.ask(S, self.world.game, word)
        return word

    # ---- values ------------------------------------------------------------------------------------------------------
    def value(self, node: Any, want: str | None = None) -> Any:
        if isinstance(node, t.Name):
            return self.name(node, want)
        if isinstance(node, t.ListOf):
            words = want == "word" or any(self.plain_kind(item) and isinstance(item, t.Name) for item in node.items)
            return tuple(self.value(item, "word" if words and self.bare(item) else None) for item in node.items)
        if isinstance(node, t.Arithmetic):
            return self.arithmetic(node, want)
        found: Any = getattr(self, type(node).__name__.lower())(node)
        return found

    def number(self, node: t.Number) -> Any:
        return node.value

    flag = text = number

    def everyone(self, node: t.Everyone) -> Any:
        return "all"

    def allof(self, node: t.AllOf) -> Any:
        return self.set(node)

    def range(self, node: t.Range) -> Any:
        return tuple(range(node.low, (self.value(node.high) or 0) + 1))

    def quantity(self, node: t.Quantity) -> Any:
        return self.value(node.amount)

    def negative(self, node: t.Negative) -> Any:
        return -(self.value(node.value) or 0)

    # `not`, `and`, `or` and `not_` would be words of Python: reached by the nodes' names
    def and_(self, node: t.And) -> Any:
        found: Any = True
        for item in node.items:
            found = self.value(item)
            if not found:
                return found
        return found

    def or_(self, node: t.Or) -> Any:
        found: Any = False
        for item in node.items:
            found = self.value(item)
            if found:
                return found
        return found

    def not_(self, node: t.Not) -> Any:
        return not self.value(node.value)

    def any(self, node: t.Any) -> Any:
        if isinstance(node.value, t.Select) and node.value.where is not None:  # the first that fits settles it
            return any(self.looking_at(x).value(node.value.where) for x in self.set(node.value.source))
        return len(self.set(node.value)) > 0

    def no(self, node: t.No) -> Any:
        return len(self.set(node.value)) == 0

    def count(self, node: t.Count) -> Any:
        return len(self.set(node.value))

    def compare(self, node: t.Compare) -> Any:
        a, b = self.value(node.left), self.value(node.right)
        if a is None or b is None or type(a) is Stale or type(b) is Stale:
            return False
        return SIGNS[node.op](a, b) if node.op in SIGNS else equal(a, b) == (node.op == "=")

    def is_(self, node: t.Is) -> Any:
        return self.is_it(node.left, node.right) != node.negated

    def is_it(self, left: Any, right: Any) -> bool:
        if isinstance(right, t.Arithmetic) and right.op == "|":
            return self.is_it(left, right.left) or self.is_it(left, right.right)
        a = self.value(left, "word" if self.bare(left) and self.plain_kind(left) else None)
        word = self.bare(right)
        if word is None or word in ("none", "it", "result", "actor", "source"):
            return self.same(a, self.value(right))
        ref = None if word in self.table.kinds else self.world.by_name.get(word)
        if ref is not None and type(a) is Ref and a != ref and self.world.definition[ref] is None:
            return bool(self.name(right, None) == a) or q.is_word(self.S, a, word)
        return q.is_word(self.S, a, self.table.singular(word)) or (ref is not None and self.same(a, self.value(right)))

    def same(self, a: Any, b: Any) -> bool:
        if none(b) and b != ():
            return none(a)
        if type(b) is str:
            return q.is_word(self.S, a, b)
        if type(a) is str and type(b) is Ref:
            made = self.world.definition[b]
            return made is not None and made.id == a
        return type(a) is tuple and type(b) is Ref and a == (b,) or (type(a) is type(b) and bool(a == b))

    def has(self, node: t.Has) -> Any:
        words = isinstance(node.left, t.ListOf) and all(self.bare(item) for item in node.left.items)
        items, wanted = q.many(self.value(node.left)), self.value(node.right, "word" if words else None)
        if none(wanted):
            return False
        one_by_one = wanted if type(wanted) is tuple else (wanted,)
        return all(any(x == w or (type(x) is str and type(w) is str and q.is_word(self.S, w, x)) for x in items) for w in one_by_one)

    def arithmetic(self, node: t.Arithmetic, want: str | None) -> Any:
        if node.op in ("|", "except"):
            return union(q.many(self.value(node.left, want)), q.many(self.value(node.right, want))) if want == "word" else self.set(node)
        a, b = self.value(node.left), self.value(node.right)
        if type(a) is tuple or type(b) is tuple:
            return union(q.many(a), q.many(b))
        return {"+": operator.add, "-": operator.sub, "*": operator.mul}[node.op](a or 0, b or 0)

    def did(self, node: t.Did) -> Any:
        program, pattern = self.S.program, node.pattern
        verb, step, action = event_verb(ExpressionWriter(program, None), pattern)  # type: ignore[arg-type]
        found = False
        for said, its_step, args in around.did_records(self.S, self.event):
            if (said, its_step) == (verb, step) and (action is None or q.is_word(self.S, args.get("0"), action)):
                operand = args.get("0")
                for x in (operand or (None,)) if type(operand) is tuple else (operand,):
                    found = self.fits(pattern, args, x, False) or found
        return found

    # ---- sets --------------------------------------------------------------------------------------------------------
    def set(self, node: Any) -> tuple[Any, ...]:
        S, kind = self.S, self.kind(node)
        if kind is not None:
            return tuple(self.world.seats) if kind == "seat" else q.set_in_play(S, q.mask_of(S, kind))
        if isinstance(node, t.At | t.Select):
            return tuple(self.value(node))
        if isinstance(node, t.Arithmetic) and node.op == "|":
            return union(self.set(node.left), self.set(node.right))
        if isinstance(node, t.Arithmetic) and node.op == "except":
            drop = (self.thing_named(node.right),) if self.thing_named(node.right) is not None else self.set(node.right)
            return tuple(x for x in self.set(node.left) if x not in drop)
        thing = self.thing_named(node)
        if thing is not None:
            q.need_face(S, thing)
            return (thing,) if q.in_play(S, thing) else ()
        if self.bare(node) in self.table.definitions:
            return q.set_in_play(S, q.copies_mask(S, node.name))
        found = self.value(node)
        return S.inside[found] if type(found) is Ref and found in self.world.zone_name else q.many(found)

    def select(self, node: t.Select) -> Any:
        if node.where is None and not node.keys:
            return self.set(node.source)
        found = self.filtered(node.source, node.where)
        return tuple(sorted(found, key=lambda x: [self.sort_key(one, x) for one in flat_keys(self.table, self.names, node.keys)]))

    def filtered(self, source: Any, where: Any) -> list[Any]:
        return [x for x in self.set(source) if where is None or self.looking_at(x).value(where)]

    def sort_key(self, key: t.SortKey, x: Any) -> Any:
        """Smallest first, no before yes, none last; `down` and `first` turn it round."""
        if isinstance(key.value, t.Name) and key.value.name in ("lowest_number", "seating", "printed_order"):
            return 0 if key.value.name == "printed_order" else int(x)
        found, turned = self.looking_at(x).value(key.value), key.direction in ("down", "first")
        if found is None or type(found) is Stale:
            return NEVER
        return found if type(found) is str else -int(found) + (type(found) is bool) if turned else int(found)

    def at(self, node: t.At) -> tuple[Any, ...]:
        S, source = self.S, node.source
        whole = isinstance(node.place, t.AllOf) or self.plain_kind(node.place)
        places = tuple(p for p in q.many(self.set(node.place) if whole else self.value(node.place)) if type(p) is Ref)
        kind = self.kind(source)
        if isinstance(source, t.Arithmetic) and source.op == "|":
            left, right = t.At(source.left, node.place, span=node.span), t.At(source.right, node.place, span=node.span)
            return union(self.at(left), self.at(right))
        found = [x for place in places for x in q.within(S, place)]
        thing = self.thing_named(source)
        if kind is None and self.bare(source) not in self.table.definitions and thing is None:
            return tuple(x for x in self.set(source) if x in found)
        mask = q.mask_of(S, kind) if kind is not None else q.copies_mask(S, self.bare(source) or "")
        if thing is not None and kind is None:
            mask = bytes(x == thing for x in self.world.refs)
        for x in found:
            q.need_kind(S, x, mask)
        zone = self.table.zones.get(self.world.zone_name.get(places[0], "")) if len(places) == 1 else None
        mine = [x for x in dict.fromkeys(found) if mask[x]]
        return tuple(mine if zone is not None and zone.order in ("ordered", "shuffled", "stack") else sorted(mine))

    # ---- members and functions ---------------------------------------------------------------------------------------
    def your(self, node: t.Your) -> Any:
        return self.member(self.names.get("you"), node.member, node.args)

    def get(self, node: t.Get | t.Ask) -> Any:
        base, args = node.base, node.args if isinstance(node, t.Ask) else None
        word = self.bare(base)
        if isinstance(base, t.Function) and base.name == "cause_of":
            return around.cause(self.S, base.args[0].name, node.member)  # type: ignore[union-attr]
        if word == "twin" or (isinstance(base, t.Get) and self.bare(base.base) == "twin"):
            names = (node.member,) if word == "twin" else (base.member, node.member)  # type: ignore[union-attr]
            return self.S.program.namespace["twin_value"](self.S, *names)
        if word == "map":
            return self.map(node.member, [self.value(arg) for arg in args or ()])
        if word == "game" and node.member == "mode" and args:
            usual = self.S.program.modes.get(args[0].name, False)  # type: ignore[union-attr]
            found = self.S.options.get(args[0].name, usual)  # type: ignore[union-attr]
            return found in (True, "on", "yes") if isinstance(usual, bool) else found
        if node.member == "of" and args and isinstance(base, t.Name) and f"{base.name} amounts" in self.names:
            shares = dict(zip(self.names[base.name] or (), self.names[f"{base.name} amounts"] or (), strict=False))
            return shares.get(self.value(args[0]), 0)
        track = word if word in self.table.tracks else getattr(base, "member", None) if isinstance(base, t.Get | t.Your) else None
        type_ = self.world.field_type.get(track or "")
        if node.member in TRACK and (word in self.table.tracks or (track in self.table.tracks and type_ and type_.name == "track")):
            return self.track(track or "", self.value(base), node.member, [self.value(arg) for arg in args or ()])
        if node.member == "pool" and self.kind(base):
            return self.world.pools.get(self.kind(base) or "")
        thing = self.thing_named(base)
        if thing is not None and self.world.definition[thing] is not None:
            q.need_face(self.S, thing)
        return self.member(self.set(base) if self.plain_kind(base) else self.value(base), node.member, args)

    ask = get

    def member(self, x: Any, name: str, args: tuple[Any, ...] | None) -> Any:
        if name in ("place_of", "is") and args:
            if name == "is":
                word = self.bare(args[0])
                return q.is_word(self.S, x, word) if word and word not in self.world.by_name else self.same(x, self.value(args[0]))
            return q.ask(self.S, x, name, (self.value(args[0], "word"),))
        return q.ask(self.S, x, name, self.arguments(name, args or ()))

    def arguments(self, name: str, args: tuple[Any, ...]) -> tuple[Any, ...]:
        params = next((info.node.params for info in self.table.queries.get(name, ())), ())
        wants = [want_of(self.table, type_) for _, type_ in params] + [None] * len(args)
        return tuple(self.value(arg, want) for arg, want in zip(args, wants, strict=False))

    def function(self, node: t.Function) -> Any:
        name, args = node.name, node.args
        if name in ("sum", "lowest", "highest", "every"):
            things = self.set(args[0])
            values = [self.looking_at(x).value(args[1]) for x in things] if len(args) > 1 else list(things)
            known = [x for x in values if x is not None]
            return (
                all(values) if name == "every" else sum(known) if name == "sum" else (min if name == "lowest" else max)(known, default=None)
            )
        if name == "pool":
            return self.world.pools.get(self.kind(args[0]) or "") if self.kind(args[0]) else q.pool(self.S, self.value(args[0]))
        if name == "warned":
            return args[0].value in self.S.warnings  # type: ignore[operator, union-attr]
        zone = self.table.zones.get(name)
        if zone is not None and zone.holder is not None:
            return self.world.zone_ids.get((name, self.value(args[0], "word" if zone.holder in self.table.words else None)))
        return q.ask(self.S, self.world.game, name, self.arguments(name, args))

    def track(self, track: str, slot: Any, name: str, args: list[Any]) -> Any:
        values, places = self.table.tracks[track].values, self.world.track_places.get(track, [])
        slot = slot or 0
        if name in ("value", "section", "value_at", "section_at"):
            n = slot if name in ("value", "section") else args[0]
            return values[n - 1] if n is not None and 1 <= n <= len(values) else None
        if name == "at":
            n = places.index(args[0]) + 1 + args[1] if len(args) > 1 else args[0]
            return places[n - 1] if n is not None and 1 <= n <= len(places) else None
        if name in ("here", "behind"):
            return (places[slot - 1] if name == "here" else places[-1]) if places else None
        return {"slot": slot, "full": slot == len(values), "left": len(values) - slot, "low": 1, "last": len(values)}[name]

    def map(self, name: str, args: list[Any]) -> Any:
        """The graph of the pack's question `exits`, walked breadth first."""
        S = self.S
        if name in ("closed", "open"):
            shut = "closed" in S.program.world.field_at or "closed" in self.table.queries
            return (shut and any(bool(q.ask(S, x, "closed")) for x in args)) == (name == "closed")
        a, b = (place_on(S, x) for x in args)
        if a is None or b is None:
            return None if name == "distance" else ()
        far, queue = {b: 0}, [b]
        for at in queue:
            for x in sorted(q.many(q.ask(S, at, "exits"))):
                if x not in far:
                    far[x] = far[at] + 1
                    queue.append(x)
        if name == "distance":
            return far.get(a)
        near = sorted(q.many(q.ask(S, a, "exits"))) if a in far and a != b else []
        return tuple(x for x in near if far.get(x) == far[a] - 1)

    # ---- questions' bodies -------------------------------------------------------------------------------------------
    @staticmethod
    def query(S: State, info: Any, x: Ref, args: tuple[Any, ...]) -> Any:
        names = {name: None for name, _ in info.node.params} | {name: arg for (name, _), arg in zip(info.node.params, args, strict=False)}
        found = Walk(S, {**names, "this": x}).block(
            info.node.block, want_of(S.program.table, info.node.type), info.node.type.mark in ("*", "[]")
        )
        return None if found is NOTHING else found

    @staticmethod
    def result_want(S: State, name: str) -> str | None:
        infos = S.program.table.queries.get(name, ())
        return "word" if name == "kinds" else want_of(S.program.table, infos[0].node.type) if infos else None

    def block(self, block: t.Block | None, want: str | None, several: bool) -> Any:
        for node in block.lines if block is not None else ():
            found: Any = NOTHING
            if isinstance(node, t.Give):
                return self.set(node.value) if several and want is None else self.value(node.value, want)
            if isinstance(node, t.Let):
                self.names[node.name] = self.value(node.value)
            elif isinstance(node, t.If):
                found = self.block(node.then if self.value(node.condition) else node.otherwise, want, several)
            elif isinstance(node, t.Match):
                value = self.value(node.value)
                for row in node.rows:
                    if (row.otherwise or any(self.key_fits(key, value) for key in row.keys)) and (
                        not row.condition or self.value(row.condition)
                    ):
                        found = self.block(row.block, want, several)
                        break
            if found is not NOTHING:
                return found
        return NOTHING

    def key_fits(self, key: Any, value: Any) -> bool:
        word = self.bare(key)
        return none(value) if word == "none" else q.is_word(self.S, value, word) if word else self.same(value, self.value(key))

    # ---- patterns (language 5) ---------------------------------------------------------------------------------------
    def fits(self, pattern: t.Pattern, args: dict[str, Any], x: Any, after: bool) -> bool:
        """Whether an event with these arguments, seen at the subject x, is one that the pattern means."""
        operand = pattern.operand
        if isinstance(operand, t.Quantity):
            n = operand.amount
            if not self.about(args, x, self.table.singular(operand.unit or "")) or not (self.bare(n) or args.get("n") == self.value(n)):
                return False
        elif self.bare(operand) and self.kind(operand):
            if not self.about(args, x, self.kind(operand) or ""):
                return False
        elif self.bare(operand) and self.table.singular(operand.name) in self.table.words.get("units", ()):  # type: ignore[union-attr]
            if args.get("object") != self.table.singular(operand.name):  # type: ignore[union-attr]
                return False
        elif operand is not None and not self.argument_fits(operand, x, args.get("0")):
            return False
        for word, arg in pattern.args:
            given = args.get(word)
            gone = type(given) is not Ref or not q.in_play(self.S, given)
            marked = isinstance(arg, t.NamedArg | t.MarkedArg) and arg.type.mark == "?"
            if not self.argument_fits(arg, given, given) or (after and word == "by" and gone and not marked):
                return False
        return True

    def about(self, args: dict[str, Any], x: Any, word: str) -> bool:
        if args.get("object") is not None:
            return q.is_word(self.S, str(args["object"]), word)
        return type(x) is Deed if word == "ability" else word in self.table.kinds and self.of_type(x, word)

    def argument_fits(self, arg: Any, x: Any, batch: Any) -> bool:
        if isinstance(arg, t.NamedArg | t.MarkedArg):
            type_, mark = self.table.singular(arg.type.name), arg.type.mark
            if mark in ("*", "[]"):
                return len(q.many(batch)) > 0 and all(self.of_type(one, type_) for one in q.many(batch))
            return (mark == "?" and none(x)) or self.of_type(x, type_)
        if isinstance(arg, t.Quantity):
            return bool(x == self.value(arg.amount))
        word, kind = self.bare(arg), self.kind(arg)
        if word and kind:
            return self.of_type(x, kind)
        ref = self.world.by_name.get(word or "")
        if word and word not in ("none", "it", "result", "actor", "source") and (ref is None or q.is_word(self.S, x, word)):
            return q.is_word(self.S, x, word)
        return self.same(x, self.value(arg))

    def of_type(self, x: Any, type_: str) -> bool:
        if type_ in ("number", "flag", "face", "quantity"):
            return True
        if type_ == "ability" or type_ not in self.table.kinds:
            return type(x) is Deed if type_ == "ability" else x is not None
        return type(x) in (Ref, Stale) and q.is_word(self.S, x, type_)


for _node, _method in (("and", Walk.and_), ("or", Walk.or_), ("not", Walk.not_), ("is", Walk.is_)):
    setattr(Walk, _node, _method)


def want_of(table: Any, type_: t.TypeRef) -> str | None:
    return "word" if type_.name == "word" or type_.name in table.words else None


def equal(a: Any, b: Any) -> bool:
    return bool((type(a) is tuple and type(b) is Ref and a == (b,)) or (type(b) is tuple and type(a) is Ref and b == (a,)) or a == b)


def union(a: tuple[Any, ...], b: tuple[Any, ...]) -> tuple[Any, ...]:
    return a + tuple(x for x in b if x not in a)


def flat_keys(table: Any, bound: Any, keys: tuple[t.SortKey, ...]) -> list[t.SortKey]:
    """Sort keys with named orders written out."""
    found: list[t.SortKey] = []
    for one in keys:
        order = table.orders.get(one.value.name) if isinstance(one.value, t.Name) and one.value.name not in bound else None
        found += flat_keys(table, bound, order.keys) if order is not None else [one]
    return found


def walk(S: State, how: str, node: Any, names: dict[str, Any], event: Any, *more: Any) -> Any:
    return getattr(Walk(S, names, event), how)(node, *more)
