"""Checking the lines of bodies."""

from __future__ import annotations

import attrs

from rulescript import tree as t
from rulescript.check.pattern import PatternChecker
from rulescript.check.scope import Scope
from rulescript.check.template import slots
from rulescript.check.types import NUMBER, Type
from rulescript.check.vocabulary import parts
from rulescript.table import builtin
from rulescript.table.declarations import slug

_UNIQUE_KEYS = frozenset({"number", "id", "index", "position", "seat"})


class LineChecker(PatternChecker):
    """Checks blocks line by line; names bound in a block are known from there to its end."""

    def body(self, block: t.Block | None, scope: Scope) -> None:
        for line in block.lines if block else ():
            self.line(line, scope)

    def line(self, node: t.Node, scope: Scope) -> None:
        """One line; names that it binds go into the scope."""
        match node:
            case t.Line():
                self._line(node, scope)
            case t.If():
                self.check(node.condition, scope, "read")
                self.body(node.then, scope.child())
                self.body(node.otherwise, scope.child())
            case t.Each():
                self._each(node, scope)
            case t.Repeat():
                times = self.check(node.times, scope)
                if times is not None and not self.is_number(times) and times.kind not in ("any", "none"):
                    self.report.add("E-BOUND", f"'repeat' needs how often at most, not {times}", node.times.span)
                if isinstance(node.times, t.Negative):
                    self.report.add("E-BOUND", "nothing is repeated less than 0 times", node.times.span)
                if node.until is not None:
                    self.check(node.until, scope, "read")
                self.body(node.body, scope.child())
            case t.Match():
                self.check(node.value, scope, "read")
                for row in node.rows:
                    self.row(row, scope)
            case t.Row():
                self.row(node, scope)
            case t.Choose():
                self._choose(node, scope)
            case t.Either():
                self._decider(node.keys, node.span, "either", scope)
                for option in node.options:
                    self.template(option.label, option.span, scope)
                    if option.condition is not None:
                        self.check(option.condition, scope, "read")
                    self.notes(option.notes, option.span)
                    self.body(option.body, scope.child())
                self.body(node.otherwise, scope.child())
            case t.May():
                self._decider(node.keys, node.span, "may", scope)
                if node.label:
                    self.template(node.label, node.span, scope)
                self.notes(node.notes, node.span)
                self.body(node.body, scope.child())
                self.body(node.otherwise, scope.child())
            case t.Try():
                self.body(node.body, scope.child())
                self.body(node.otherwise, scope.child())
            case t.Let():
                scope.names[node.name] = self.value(node.value, scope)
                if isinstance(node.value, t.Name) and node.value.name == "none":
                    scope.names[node.name] = None
                if node.value == t.ListOf((), span=node.span):
                    scope.names[node.name] = None
            case t.Usual():
                self.usual(node, scope)
            case t.Require():
                self._peek(node.condition, scope)
                self.check(node.condition, scope, "read")
                self.notes(node.notes, node.span)
            case t.Expect():
                if scope.place != "test":
                    self.report.add("E-WORD", "'expect' stands in tests only", node.span, word="expect", hint="in rules it is 'require'")
                self.check(node.condition, scope, "read")
            case t.Give():
                self.value(node.value, scope)
            case t.Stop() | t.Cancel():
                self._leave(node, scope)
            case t.Step():
                self.notes(node.notes, node.span)
                self.body(node.block, scope.child())
            case t.Until():
                bound = self.pattern(node.pattern, scope)
                inner = attrs.evolve(scope.child(**bound), place="rule")
                if node.condition is not None:
                    self.check(node.condition, inner, "read")
                for line in node.block.lines:
                    self.rule_line(line, scope)
            case t.Hook() | t.Forbid() | t.Modify():
                word = "modify" if isinstance(node, t.Modify) else "forbid" if isinstance(node, t.Forbid) else node.timing
                hint = "say how long it holds: until EVENT { … }"
                self.report.add("E-LIFELESS", "a rule inside a body lives nowhere", self.report.span_of(word, node.span), hint=hint)
                self.rule_line(node, scope)
            case t.While():
                self.check(node.condition, scope, "read")
                for line in node.block.lines:
                    self.rule_line(line, scope)
            case t.Block():
                self.body(node, scope.child())
            case _:
                self._misplaced(node)

    def _peek(self, condition: t.Expression, scope: Scope) -> None:
        """A `require` of an action that reads what its seat may not have seen."""
        for part in parts(condition) if scope.place == "action" else ():
            found = self.words.members.get(part.member, []) if isinstance(part, t.Get) else []
            if isinstance(part, t.Get) and found and all(member.hidden for member in found):
                message = f"'{part.member}' is hidden until it is known: whether this is offered would tell it"
                self.report.add("W-PEEK", message, part.span, word=part.member, last=True)

    def rule_line(self, node: t.Node, scope: Scope) -> None:
        raise NotImplementedError

    def _misplaced(self, node: t.Node) -> None:
        word = type(node).__name__.lower()
        word = "has" if word == "field" else word
        self.report.add("E-WORD", f"'{word}' cannot stand here", self.report.span_of(word, node.span))

    def _line(self, node: t.Line, scope: Scope) -> None:
        words = self.words
        result: Type | None = None
        if node.word in words.table.verbs:
            result = self.call(node, scope)
        elif node.word in words.primitives:
            row = words.primitives[node.word]
            result = self.primitive(node, row, scope)
            if node.block is not None and node.word == "divide":
                self._divide(node, scope)
        elif node.word == "twin" and scope.place == "test":
            self.body(node.block, scope.child())
        elif scope.place == "test" and node.word in builtin.TEST_LINES:
            self.test_line(node, scope)
            return
        else:
            self._unknown_verb(node, scope)
            for part in (node.operand, *(value for _, value in node.args)):
                if part is not None:
                    self.check(part, scope)
            self.body(node.block, scope.child())
        if node.kinds and (node.word in words.table.verbs or node.word in words.primitives):
            self.report.add("E-ARG", "a call has no kinds", node.span, word="is")
        if node.result is not None and not (scope.holds(node.result) and result is None):
            scope.names[node.result] = Type("part") if node.word == "divide" else result
        self.notes(node.notes, node.span)
        self._else(node)
        self.body(node.otherwise, scope.child())

    def test_line(self, node: t.Line, scope: Scope) -> None:
        raise NotImplementedError

    def _unknown_verb(self, node: t.Line, scope: Scope) -> None:
        right = self.words.known_verbs() | set(builtin.KEYWORD_LINES) | (set(builtin.TEST_LINES) if scope.place == "test" else set())
        self.report.add("E-WORD", f"there is no verb '{node.word}'", node.span, word=node.word, right=right)

    def _else(self, node: t.Line) -> None:
        if node.otherwise is None:
            return
        row = self.words.primitives.get(node.word)
        heads = self.words.table.verbs.get(node.word)
        always = all(head.done == "none" for head in heads) if heads else row is not None and row.done == "none"
        if always:
            self.report.add("W-ELSE", f"'{node.word}' always counts as done: this 'else' is never taken", node.otherwise.span)

    def _divide(self, node: t.Line, scope: Scope) -> None:
        among = node.arg("among")
        inner = scope.child(it=self.element(self.check(among, scope)) if among is not None else None)
        for line in node.block.lines if node.block else ():
            if isinstance(line, t.Line) and line.word in ("shares", "rank") and line.operand is not None:
                self.check(line.operand, inner, "read")
            else:
                word = line.word if isinstance(line, t.Line) else ""
                self.report.add("E-WORD", "'divide' takes 'shares' and 'rank'", line.span, word=word, right=("shares", "rank"))

    def _set_name(self, source: t.Expression) -> str | None:
        """The kind by which a loop over a bare set names its thing."""
        while isinstance(source, t.At | t.Select):
            source = source.source
        word = source.name if isinstance(source, t.Name) else source.kind if isinstance(source, t.AllOf) else None
        return self.words.kind_of(word) if word else None

    def _each(self, node: t.Each, scope: Scope) -> None:
        source = self.set_of(node.source, scope)
        one = self.element(source)
        bare = self._set_name(node.source)
        name = node.name or bare or "it"
        inner = scope.child(**{"it": one, name: one})
        if node.where is not None:
            self.check(node.where, inner, "read")
        self.keys(node.keys, inner)
        self.notes(node.notes, node.span)
        if not node.keys and source is not None and source.mark == "*":
            message = "a loop over a set says its order"
            hint = "add 'by' an order, a key of each ('by it.number'), or a decider"
            self.report.add("E-ORDER", message, node.source.span, hint=hint)
        body = scope.child(**{name: one, "it": one} if name == "it" or node.name is None else {name: one})
        self.body(node.body, body)

    def _choose(self, node: t.Choose, scope: Scope) -> None:
        source = self.set_of(node.source, scope)
        one = self.element(source)
        inner = scope.child(it=one)
        if node.where is not None:
            self.check(node.where, inner, "read")
        if node.number is not None:
            self.check(node.number, scope)
        self.keys(node.keys, inner)
        self.notes(node.notes, node.span)
        if not node.keys:
            self._decider((), node.span, "choose", scope)
        elif not any(self._decides(key, inner) for key in node.keys):
            hint = "end the keys with a decider: a seat, policy, chance, or an order that tells all apart"
            self.report.add("E-OPEN-CHOICE", "these keys may leave several, and nobody chooses", node.keys[-1].span, hint=hint)
        if isinstance(node.source, t.ListOf) and not node.source.items and node.otherwise is None:
            self.report.add("E-EMPTY", "there is nothing to choose from", node.source.span)
        if isinstance(node.source, t.Range) and isinstance(node.source.high, t.Number) and node.source.high.value < node.source.low:
            self.report.add("E-EMPTY", "there is nothing to choose from", node.source.span)
        self.body(node.otherwise, scope.child())
        several = node.how == "any" or (node.how != "one" and not (isinstance(node.number, t.Number) and node.number.value == 1))
        if one is not None:
            one = Type(one.kind, "[]") if several else Type(one.kind, "?") if node.how == "up_to" else one
        scope.names[node.name] = one

    def _decides(self, key: t.SortKey, scope: Scope) -> bool:
        """Whether a key leaves no tie: a decider, or an order by something that no two things share."""
        value = key.value
        if isinstance(value, t.Name):
            if value.name in builtin.DECIDERS or value.name in builtin.ORDERS:
                return True
            order = self.words.table.orders.get(value.name)
            if order is not None:
                return any(self._tells_apart(inner.value) for inner in order.keys)
            return scope.holds(value.name) or value.name in ("you", "actor") or self.words.thing_type(value.name) is not None
        if isinstance(value, t.Get | t.Ask | t.Your | t.Select) and not self._mentions_it(value):
            return True
        return self._tells_apart(value)

    def _mentions_it(self, node: t.Node) -> bool:
        return any(isinstance(part, t.Name) and part.name == "it" for part in parts(node))

    def _tells_apart(self, value: t.Expression) -> bool:
        if isinstance(value, t.Name):
            return value.name == "it" or value.name in self.words.table.orders and value.name != "it"
        if isinstance(value, t.Get):
            return value.member in _UNIQUE_KEYS
        return isinstance(value, t.Ask) and isinstance(value.base, t.Get) and value.base.member in _UNIQUE_KEYS

    def _decider(self, keys: tuple[t.SortKey, ...], span: t.Span, word: str, scope: Scope) -> None:
        if keys:
            self.keys(keys, scope.child(it=None))
        elif not scope.you and not scope.holds("you") and scope.place != "test":
            self.report.add("E-YOU", f"nobody is 'you' here to decide this '{word}'", self.report.span_of(word, span), hint="say who: by …")

    def row(self, node: t.Row, scope: Scope, role: str = "read") -> None:
        inner = scope.child()
        for key in node.keys:
            if not (isinstance(key, t.Name) and key.name == "always"):
                self.check(key, inner, role)
        if node.condition is not None:
            self.check(node.condition, inner, "read")
        self.notes(node.notes, node.span)
        self.body(node.block, inner)

    def value(self, node: t.Expression | t.Usual, scope: Scope) -> Type | None:
        if isinstance(node, t.Usual):
            self.usual(node, scope)
            return None
        return self.check(node, scope)

    def usual(self, node: t.Usual, scope: Scope) -> None:
        if not scope.usual:
            self.report.add("E-SCOPE", "'usual' stands in 'instead of' rules: here nothing is replaced", node.span)
        if isinstance(node.operand, t.Quantity):
            self.check(node.operand.amount, scope)
        elif node.operand is not None:
            self.check(node.operand, scope)
        heads = [head for verb in scope.verbs for head in self.words.table.verbs.get(verb, ())]
        for preposition, value in node.args:
            self.check(value, scope)
            if heads and preposition != "by" and all(preposition not in dict(head.head.binders) for head in heads):
                self.report.add("E-ARG", f"'{scope.verbs[0]}' takes no '{preposition}'", value.span)

    def _leave(self, node: t.Stop | t.Cancel, scope: Scope) -> None:
        word = "stop" if isinstance(node, t.Stop) else "cancel"
        target = node.target
        if (
            target is not None
            and target not in self.words.steps
            and target not in self.words.actions | self.words.labels | set(self.words.primitives)
        ):
            self.report.add(
                "E-WORD", f"there is no procedure '{target}'", node.span, word=target, right=set(self.words.steps) | self.words.actions
            )
            return
        if isinstance(node, t.Cancel) and not scope.hooks:
            self.report.add(
                "E-STOP", "'cancel' stands in 'before' and 'instead of' rules: here the event has begun", node.span, hint="it is 'stop'"
            )
        elif isinstance(node, t.Stop) and target is not None and target in scope.cancels:
            message = f"'{target}' has not begun here"
            self.report.add("E-STOP", message, node.span, word=word, hint=f"write 'cancel {target}'")

    def template(self, text: str, span: t.Span, scope: Scope) -> None:
        """The slots of a text name what is bound where it stands."""
        for chain in slots(text):
            first = chain[0]
            if (
                first not in ("you", "your")
                and not scope.holds(first)
                and not self.words.name_type(first)[0]
                and first not in builtin.SPECIAL
            ):
                from rulescript.nearest import did_you_mean

                hint = did_you_mean(first, scope.all_names() | {"you"})
                self.report.add("E-SCOPE", f"the text names '{first}', which is not bound here", span, hint=hint)
                continue
            for member in chain[1:]:
                found = self.words.members.get(member, [])
                if any(one.hidden for one in found):
                    self.report.add("E-LEAK", f"the text shows '{member}', which is hidden until it is known", span)

    def notes(self, notes: t.Notes, span: t.Span) -> None:
        for once in notes.once:
            if once.period not in self.words.periods:
                message = f"there is no period '{once.period}'"
                self.report.add("E-WORD", message, once.span, word=once.period, right=self.words.periods)
        if notes.certainty == "house" and not notes.source:
            self.report.add("W-HOUSE", "'house' says why", span, word="house", hint='write: house "why"')


__all__ = ["NUMBER", "LineChecker", "slug"]
