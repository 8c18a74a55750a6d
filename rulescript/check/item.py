"""Checking top-level items: declarations, definitions, tests."""

from __future__ import annotations

import attrs

from rulescript import tree as t
from rulescript.check.rule import RuleChecker
from rulescript.check.scope import Scope
from rulescript.check.types import Type, type_of
from rulescript.check.vocabulary import bound_names, parts
from rulescript.diagnostic import a
from rulescript.table import builtin
from rulescript.table.declarations import slug
from rulescript.table.definition import Source


class ItemChecker(RuleChecker):
    """Checks one item of a file at a time."""

    row_scopes: dict[str, dict[str, Type | None]] | None = None

    def item(self, node: t.Node, source: Source) -> None:
        """One top-level item."""
        scope = Scope(you=False, place="file")
        match node:
            case t.Kind():
                self._kind(node)
            case t.Procedure():
                self._procedure(node)
            case t.Query():
                self._query(node, scope, None)
            case t.Order():
                self._order(node)
            case t.Action():
                self.action(node, Scope(place="action"))
            case t.Test():
                self._test(node)
            case t.Change():
                self._change(node)
            case t.Hook() | t.Forbid() | t.Modify() | t.While():
                self.rule_line(node, scope)
            case t.Line():
                self._top_line(node)
            case _:
                self._misplaced(node)

    # ---- kinds and definitions

    def _kind(self, node: t.Kind) -> None:
        table = self.words.table
        for parent in node.parents:
            if parent not in table.kinds:
                self.report.add("E-WORD", f"there is no kind '{parent}'", node.span, word=parent, right=table.kinds, last=True)
        this = Type(node.name)
        scope = Scope({"this": this}, you=True, place="rule")
        for line in node.block.lines if node.block else ():
            if isinstance(line, t.Field):
                self._field_line(line)
            elif isinstance(line, t.Query):
                self._query(line, scope, this)
            elif isinstance(line, t.Line):
                self._kind_line(line, node.name)
            else:
                self.rule_line(line, scope.child())

    def _field_line(self, node: t.Field) -> None:
        self.type_ref(node.type)
        if node.default is not None:
            found = self.check(node.default, Scope(you=False))
            self._value_fits(found, type_of(node.type), node.default.span)
        if node.shows is not None and node.shows not in ("nobody", "owner", "all", "front"):
            right = ("nobody", "owner", "all", "front")
            self.report.add("E-WORD", "'shows' takes nobody, owner or all", node.span, word=node.shows, right=right, last=True)

    def _value_fits(self, found: Type | None, wanted: Type | None, span: t.Span) -> None:
        if found is None or wanted is None or found.kind in ("none", "any") or wanted.many:
            return
        plain = self.words.units | {"number", "track"}
        number, flag = wanted.kind in plain, wanted.kind == "flag"
        if (number and (found.kind in ("flag", "text") or self.is_kind(found))) or (flag and (found.kind in plain or self.is_kind(found))):
            self.report.add("E-TYPE", f"this is {wanted}, not {found}", span)

    def _kind_line(self, node: t.Line, kind: str) -> None:
        fields = self.words.fields_of([kind])
        if node.word in fields:
            self._member_value(node, fields[node.word])
            return
        if node.word not in builtin.KIND_LINES:
            right = set(fields) | set(builtin.KIND_LINES) | set(builtin.KEYWORD_LINES)
            self.report.add("E-WORD", f"a kind has no line '{node.word}', and {kind} no such field", node.span, word=node.word, right=right)
            return
        hosts = node.arg("in")
        names = [node.operand] if node.word in ("source",) else []
        if node.word in ("one", "up_to", "live") and hosts is not None:
            names = list(hosts.items) if isinstance(hosts, t.ListOf) else [hosts]
        for name in names:
            if isinstance(name, t.Name) and node.word != "source" and not self._is_place_name(name.name):
                right = set(self.words.table.kinds) | set(self.words.table.zones)
                self.report.add("E-WORD", f"there is no kind or zone '{name.name}'", name.span, word=name.name, right=right)
        operand = node.operand
        if isinstance(operand, t.Name):
            rights = {
                "when_out": set(self.words.table.verbs), "mode": {"strict", "lenient"}, "unique": {"effect"},
                "shows": {"all", "owner", "nobody", "front"}, "owner_live": set(self.words.members), "named_by": set(fields),
            }  # fmt: skip
            right = rights.get(node.word, {operand.name})
            if operand.name not in right:
                self.report.add("E-WORD", f"'{node.word}' does not know '{operand.name}'", operand.span, word=operand.name, right=right)
        for preposition, value in node.args:
            if preposition != "in" or node.word not in ("one", "up_to", "live"):
                self.report.add("E-ARG", f"'{node.word}' takes no '{preposition}'", value.span)

    def _is_place_name(self, name: str) -> bool:
        table = self.words.table
        return name in table.kinds or name in table.zones or name in self.words.places or name in table.definitions

    def _member_value(self, node: t.Line, wanted: Type | None) -> None:
        if node.operand is not None:
            found = self.check(node.operand, Scope({"this": None}, you=False))
            self._value_fits(found, wanted, node.operand.span)
        for preposition, value in node.args:
            self.report.add("E-ARG", f"the value of a field takes no '{preposition}'", value.span)

    def definition(self, node: t.Line, kinds: list[str]) -> None:
        """The block of a card or any other definition."""
        fields = self.words.fields_of(kinds)
        this = Type(kinds[0]) if kinds else None
        scope = Scope({"this": this}, you=True, place="rule")
        for line in node.block.lines if node.block else ():
            if isinstance(line, t.Row):
                self.row(line, scope.child(**self._row_names(kinds)), "row")
            elif isinstance(line, t.Query):
                self._query(line, scope, this)
            elif isinstance(line, t.Line):
                self._definition_line(line, fields, kinds)
            else:
                self.rule_line(line, scope.child())

    def _definition_line(self, node: t.Line, fields: dict[str, Type | None], kinds: list[str]) -> None:
        if node.word in fields:
            self._member_value(node, fields[node.word])
        elif node.word not in builtin.DEFINITION_LINES:
            right = set(fields) | set(builtin.KEYWORD_LINES) | {"id"}
            what = kinds[0] if kinds else "definition"
            self.report.add("E-WORD", f"{a(what)} has no field '{node.word}'", node.span, word=node.word, right=right)

    def _row_names(self, kinds: list[str]) -> dict[str, Type | None]:
        """What a row may speak of: the parameters of the procedures that read the rows of such a card."""
        if self.row_scopes is None:
            self.row_scopes = {}
            for head in self.words.table.heads:
                for line in parts(head.node.block):
                    if isinstance(line, t.Line) and line.word == "rows":
                        names = {**bound_names(head.node.block), **self.head_names(head.head)}
                        read = line.operand.name if isinstance(line.operand, t.Name) else ""
                        type_ = names.get(read)
                        kind = type_.kind if type_ is not None else self.words.kind_of(read) or "thing"
                        self.row_scopes.setdefault(kind, {}).update(names)
        found: dict[str, Type | None] = {}
        for kind, names in self.row_scopes.items():
            if kind == "thing" or any(self.words.related(kind, own) for own in kinds):
                found |= names
        return found

    def _change(self, node: t.Change) -> None:
        made = self.words.table.definitions.get(slug(node.title or ""))
        if node.kind not in self.words.table.kinds:
            self.report.add("E-WORD", f"there is no kind '{node.kind}'", node.span, word=node.kind, right=self.words.table.kinds)
        elif node.title is not None and made is None:
            known = ", ".join(sorted(d.title for d in self.words.table.definitions.values() if d.kind == node.kind)[:8])
            self.report.add(
                "E-WORD", f'there is no {node.kind} "{node.title}" to change', node.span, hint=f"there are: {known}" if known else None
            )
        line = t.Line(node.kind, None, (), None, (), node.notes, node.block, None, span=node.span)
        self.definition(line, [*(made.kinds if made else (node.kind,))])

    # ---- procedures, questions, orders, actions

    def _procedure(self, node: t.Procedure) -> None:
        names = self.head_names(node.head)
        for binder in (node.head.operand, *(binder for _, binder in node.head.binders)):
            if binder is not None:
                self.type_ref(binder.type)
        if node.head.object is not None and self.words.unit_of(node.head.object) is None:
            right = self.words.units | set(self.words.table.kinds)
            self.report.add("E-WORD", f"there is no unit or kind '{node.head.object}'", node.head.span, word=node.head.object, right=right)
        by = dict(node.head.binders).get("by")
        acting = by is not None and any(self.words.related(by.type.name, kind) for kind in self.words.acting)
        scope = Scope(dict(names), you="you" in names or acting, place="body")
        if "you" not in names and acting and by is not None:
            scope.names["you"] = Type(by.type.name)
        for line in node.block.lines if node.block else ():
            if isinstance(line, t.Line) and line.word in builtin.PROCEDURE_LINES and line.block is None and not line.args:
                self._procedure_line(line, scope)
            else:
                self.line(line, scope)
        self.notes(node.notes, node.span)

    def _procedure_line(self, node: t.Line, scope: Scope) -> None:
        operand = node.operand
        if node.word == "text" and isinstance(operand, t.Text):
            self.template(operand.value, operand.span, scope)
            return
        rights = {"done": {"all", "some", "none"}, "mode": {"strict", "lenient"}}
        if isinstance(operand, t.Name) and operand.name not in rights.get(node.word, {operand.name}):
            self.report.add(
                "E-WORD", f"'{node.word}' does not know '{operand.name}'", operand.span, word=operand.name, right=rights[node.word]
            )

    def _query(self, node: t.Query, scope: Scope, this: Type | None) -> None:
        table = self.words.table
        if node.receiver not in table.kinds and this is None:
            self.report.add("E-WORD", f"there is no kind '{node.receiver}'", node.span, word=node.receiver, right=table.kinds)
        self.type_ref(node.type)
        inner = scope.child(this=this or (Type(node.receiver) if node.receiver in table.kinds else None))
        inner.you, inner.place = this is not None, "query"
        for name, reference in node.params:
            self.type_ref(reference)
            inner.names[name] = type_of(reference)
        self._question_block(node.block, inner)
        for given in (part for part in parts(node.block) if isinstance(part, t.Give)):
            if isinstance(given.value, t.Flag | t.Number | t.Text):
                self._value_fits(self.check(given.value, inner), type_of(node.type), given.value.span)
        self.notes(node.notes, node.span)

    def _question_block(self, block: t.Block, scope: Scope) -> None:
        for part in parts(block):
            if isinstance(part, t.Line | t.Choose | t.Either | t.May | t.Step | t.Usual | t.Stop | t.Cancel | t.Each | t.Repeat):
                word = part.word if isinstance(part, t.Line) else type(part).__name__.lower()
                span = self.report.span_of(word, part.span)
                self.report.add("E-WRITE", f"a question only asks: '{word}' cannot stand in it", span, expected=("'if'", "'let'", "'give'"))
                return
        self.body(block, scope)

    def _order(self, node: t.Order) -> None:
        if node.kind not in self.words.table.kinds:
            self.report.add("E-WORD", f"there is no kind '{node.kind}'", node.span, word=node.kind, right=self.words.table.kinds)
        self.keys(node.keys, Scope({"it": Type(node.kind)}, you=False))

    def action(self, node: t.Action, scope: Scope) -> None:
        """An action's head, cost and body; its doer is `you`."""
        names = self.head_names(node.head)
        inner = attrs.evolve(scope.child(**names), place="action", you=True)
        for binder in (node.head.operand, *(binder for _, binder in node.head.binders)):
            if binder is not None:
                self.type_ref(binder.type)
        if node.label:
            self.template(node.label, node.span, inner)
        if node.cost is not None:
            found = self.check(node.cost, inner)
            if found is not None and not self.is_number(found):
                self.report.add("E-TYPE", f"a cost is a number, not {found}", node.cost.span)
        self.body(node.block, inner)
        self.notes(node.notes, node.span)

    # ---- other lines at the top of a file

    def _top_line(self, node: t.Line) -> None:
        table = self.words.table
        if isinstance(node.operand, t.Text):
            if node.word not in table.kinds:
                self.report.add("E-WORD", f"there is no kind '{node.word}'", node.span, word=node.word, right=table.kinds)
            for kind in node.kinds:
                if kind not in table.kinds:
                    self.report.add("E-WORD", f"there is no kind '{kind}'", node.span, word=kind, right=table.kinds, last=True)
            self.definition(node, [kind for kind in (node.word, *node.kinds) if kind in table.kinds])
            self.notes(node.notes, node.span)
        elif node.word == "zone":
            self._zone(node)
        elif node.word in ("harm", "hope"):
            self._standing(node)
        elif node.word == "map":
            self._map(node)
        elif node.word not in builtin.TOP_LINES:
            right = set(builtin.TOP_LINES) | set(table.kinds) | set(builtin.KEYWORD_LINES)
            self.report.add("E-WORD", f"'{node.word}' begins no item", node.span, word=node.word, right=right)
        elif node.word == "track" and node.kinds and node.kinds[0] not in table.kinds:
            self.report.add("E-WORD", f"there is no kind '{node.kinds[0]}'", node.span, word=node.kinds[0], right=table.kinds, last=True)
        for preposition, value in node.args:
            if preposition not in {"zone": ("for",), "die": ("with",), "track": ("with",), "words": ("with",)}.get(
                node.word, (preposition,)
            ):
                self.report.add("E-ARG", f"'{node.word}' takes no '{preposition}'", value.span)

    def _zone(self, node: t.Line) -> None:
        table = self.words.table
        holder = node.arg("for")
        if isinstance(holder, t.Name) and holder.name not in set(table.kinds) | set(table.words) | {"word"}:
            right = set(table.kinds) | set(table.words)
            self.report.add("E-WORD", f"there is no kind or list of words '{holder.name}'", holder.span, word=holder.name, right=right)
        kind = holder.name if isinstance(holder, t.Name) else None
        scope = Scope({"this": Type(kind) if kind in table.kinds else None}, you=False)
        for line in node.block.lines if node.block else ():
            word = line.word if isinstance(line, t.Line) else type(line).__name__.lower()
            if not isinstance(line, t.Line) or word not in builtin.ZONE_LINES:
                self.report.add("E-WORD", f"a zone has no line '{word}'", line.span, word=word, right=builtin.ZONE_LINES)
                continue
            operand = line.operand
            rights = {"holds": set(table.kinds), "renewed_from": set(table.zones), "shows": {"all", "owner", "nobody", "front"}}
            if isinstance(operand, t.Name) and operand.name not in rights.get(word, {operand.name}):
                self.report.add("E-WORD", f"'{word}' does not know '{operand.name}'", operand.span, word=operand.name, right=rights[word])
            source = table.zones.get(operand.name) if word == "renewed_from" and isinstance(operand, t.Name) else None
            if source is not None and source.holder is not None and source.holder != kind:
                message = f"'{source.name}' lies with each {source.holder}: a zone of {kind or 'the table'} cannot be renewed from it"
                self.report.add("E-TYPE", message, line.span)
            if word == "limit" and operand is not None:
                self.check(operand, scope)

    def _standing(self, node: t.Line) -> None:
        """An order of outcomes: `harm` is everybody's, in `hope` the seat that hopes is `you`."""
        scope = Scope({"you": Type("seat")}) if node.word == "hope" else Scope(you=False)
        for line in node.block.lines if node.block else ():
            if not isinstance(line, t.Line) or line.word not in ("more", "less") or line.operand is None:
                word = line.word if isinstance(line, t.Line) else ""
                self.report.add("E-WORD", f"a line of '{node.word}' is 'more x' or 'less x'", line.span, word=word, right=("more", "less"))
            elif node.word == "hope" and any(isinstance(part, t.Did) for part in parts(line.operand)):
                self.report.add("E-ARG", "'hope' asks how things stand, not what happened: no 'did'", line.span)
            else:
                self.check(line.operand, scope, "read")

    def _map(self, node: t.Line) -> None:
        table = self.words.table
        for line in node.block.lines if node.block else ():
            word = line.word if isinstance(line, t.Line) else type(line).__name__.lower()
            if not isinstance(line, t.Line) or word not in builtin.MAP_LINES:
                self.report.add("E-WORD", f"a map has no line '{word}'", line.span, word=word, right=builtin.MAP_LINES)
                continue
            names = [line.operand, line.arg("to")] if word == "link" else []
            if word in ("link", "node") and not all(isinstance(name, t.Name) for name in names or [line.operand]):
                shape = "link a1 to b1" if word == "link" else "node a1"
                self.report.add("E-ARG", f"a {word} is written: {shape}", line.span, word=word)
            if word in ("nodes", "links"):
                if isinstance(line.operand, t.Name) and line.operand.name not in table.kinds:
                    message = f"there is no kind '{line.operand.name}'"
                    self.report.add("E-WORD", message, line.operand.span, word=line.operand.name, right=table.kinds)
                continue
            for name in names:
                if isinstance(name, t.Name) and name.name not in self.words.places:
                    message = f"there is no node '{name.name}'"
                    self.report.add("E-WORD", message, name.span, word=name.name, right=self.words.places)
            said = (
                {line.word: line.operand.name for line in node.block.lines if isinstance(line, t.Line) and isinstance(line.operand, t.Name)}
                if node.block
                else {}
            )
            kind = line.kinds[0] if line.kinds else said.get(word + "s", "place")
            fields = self.words.fields_of([kind]) if kind in table.kinds else {}
            if kind not in table.kinds:
                self.report.add("E-WORD", f"there is no kind '{kind}'", line.span, word=kind, right=table.kinds)
                continue
            for member in line.block.lines if line.block else ():
                if isinstance(member, t.Line):
                    self._definition_line(member, fields, [kind])

    # ---- tests

    def _test(self, node: t.Test) -> None:
        self.body(node.block, Scope({}, you=False, place="test"))

    def test_line(self, node: t.Line, scope: Scope) -> None:
        table = self.words.table
        for preposition, value in node.args:
            if preposition != "with":
                self.report.add("E-ARG", f"'{node.word}' takes no '{preposition}'", value.span)
            elif node.word == "script":
                self._script(node, value, scope)
            else:
                self._answers(value, scope)
        operand = node.operand
        if node.word == "script" and isinstance(operand, t.Name):
            right = set(table.dice) | set(table.zones)
            if operand.name not in right:
                self.report.add("E-WORD", f"there is no die or zone '{operand.name}'", operand.span, word=operand.name, right=right)
        elif node.word in ("answer", "offers", "withholds", "seed") and operand is not None:
            self.check(operand, scope)
        elif node.word == "given" and isinstance(operand, t.Text):
            from rulescript.check.fragment import check_fragment

            check_fragment(operand, self.words, self.report)

    def _script(self, node: t.Line, value: t.Expression, scope: Scope) -> None:
        faces = self.words.table.dice.get(node.operand.name) if isinstance(node.operand, t.Name) else None
        for item in value.items if isinstance(value, t.ListOf) else ():
            if faces is not None and isinstance(item, t.Name | t.Number):
                said = item.name if isinstance(item, t.Name) else item.value
                if said not in faces:
                    right = {str(face) for face in faces}
                    self.report.add(
                        "E-WORD", f"the die has no side '{said}'", item.span, word=str(said), right=right, expected=sorted(right)
                    )
            elif isinstance(item, t.Name):
                self.check(item, scope)

    def _answers(self, value: t.Expression, scope: Scope) -> None:
        for item in value.items if isinstance(value, t.ListOf) else ():
            if isinstance(item, t.Name) and item.name in self.words.option_labels:
                continue
            if isinstance(item, t.Name | t.Get):
                self.check(item, scope, "read")


__all__ = ["ItemChecker"]
