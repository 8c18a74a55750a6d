"""Checking expressions: names, members, arguments, units; the answer is the type where it can be told."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.check.report import Report
from rulescript.check.scope import Scope
from rulescript.check.types import ABILITY, FLAG, NONE, NUMBER, PLACE, TEXT, WORD, Type, parse_type, type_of
from rulescript.check.vocabulary import Vocabulary, bound_names
from rulescript.check.wordpool import WordPool
from rulescript.diagnostic import a
from rulescript.table import builtin

_SPECIAL_TYPES = {
    "game": Type("game"), "table": Type("zone"), "box": Type("zone"), "map": Type("map"), "none": NONE, "actor": Type("thing"),
    "source": WORD,
}  # fmt: skip


class ExpressionChecker:
    """Checks expressions against a vocabulary; what is wrong goes to the report."""

    def __init__(self, words: Vocabulary, report: Report, pool: WordPool) -> None:
        self.words = words
        self.report = report
        self.pool = pool

    # ---- types

    def you_type(self, scope: Scope) -> Type | None:
        if scope.holds("you"):
            return scope.type_of("you")
        acting = [name for name in self.words.acting if self.words.table.kinds[name].acts]
        return Type(acting[0]) if len(acting) == 1 else None

    def is_number(self, found: Type | None) -> bool:
        return found is not None and not found.many and (found.kind in ("number", "track") or found.kind in self.words.units)

    def is_kind(self, found: Type | None) -> bool:
        return found is not None and found.kind in self.words.table.kinds and found.kind not in ("track", "die", "ability", "zone")

    def element(self, found: Type | None) -> Type | None:
        """One of a set; what a zone holds."""
        if found is None:
            return None
        if found.kind == "zone":
            return Type(found.of) if found.of else None
        return found.one()

    def union(self, left: Type | None, right: Type | None) -> Type | None:
        if left is None or right is None:
            return None
        if left.kind == right.kind:
            return left.set()
        if not (self.is_kind(left) and self.is_kind(right)):
            return None
        up = self.words.table.ancestors(right.kind)
        common = next((kind for kind in self.words.table.ancestors(left.kind) if kind in up), "thing")
        return Type(common, "*")

    # ---- the walk

    def check(self, node: t.Node, scope: Scope, role: str = "write") -> Type | None:
        """The type of an expression; None where it cannot be told."""
        match node:
            case t.Name():
                return self._name(node, scope, role)
            case t.Number():
                return NUMBER
            case t.Text():
                return TEXT
            case t.Flag():
                return FLAG
            case t.AllOf():
                return self._all_of(node)
            case t.Everyone():
                return None
            case t.Range():
                self.check(node.high, scope)
                return Type("number", "[]")
            case t.Your():
                return self._your(node, scope)
            case t.Get():
                return self._get(node, scope)
            case t.Ask():
                return self._ask(node, scope)
            case t.Function():
                return self._function(node, scope)
            case t.Did():
                self.did(node.pattern, scope)
                return FLAG
            case t.ListOf():
                return self._list(node, scope, role)
            case t.Select():
                return self._select(node, scope)
            case t.Not():
                self.check(node.value, scope, "read")
                return FLAG
            case t.And() | t.Or():
                for item in node.items:
                    self.check(item, scope, "read")
                return FLAG
            case t.Compare() | t.Is() | t.Has():
                self._relation(node, scope)
                return FLAG
            case t.Arithmetic():
                return self._arithmetic(node, scope, role)
            case t.Negative():
                return self.check(node.value, scope)
            case t.Any() | t.No():
                self.set_of(node.value, scope)
                return FLAG
            case t.Count():
                self.set_of(node.value, scope)
                return NUMBER
            case t.At():
                found = self.set_of(node.source, scope)
                self.check(node.place, scope)
                return found.set() if found else None
            case t.Quantity():
                return self.quantity(node, scope)
        return None

    def did(self, pattern: t.Pattern, scope: Scope) -> None:
        raise NotImplementedError

    def _name(self, node: t.Name, scope: Scope, role: str) -> Type | None:
        name = node.name
        if scope.holds(name):
            return scope.type_of(name)
        if name == "you":
            if not scope.you:
                self.nobody(node.span)
            return self.you_type(scope)
        if name == "it":
            self.report.add("E-SCOPE", "'it' is the element of a set, and there is none here", node.span)
            return None
        if name in builtin.SPECIAL:
            return _SPECIAL_TYPES.get(name)
        known, found = self.words.name_type(name)
        if known:
            return found
        if name == "over" and scope.place == "test":
            return FLAG
        if "#" in name:
            base = name.split("#")[0]
            right = set(self.words.table.kinds) | set(self.words.table.definitions)
            self.report.add("E-WORD", f"nothing is called '{name}': there is no '{base}'", node.span, word=base, right=right)
            return None
        if scope.place == "test" and role == "answer":
            return None
        self.pool.add(name, node.span, role, scope.all_names() | self.words.value_names())
        return None

    def nobody(self, span: t.Span) -> None:
        hint = "name one with 'by', or bind one in the pattern"
        self.report.add("E-YOU", "nobody is 'you' here", span, hint=hint)

    def _all_of(self, node: t.AllOf) -> Type | None:
        kind = self.words.kind_of(node.kind)
        if kind is None:
            right = set(self.words.table.kinds) | set(self.words.table.plurals)
            self.report.add("E-WORD", f"there is no kind '{node.kind}'", node.span, word=node.kind, right=right)
            return None
        return Type(kind, "*")

    def set_of(self, node: t.Node, scope: Scope) -> Type | None:
        """Checks an expression that stands for a set: a bound kind there is E-SHADOW."""
        if isinstance(node, t.Name) and node.name in self.words.table.kinds and scope.holds(node.name):
            found = scope.type_of(node.name)
            if found is not None and not found.many:
                message = f"'{node.name}' is one bound thing here, not the set of its kind"
                self.report.add("E-SHADOW", message, node.span, hint=f"the set is written 'all {node.name}'")
            return found
        return self.check(node, scope, "read")

    def _your(self, node: t.Your, scope: Scope) -> Type | None:
        if not scope.you and not scope.holds("you"):
            self.nobody(node.span)
        found = self.member(self.you_type(scope), node.member, node.args, node.span, scope)
        return found

    def _get(self, node: t.Get, scope: Scope) -> Type | None:
        if isinstance(node.base, t.Name) and node.base.name == "twin" and scope.place == "test":
            return None
        base = self.check(node.base, scope)
        return self.member(base, node.member, None, node.span, scope, node.base)

    def _ask(self, node: t.Ask, scope: Scope) -> Type | None:
        base = self.check(node.base, scope)
        if node.member == "mode" and isinstance(node.base, t.Name) and node.base.name == "game":
            for arg in node.args:
                if isinstance(arg, t.Name) and arg.name not in self.words.modes:
                    self.report.add("E-WORD", f"no pack has a mode '{arg.name}'", arg.span, word=arg.name, right=self.words.modes)
                elif isinstance(arg, t.Name):
                    return self.words.modes[arg.name]
            return Type("flag")
        if node.member == "place_of" and len(node.args) == 1 and isinstance(node.args[0], t.Name):
            kind = self.words.kind_of(node.args[0].name)
            self.check(node.args[0], scope, "read")
            return Type(kind, "?") if kind else None
        if node.member in ("first", "top_cards", "last"):
            for arg in node.args:
                self.check(arg, scope, "read")
            inner = self.element(base)
            return Type(inner.kind, "[]") if inner else None
        return self.member(base, node.member, node.args, node.span, scope, node.base)

    def member(
        self,
        base: Type | None,
        name: str,
        args: tuple[t.Expression, ...] | None,
        span: t.Span,
        scope: Scope,
        base_node: t.Node | None = None,
    ) -> Type | None:
        """The type of `base.name` or `base.name(args)`."""
        for arg in args or ():
            self.check(arg, scope, "read")
        if base is not None and base.kind == "cause":
            return self._cause_member(base, name, span)
        if base is not None and (base.kind == "part" or base.kind == "none" or base.kind == "face"):
            base = None
        if base is not None and base.kind in self.words.units | {"number", "flag", "text"} and not base.many:
            self.report.add("E-TYPE", f"a {base.kind} has no parts: '.{name}'", span, word=name, last=True)
            return None
        kind = None if base is None or base.kind in ("word", "any", "quantity") else base.kind
        many = base is not None and base.many
        found = self.words.find_member(kind, name) if kind else self.words.members.get(name, [])
        if found:
            self._check_params(found, name, args, span)
            types = {member.type for member in found}
            type_ = found[0].type if kind or len(types) == 1 else None
            if many and type_ is not None:
                return type_.set() if type_.kind != "zone" else type_
            return type_
        known, type_ = self.words.builtin_type(kind, name)
        if known:
            return self._builtin_member(base, name, type_, base_node)
        if any(member.kind not in self.words.table.kinds for member in self.words.members.get(name, ())):
            return None  # it is asked of a kind that does not exist: that is reported where it stands
        what = f"{a(kind)} has no '{name}'" if kind and kind != "thing" else f"nothing has a '{name}'"
        self.report.add("E-WORD", what, span, word=name, right=self.words.member_names(kind), last=True)
        return None

    def _check_params(self, found: list, name: str, args: tuple[t.Expression, ...] | None, span: t.Span) -> None:  # type: ignore[type-arg]
        queries = [member for member in found if member.role == "query"]
        if not queries or len(queries) < len(found):
            return
        counts = {len(member.params) for member in queries}
        given = len(args or ())
        if given not in counts:
            wanted = min(counts)
            params = ", ".join(param for param, _ in queries[0].params) or "nothing"
            message = f"'{name}' takes {wanted} argument{'s' if wanted != 1 else ''} ({params}), not {given}"
            self.report.add("E-ARG", message, span, word=name, last=True)

    def _cause_member(self, base: Type, name: str, span: t.Span) -> Type | None:
        known: dict[str, Type | None] = {"result": None, "n": NUMBER, "you": None}
        for head in self.words.table.verbs.get(base.of or "", ()):
            known |= self.head_names(head.head)
            known |= bound_names(head.node.block)
        if name not in known:
            self.report.add("E-WORD", f"'{base.of}' binds no '{name}'", span, word=name, right=known, last=True)
        return known.get(name)

    def head_names(self, head: t.Head) -> dict[str, Type | None]:
        """The parameters of a head."""
        found: dict[str, Type | None] = {}
        if head.amount and head.object:
            found[head.amount] = NUMBER
            kind = self.words.kind_of(head.object)
            found[head.object] = Type(kind, "*") if kind else WORD  # the kind that was given
        for binder in (head.operand, *(binder for _, binder in head.binders)):
            if binder is not None:
                found[binder.name] = type_of(binder.type)
        return found

    def _builtin_member(self, base: Type | None, name: str, type_: Type | None, base_node: t.Node | None) -> Type | None:
        inner = self.element(base)
        if name in ("first", "last", "top", "bottom"):
            if base is not None and base.kind == "track":
                return NUMBER
            return Type(inner.kind) if inner is not None and base is not None and (base.many or base.kind == "zone") else None
        if name == "cards":
            return Type(inner.kind, "[]") if base is not None and base.kind == "zone" and inner else None
        if name == "pool" and isinstance(base_node, t.Name):
            return Type("zone", "", self.words.kind_of(base_node.name))
        return type_

    def _function(self, node: t.Function, scope: Scope) -> Type | None:
        name = node.name
        if name in ("sum", "lowest", "highest", "every"):
            source = self.set_of(node.args[0], scope) if node.args else None
            inner = scope.child(it=self.element(source))
            for arg in node.args[1:]:
                self.check(arg, inner, "read")
            if len(node.args) != 2:
                self.report.add("E-ARG", f"'{name}' takes a set and what to ask of each", node.span, word=name)
            return parse_type(builtin.FUNCTIONS[name])
        if name == "cause_of":
            return self._cause_of(node)
        if name == "pool" and len(node.args) == 1 and isinstance(node.args[0], t.Name):
            self.check(node.args[0], scope, "read")
            return Type("zone", "", self.words.kind_of(node.args[0].name))
        for arg in node.args:
            self.check(arg, scope, "read")
        if name in builtin.FUNCTIONS:
            return parse_type(builtin.FUNCTIONS[name])
        if name in self.words.table.zones:
            return Type("zone", "", self.words.table.zones[name].holds)
        asked = [member for member in self.words.members.get(name, ()) if member.kind == "game" and member.role == "query"]
        if asked:
            self._check_params(asked, name, node.args, node.span)
            return asked[0].type
        right = {name for name, found in self.words.members.items() if any(m.kind == "game" for m in found)}
        self.report.add(
            "E-WORD",
            f"there is no question '{name}'",
            node.span,
            word=name,
            right=right | set(builtin.FUNCTIONS) | set(self.words.table.zones),
        )
        return None

    def _cause_of(self, node: t.Function) -> Type | None:
        target = node.args[0] if len(node.args) == 1 else None
        if not isinstance(target, t.Name):
            self.report.add("E-ARG", "'cause_of' takes the name of a procedure", node.span, word="cause_of")
            return None
        if target.name not in self.words.table.verbs and target.name not in self.words.actions and target.name not in self.words.primitives:
            right = set(self.words.table.verbs) | self.words.actions
            self.report.add("E-WORD", f"there is no procedure '{target.name}'", target.span, word=target.name, right=right)
            return None
        return Type("cause", "", target.name) if target.name in self.words.table.verbs else None

    def _list(self, node: t.ListOf, scope: Scope, role: str) -> Type | None:
        types = [self.check(item, scope, role) for item in node.items]
        first = types[0] if types else None
        return Type(first.kind, "[]") if first is not None and all(found == first for found in types) else Type("any", "[]")

    def _select(self, node: t.Select, scope: Scope) -> Type | None:
        source = self.set_of(node.source, scope) if node.where is not None or node.keys else self.check(node.source, scope)
        inner = scope.child(it=self.element(source))
        if node.where is not None:
            self.check(node.where, inner, "read")
        self.keys(node.keys, inner)
        if source is None:
            return Type("any", "[]") if node.keys else None
        base = self.element(source) or source
        return Type(base.kind, "[]") if node.keys else Type(base.kind, source.mark if source.mark == "[]" else "*")

    def keys(self, keys: tuple[t.SortKey, ...], scope: Scope) -> list[Type | None]:
        return [self.check(key.value, scope, "read") for key in keys]

    def _relation(self, node: t.Compare | t.Is | t.Has, scope: Scope) -> None:
        left = self.check(node.left, scope, "read")
        right = self.check(node.right, scope, "read")
        numbers = self.words.units | {"number"}
        if isinstance(node, t.Compare):
            self._same_unit(left, right, node.span)
            if node.op in ("<", "<=", ">", ">="):
                for side, part in ((left, node.left), (right, node.right)):
                    if side is not None and (side.many or self.is_kind(side) or side.kind in ("flag", "text")):
                        self.report.add("E-TYPE", f"'{side}' is no number: it cannot be more or less", part.span)
        elif isinstance(node, t.Is) and left is not None and self.is_kind(left) and not left.many:
            name = node.right.name if isinstance(node.right, t.Name) else None
            kind = self.words.kind_of(name) if name and not scope.holds(name) else None
            if kind is not None and not self.words.related(left.kind, kind):
                self.report.add("E-TYPE", f"{a(left.kind)} is never {a(kind)}", node.span)
        elif (
            isinstance(node, t.Is)
            and left is not None
            and left.kind in numbers
            and not left.many
            and right is not None
            and (self.is_word(right) or self.is_kind(right))
        ):
            self.report.add("E-TYPE", f"{left} and {right} cannot be compared", node.span)

    def _same_unit(self, left: Type | None, right: Type | None, span: t.Span) -> None:
        if left is None or right is None or left.many or right.many:
            return
        units, numbers = self.words.units, self.words.units | {"number"}
        if left.kind in units and right.kind in units and left.kind != right.kind:
            self.report.add("E-TYPE", f"units do not mix: {left.kind} and {right.kind}", span)
        for one, other in ((left, right), (right, left)):
            if one.kind in numbers and (other.kind in ("flag", "text") or self.is_word(other) or self.is_kind(other)):
                self.report.add("E-TYPE", f"{one.kind} and {other} cannot be compared", span)
        if self.is_kind(left) and self.is_kind(right) and not self.words.related(left.kind, right.kind):
            self.report.add("E-TYPE", f"{a(left.kind)} is never {a(right.kind)}", span)

    def is_word(self, found: Type) -> bool:
        """Whether an expression gives a word, which is no number and no thing."""
        return not found.many and found.kind not in self.words.units and (found.kind == "word" or found.kind in self.words.table.words)

    def _arithmetic(self, node: t.Arithmetic, scope: Scope, role: str) -> Type | None:
        if node.op in ("|", "except"):
            left, right = self.check(node.left, scope, role), self.check(node.right, scope, role)
            return self.union(left, right) if node.op == "|" else left.set() if left and left.kind != "zone" else left
        left, right = self.check(node.left, scope), self.check(node.right, scope)
        self._same_unit(left, right, node.span)
        for side, part in ((left, node.left), (right, node.right)):
            if side is not None and (self.is_kind(side) or side.kind in ("flag", "text", "zone")):
                self.report.add("E-TYPE", f"'{side}' is no number", part.span)
        if left is not None and left.kind in self.words.units:
            return left
        return right if right is not None and right.kind in self.words.units else NUMBER

    def quantity(self, node: t.Quantity, scope: Scope) -> Type | None:
        """`2 coins`, `n of x`: the amount is a number, the word a unit or a kind."""
        amount = self.check(node.amount, scope)
        if amount is not None and not self.is_number(amount):
            self.report.add("E-TYPE", f"the amount is a number, not {amount}", node.amount.span)
        if node.computed is not None:
            return self.check(node.computed, scope, "read")
        unit = self.words.unit_of(node.unit or "")
        if unit is None:
            right = self.words.units | set(self.words.table.kinds) | set(self.words.table.plurals)
            self.report.add("E-WORD", f"there is no unit or kind '{node.unit}'", node.span, word=node.unit or "", right=right, last=True)
            return None
        return Type(unit, "*") if unit in self.words.table.kinds else Type(unit)


__all__ = ["ABILITY", "PLACE", "ExpressionChecker"]
