"""Patterns: the same words as a head, asked of an event (`A` its arguments, `X` its subject) or of a record."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from nemesis.lower.expression import ExpressionWriter
from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.lower.scope import Scope

SPECIAL = frozenset({"you", "this", "it", "none", "result", "actor", "source", "game"})


@attrs.define
class Matched:
    """Python texts: tests that must all hold, and what is bound if they do."""

    tests: list[str] = attrs.field(factory=list)
    binds: list[tuple[str, str, t.TypeRef | None]] = attrs.field(factory=list)
    batch: bool = False


def match_code(writer: ExpressionWriter, pattern: t.Pattern, *, after: bool = False) -> Matched:
    """Tests and bindings of a pattern, its verb and step apart (rules are looked up by those)."""
    matched = Matched()
    if pattern.operand is not None:
        _operand(writer, pattern.operand, matched)
    for preposition, arg in pattern.args:
        _argument(writer, f"A.get({preposition!r})", arg, matched, alive=after and preposition == "by")
    return matched


def event_verb(writer: ExpressionWriter, pattern: t.Pattern) -> tuple[str, str | None, str | None]:
    """(verb, step, action): an action's name as verb means `use` of it."""
    table = writer.table
    if pattern.verb in writer.program.action_names and pattern.verb not in table.verbs and pattern.verb not in writer.program.primitives:
        return "use", pattern.step, pattern.verb
    return pattern.verb, pattern.step, None


def did_code(writer: ExpressionWriter, pattern: t.Pattern) -> str:
    """`did(pattern)`: some record of what the event caused fits."""
    verb, step, action = event_verb(writer, pattern)
    writer.program.note_interest(verb, step)
    inner = ExpressionWriter(writer.program, writer.scope, checked=writer.checked, event=writer.event)
    inner.it = list(writer.it)
    matched = match_code(inner, pattern)
    tests = [f"r[0] == {verb!r}", f"r[1] == {step!r}"]
    if action is not None:
        tests.append(f"is_word(S, A.get('0'), {action!r})")
    loops = "for A in (r[2],) for X in subjects_of(A)"
    inner_tests = " and ".join(matched.tests) or "True"
    begun, fitting = " and ".join(tests[:2]), " and ".join([*tests[2:], inner_tests])
    return f"any([True for r in did_records(S, {writer.event}) if {begun} {loops} if {fitting}])"


def _operand(writer: ExpressionWriter, arg: t.PatternArg, matched: Matched) -> None:
    table = writer.table
    if isinstance(arg, t.Quantity):
        unit = table.singular(arg.unit or "")
        matched.tests.append(_about(writer, unit))
        amount = arg.amount
        if isinstance(amount, t.Name) and not writer.bound(amount.name):
            matched.binds.append((amount.name, "A.get('n')", None))
        else:
            matched.tests.append(f"(A.get('n') == {writer.value(amount)})")
        if unit in table.kinds:
            matched.binds.append((unit, "X", None))
        return
    if isinstance(arg, t.NamedArg | t.MarkedArg):
        _typed(writer, "X" if arg.type.mark not in ("*", "[]") else "A.get('0')", arg, matched, operand=True)
        return
    if isinstance(arg, t.Name) and not writer.bound(arg.name) and arg.name not in SPECIAL:
        word = table.singular(arg.name)
        if word in table.kinds:
            matched.tests.append(_about(writer, word))
            matched.binds.append((arg.name, "X", t.TypeRef(word, span=arg.span)))
            return
        if word in table.words.get("units", ()):
            matched.tests.append(f"(A.get('object') == {word!r})")
            return
        matched.tests.append(_equal(writer, "X", arg))
        return
    matched.tests.append(_equal(writer, "X", arg))


def _about(writer: ExpressionWriter, word: str) -> str:
    """The test of an event's object; in trials, the kind of an unseen thing is not read."""
    told = writer.checked and word in writer.table.kinds and not writer.program.only_a_kind(word, True)
    return f"object_is{'_c' if told else ''}(S, A, X, {word!r})"


def _argument(writer: ExpressionWriter, code: str, arg: t.PatternArg, matched: Matched, *, alive: bool) -> None:
    if isinstance(arg, t.NamedArg | t.MarkedArg):
        _typed(writer, code, arg, matched, operand=False, alive=alive)
        return
    if isinstance(arg, t.Name) and not writer.bound(arg.name) and arg.name not in SPECIAL:
        word = writer.table.singular(arg.name)
        if word in writer.table.kinds and not writer.program.is_spot(arg.name):
            _typed(writer, code, t.NamedArg(arg.name, t.TypeRef(word, span=arg.span), span=arg.span), matched, operand=False, alive=alive)
            return
    if isinstance(arg, t.Quantity):
        matched.tests.append(f"({code} == {writer.value(arg.amount)})")
        return
    matched.tests.append(_equal(writer, code, arg))
    if alive:
        matched.tests.append(f"alive_doer(S, {code})")


def _typed(
    writer: ExpressionWriter, code: str, arg: t.NamedArg | t.MarkedArg, matched: Matched, *, operand: bool, alive: bool = False
) -> None:
    name = arg.name if isinstance(arg, t.NamedArg) else arg.type.name
    mark = arg.type.mark
    if mark in ("*", "[]"):
        matched.batch = True
        matched.tests.append(f"all_of_kind(S, {code}, {writer.table.singular(arg.type.name)!r})")
    else:
        test = kind_test(writer, code, arg.type.name, operand=operand)
        if mark == "?":
            test = f"(is_none({code}) or {test})" if test else ""
        elif alive:
            matched.tests.append(f"alive_doer(S, {code})")
        if test:
            matched.tests.append(test)
    matched.binds.append((name, code, arg.type))


def kind_test(writer: ExpressionWriter, code: str, kind: str, *, operand: bool = False) -> str:
    """The test that a value is of a parameter's type; empty for numbers, words and flags."""
    kind = writer.table.singular(kind)
    if kind == "ability":
        return f"is_deed({code})"
    if kind not in writer.table.kinds:
        return "" if kind in ("number", "flag", "face", "quantity") else f"({code} is not None)"
    if kind in writer.program.modified_kinds:
        return f"is_kind(S, {code}, {kind!r})"
    if writer.checked and not writer.program.only_a_kind(kind, True):
        return f"isk_c(S, {code}, {writer.mask(kind)}, {kind!r})"
    return f"isk({code}, {writer.mask(kind)})"


def _equal(writer: ExpressionWriter, code: str, arg: t.Expression) -> str:
    if isinstance(arg, t.Name) and not writer.bound(arg.name) and arg.name not in SPECIAL:
        if writer.program.is_spot(arg.name):
            return f"is_value(S, {code}, {writer.name(arg.name)})"
        return f"is_word(S, {code}, {arg.name!r})"
    return f"is_value(S, {code}, {writer.value(arg)})"


def bind_types(scope: Scope, matched: Matched) -> list[str]:
    """Statements that store what a pattern binds into the rule's locals."""
    lines: list[str] = []
    for name, code, type_ in matched.binds:
        if name in scope.slots and f"L[{scope.slots[name]}] = " in "".join(lines):
            continue
        lines.append(f"L[{scope.add(name, type_)}] = {code}")
    return lines
