"""Checking calls: does any head of the verb take these words?"""

from __future__ import annotations

import re

from rulescript import tree as t
from rulescript.check.expression import ExpressionChecker
from rulescript.check.scope import Scope
from rulescript.check.types import Type, type_of
from rulescript.diagnostic import a, or_list
from rulescript.table.declarations import HeadInfo
from rulescript.table.primitive import Primitive


def spoken_head(verb: str, head: t.Head) -> str:
    """A head in words: `spend n coin by hero`."""
    parts = [verb]
    if head.amount:
        parts.append(f"{head.amount} {head.object}")
    elif head.operand:
        parts.append(_binder(head.operand))
    parts += [f"{preposition} {_binder(binder)}" for preposition, binder in head.binders]
    return " ".join(parts)


def _binder(binder: t.Binder) -> str:
    return binder.type.name + binder.type.mark if binder.bare else f"{binder.name}: {binder.type.name}{binder.type.mark}"


class CallChecker(ExpressionChecker):
    """Checks lines that call a procedure or a primitive verb."""

    def call(self, node: t.Line, scope: Scope) -> Type | None:
        """A call of a procedure; the type of its result is not known."""
        heads = self.words.table.verbs[node.word]
        args = dict(node.args)
        found = {preposition: self.check(value, scope) for preposition, value in node.args}
        if len(args) < len(node.args):
            self._twice(node)
        operand = self._operand(node, heads, scope)
        faults = [self._fault(node, head, operand, found, scope) for head in heads]
        if all(faults):
            self._report_best(node, heads, [fault for fault in faults if fault])
        elif "by" not in args and not scope.you and not scope.holds("you") and scope.place != "test":
            fitting = [head for head, fault in zip(heads, faults, strict=True) if not fault]
            if all(self._wants_by(head) for head in fitting):
                self.nobody(self.report.span_of(node.word, node.span))
        return None

    def _wants_by(self, head: HeadInfo) -> bool:
        return any(preposition == "by" and binder.type.mark != "?" for preposition, binder in head.head.binders)

    def _operand(self, node: t.Line, heads: list[HeadInfo], scope: Scope) -> Type | None:
        if node.operand is None:
            return None
        if isinstance(node.operand, t.Quantity) and node.operand.unit in {head.head.object for head in heads}:
            amount = self.check(node.operand.amount, scope)
            if amount is not None and not self.is_number(amount):
                self.report.add("E-TYPE", f"the amount is a number, not {amount}", node.operand.amount.span)
            return None
        return self.check(node.operand, scope)

    def _fault(
        self, node: t.Line, head: HeadInfo, operand: Type | None, args: dict[str, Type | None], scope: Scope
    ) -> tuple[int, str, str, t.Span] | None:
        """Why a head does not take these words: how far it went, code, message, place. None if it does."""
        wanted = dict(head.head.binders)
        fault = self._operand_fault(node, head, operand)
        if fault is not None:
            return fault
        for preposition, value in node.args:
            if preposition not in wanted:
                return 1, "E-ARG", f"'{node.word}' takes no '{preposition}' here", value.span
        for preposition, binder in wanted.items():
            if preposition not in args and binder.type.mark not in ("?", "*") and preposition != "by":
                return 2, "E-ARG", f"'{node.word}' needs '{preposition} {_binder(binder)}'", self.report.span_of(node.word, node.span)
        for preposition, value in node.args:
            self._silent(node.word, preposition, args[preposition], wanted[preposition].type, value.span)
            misfit = self._misfit(args[preposition], wanted[preposition].type)
            if misfit:
                return 3, "E-TYPE", f"'{preposition}' takes {misfit}", value.span
        return None

    def _silent(self, verb: str, preposition: str, found: Type | None, wanted: t.TypeRef, span: t.Span) -> None:
        """A set where the head has one thing: only its first would count."""
        if found is None or found.mark != "*" or wanted.mark in ("*", "[]") or found.kind not in self.words.table.kinds:
            return
        if self.words.table.kinds[found.kind].limit != 1 and wanted.name in self.words.table.kinds:
            message = f"'{preposition}' of '{verb}' is one {wanted.name}, and this may be several"
            self.report.add("W-SILENT", message, span)

    def _operand_fault(self, node: t.Line, head: HeadInfo, operand: Type | None) -> tuple[int, str, str, t.Span] | None:
        said, want = node.operand, head.head
        at = self.report.span_of(node.word, node.span) if said is None else said.span
        if want.amount is not None:
            if not isinstance(said, t.Quantity):
                return 0, "E-ARG", f"'{node.word}' takes an amount here: '{want.amount} {want.object}'", at
            if said.unit is None or self._fits_object(said.unit, want.object or ""):
                return None
            return 0, "E-TYPE", f"'{node.word}' counts {want.object}, not {said.unit}", at
        if want.operand is None:
            return None if said is None else (0, "E-ARG", f"'{node.word}' takes no operand", at)
        if said is None:
            optional = want.operand.type.mark in ("?", "*")
            return None if optional else (0, "E-ARG", f"'{node.word}' needs {_binder(want.operand)}", at)
        if isinstance(said, t.Quantity) and said.unit is not None and want.operand.type.name not in ("quantity", "number"):
            if want.operand.type.mark == "*" and operand is not None and self.words.related(operand.kind, want.operand.type.name):
                return None
            return 0, "E-TYPE", f"'{node.word}' takes no amount: {_binder(want.operand)}", at
        misfit = self._misfit(operand, want.operand.type)
        return (3, "E-TYPE", f"'{node.word}' takes {misfit}", at) if misfit else None

    def _fits_object(self, unit: str, object_: str) -> bool:
        left, right = self.words.table.singular(unit), self.words.table.singular(object_)
        if left in self.words.table.kinds and right in self.words.table.kinds:
            return self.words.related(left, right)
        return left == right or self.words.unit_of(unit) == self.words.unit_of(object_)

    def _misfit(self, found: Type | None, wanted: t.TypeRef) -> str | None:
        """What a parameter wants, if this cannot be it."""
        want = type_of(wanted)
        if found is None or want is None or found.kind in ("none", "any", "cause"):
            return None
        text = f"{wanted.name}{wanted.mark}, not {found}"
        if self.is_kind(found) and want.kind in self.words.table.kinds:
            return None if self.words.related(found.kind, want.kind) else text
        numbers = self.words.units | {"number", "track"}
        if found.kind in numbers and not found.many:
            if want.kind in self.words.units and found.kind in self.words.units and want.kind != found.kind:
                return text
            return None if want.kind in numbers | {"any", "quantity"} else text
        if self.is_kind(found) and want.kind in numbers | {"flag"}:
            return text
        if self.is_word(found) and want.kind in self.words.units | {"number"}:
            return text
        return None

    def _report_best(self, node: t.Line, heads: list[HeadInfo], faults: list[tuple[int, str, str, t.Span]]) -> None:
        _, code, message, span = max(faults, key=lambda fault: fault[0])
        if len(heads) > 1 and all(fault[0] == 0 for fault in faults):
            message = f"no head of '{node.word}' takes this"
        self.report.add(code, message, span, expected=dict.fromkeys(spoken_head(head.verb, head.head) for head in heads))

    def _twice(self, node: t.Line) -> None:
        seen: set[str] = set()
        for preposition, value in node.args:
            if preposition in seen:
                self.report.add("E-ARG", f"'{preposition}' stands twice in this line", value.span)
            seen.add(preposition)

    # ---- primitive verbs

    def primitive(self, node: t.Line, row: Primitive, scope: Scope) -> Type | None:
        """A primitive verb; the type of what it binds."""
        span = self.report.span_of(node.word, node.span)
        taken = {preposition: wanted for preposition, wanted in row.args.items()}
        free = "by" not in taken
        args: dict[str, Type | None] = {}
        for preposition, value in node.args:
            if preposition not in taken and not (preposition == "by" and free):
                hint = f"it takes {or_list(taken)}" if taken else "it takes no preposition"
                self.report.add("E-ARG", f"'{node.word}' takes no '{preposition}'", value.span, hint=hint)
                self.check(value, scope)
                continue
            if taken.get(preposition, "").startswith("member"):
                self._member_name(value)
                continue
            args[preposition] = self.check(value, scope)
        self._twice(node)
        for preposition, wanted in taken.items():
            if not wanted.endswith("?") and preposition not in dict(node.args):
                self.report.add("E-ARG", f"'{node.word}' needs '{preposition} …'", span, hint=_example(row))
            elif preposition in args:
                self._primitive_arg(node, preposition, wanted.rstrip("?"), args[preposition])
        return self._primitive_operand(node, row, args, span, scope)

    def _member_name(self, value: t.Expression) -> None:
        if isinstance(value, t.Name) and value.name not in self.words.members:
            message = f"nothing has a field '{value.name}'"
            self.report.add("E-WORD", message, value.span, word=value.name, right=self.words.members)

    def _primitive_arg(self, node: t.Line, preposition: str, wanted: str, found: Type | None) -> None:
        value = node.arg(preposition)
        if found is None or value is None:
            return
        plain = found.kind in self.words.units | {"number", "flag", "text"} and not found.many
        if wanted in ("place", "zone", "thing", "things", "seat") and (
            plain or (wanted == "zone" and self.is_kind(found) and not found.many)
        ):
            places = wanted == "zone" and (self.words.related(found.kind, "place") or self.words.related(found.kind, "card"))
            if not places:
                self.report.add("E-TYPE", f"'{preposition}' takes a {wanted.rstrip('s')}, not {found}", value.span)
        elif wanted == "place" and found.kind in ("seat", "game", "ability", "die") and not found.many:
            hint = "name the zone: as in 's.hand'" if found.kind == "seat" else None
            self.report.add("E-TYPE", f"'{preposition}' takes a place, not {found}: nothing lies in it itself", value.span, hint=hint)
        elif wanted == "number" and (self.is_kind(found) or self.is_word(found) or found.kind in ("flag", "text", "zone")):
            self.report.add("E-TYPE", f"'{preposition}' takes a number, not {found}", value.span)

    def _primitive_operand(self, node: t.Line, row: Primitive, args: dict[str, Type | None], span: t.Span, scope: Scope) -> Type | None:
        operand = node.operand
        if row.operand == "none":
            if operand is not None:
                self.report.add("E-ARG", f"'{node.word}' takes no operand", operand.span)
                self.check(operand, scope)
            return None
        if operand is None:
            self.report.add("E-ARG", f"'{node.word}' needs what to {node.word}", span, hint=_example(row))
            return None
        if row.operand == "field":
            self._field(node, operand, scope)
            self._written(node, operand, args.get("to"))
            return None
        found = self.check(operand, scope)
        if row.operand == "die" and (not isinstance(operand, t.Name) or operand.name not in self.words.table.dice):
            if not isinstance(operand, t.Name) or not scope.holds(operand.name):
                word = operand.name if isinstance(operand, t.Name) else ""
                self.report.add("E-TYPE", f"'{node.word}' takes a die", operand.span, word=word, right=self.words.table.dice)
        elif row.operand in ("things", "thing") and found is not None and not isinstance(operand, t.Quantity):
            if found.kind in self.words.units | {"number", "flag", "text"}:
                self.report.add("E-TYPE", f"'{node.word}' takes things, not {found}", operand.span)
        elif (
            row.operand == "number"
            and found is not None
            and (self.is_kind(found) or self.is_word(found) or found.kind in ("flag", "text", "zone"))
        ):
            self.report.add("E-TYPE", f"'{node.word}' takes a number, not {found}", operand.span)
        held = node.word in ("place", "move") and self._held(node, found, scope)
        if node.word == "place" and not held:
            self._host(node, args.get("in"))
        if node.word == "draw":
            return self._drawn(node, args.get("from"))
        return found if node.word in ("place", "look") else None

    def _drawn(self, node: t.Line, source: Type | None) -> Type | None:
        held = self.element(source) if source is not None and source.kind == "zone" else None
        if held is None:
            return None
        return Type(held.kind, "?") if isinstance(node.operand, t.Number) and node.operand.value == 1 else Type(held.kind, "[]")

    def _host(self, node: t.Line, place: Type | None) -> None:
        """A marker goes only on what its kind allows."""
        operand = node.operand
        if not isinstance(operand, t.Quantity) or operand.unit is None:
            return
        kind = self.words.table.singular(operand.unit)
        if kind in self.words.table.kinds and not self.words.has_pool(kind):
            hint = "things of a definition are moved; only kinds with a 'limit' are placed from a pool"
            self.report.add("E-TYPE", f"there is no pool of {kind}: the kind has no limit", operand.span, hint=hint)
        if place is None or not self.is_kind(place):
            return
        info = self.words.table.kinds.get(self.words.table.singular(operand.unit))
        hosts = [*info.one_in, *(kind for _, kind in info.up_to)] if info else []
        if info is None or not hosts or not self.words.table.is_kind(info.name, "marker"):
            return
        if not any(self.words.related(place.kind, host) for host in hosts if host in self.words.table.kinds):
            message = f"{info.name} cannot lie in a {place.kind}, only in {or_list(hosts)}"
            where = node.arg("in")
            self.report.add("E-HOST", message, where.span if where is not None else node.span)

    def _held(self, node: t.Line, found: Type | None, scope: Scope) -> bool:
        """A zone takes what it holds. `zone.top` is an end of the zone here, not the thing that lies there. Yes if it is at fault."""
        where = node.arg("in" if node.word == "place" else "to")
        if where is None:
            return False
        end = where.member if isinstance(where, t.Get) and where.member in ("top", "bottom") else ""
        zone = self.type_of_zone(where.base if isinstance(where, t.Get) and end else where, scope)
        operand = node.operand
        unit = self.words.table.singular(operand.unit) if isinstance(operand, t.Quantity) and operand.unit else ""
        kind = unit if unit in self.words.table.kinds else found.kind if found is not None and self.is_kind(found) else ""
        if zone is None or not zone.of or not kind or self.words.related(kind, zone.of):
            return False
        name = where.base.name if isinstance(where, t.Get) and isinstance(where.base, t.Name) else "…"
        lies = f"({zone.of} at {name}).{'last' if end == 'top' else 'first'}"
        hint = f"'{end}' is an end of the zone; the thing that lies there is {lies}" if end else None
        self.report.add("E-HOST", f"{a(kind)} cannot lie in a zone that holds {zone.of}", where.span, hint=hint)
        return True

    def type_of_zone(self, node: t.Expression, scope: Scope) -> Type | None:
        """The type of what has been checked before, if it is a zone."""
        with self.report.quiet():
            found = self.check(node, scope)
        return found if found is not None and found.kind == "zone" else None

    def _written(self, node: t.Line, operand: t.Expression, found: Type | None) -> None:
        """`set x.f to v`: a value that no field of that name can hold."""
        value = node.arg("to")
        if node.word != "set" or found is None or value is None or not isinstance(operand, t.Get | t.Your):
            return
        members = [member for member in self.words.members.get(operand.member, []) if member.role == "field"]
        wanted = [t.TypeRef(member.type.kind, member.type.mark, span=operand.span) for member in members if member.type is not None]
        misfits = [self._misfit(found, one) for one in wanted]
        if misfits and len(wanted) == len(members) and all(misfits):
            self.report.add("E-TYPE", f"'{operand.member}' takes {misfits[0]}", value.span)

    def _field(self, node: t.Line, operand: t.Expression, scope: Scope) -> None:
        """`set`, `raise`, `lower` write fields, tracks, locals and `result`, never questions."""
        if isinstance(operand, t.Name):
            known = scope.holds(operand.name) or operand.name in self.words.table.tracks or operand.name == "result"
            if not known:
                right = scope.all_names() | set(self.words.table.tracks)
                message = f"'{operand.name}' is no field, track or local name: it cannot be written"
                self.report.add("E-TYPE", message, operand.span, word=operand.name, right=right)
        elif isinstance(operand, t.Get | t.Your):
            self.check(operand, scope)
            found = self.words.members.get(operand.member, [])
            if found and all(member.role == "query" for member in found):
                self.report.add("E-WRITE", f"'{operand.member}' is a question: it cannot be written", operand.span)
            elif not found and operand.member in ("place", "type", "title", "number", "owner", "position", "count"):
                self.report.add("E-WRITE", f"'{operand.member}' is answered by the kernel: it cannot be written", operand.span)
        else:
            self.check(operand, scope)
            self.report.add("E-TYPE", f"'{node.word}' takes a field or a local name", operand.span)


def _example(row: Primitive) -> str | None:
    """
    >>> _example(Primitive("move", "things", {"to": "place"}, "some", "", "move {0} to {to}", ""))
    'as in: move … to …'
    """
    return "as in: " + re.sub(r"\{\w+\}", "…", re.sub(r"\{(\w+)\|\w+\}", r"\1", row.text)) if row.text else None
