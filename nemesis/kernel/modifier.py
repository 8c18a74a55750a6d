"""Modifiers: what lies on top of the base value of a question, in a fixed order of operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nemesis.kernel.reading import minus_set, owner, union
from nemesis.world.thing import Deed, Ref, Stale, Value

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.kernel.rule import ModifyRule
    from nemesis.state import State

ORDER = {"=": 0, "+": 1, "-": 1, "|": 2, "except": 3, "at_least": 4, "at_most": 5}


def in_force(program: Program, S: State, name: str, x: Value, args: tuple[Any, ...], checked: bool) -> list[tuple[ModifyRule, Value]]:
    """(modifier, its value) of everything that bends this question now, in order of application."""
    found: list[tuple[tuple[int, ...], ModifyRule, Value]] = []
    for rule in program.modifiers.get(name, ()):
        for this in rule.holder.live(program, S):
            you = None if this is None else owner(S, this) or (this if type(this) is Ref and program.owns[this] else None)
            _consider(program, S, rule, x, args, this, you, None, checked, found)
    for lasting in S.lasting:
        for rule in program.untils[lasting.until][2]:
            if rule.node.member == name:
                _consider(program, S, rule, x, args, lasting.this, lasting.you, lasting.locals, checked, found)
    found.sort(key=lambda item: item[0])
    return [(rule, value) for _, rule, value in found]


def _consider(
    program: Program,
    S: State,
    rule: ModifyRule,
    x: Value,
    args: tuple[Any, ...],
    this: Value,
    you: Value,
    kept: list[Value] | None,
    checked: bool,
    found: list[tuple[tuple[int, ...], ModifyRule, Value]],
) -> None:
    node = rule.node
    receiver = node.receiver
    if receiver == "this":
        if x != this:
            return
    elif receiver == "your":
        if x != you or you is None:
            return
    elif type(x) is Ref:
        if receiver != "thing" and not program.world.mask(receiver)[x]:
            return
    elif type(x) is str:
        if not program.word_below(x, receiver):
            return
    elif type(x) is Deed and receiver != "ability":
        return
    for (_, type_), arg in zip(node.params, args, strict=False):
        if type_.name in program.table.kinds and not (type(arg) is Ref and program.world.mask(type_.name)[arg]):
            return
    if not rule.guarded(S, this, you):
        return
    value, condition = rule.written(checked)
    if condition is not None and not condition(S, you, this, x, kept, *args):
        return
    rank = -rule.source.rank if node.op == "=" else rule.source.rank
    found.append(((ORDER[node.op], rank, rule.index), rule, value(S, you, this, x, kept, *args)))


def apply(op: str, base: Any, value: Any) -> Any:
    """One modifier on a value.

    >>> apply("+", 2, 3), apply("at_most", 5, 3), apply("|", ("a",), "b")
    (5, 3, ('a', 'b'))
    """
    if op == "=":
        return value
    if op == "+":
        return (base or 0) + (value or 0)
    if op == "-":
        return (base or 0) - (value or 0)
    if op == "|":
        return union(base, value)
    if op == "except":
        return minus_set(base, value)
    if op == "at_least":
        return max(base or 0, value or 0)
    return min(base or 0, value or 0)


def any_live(program: Program, S: State, name: str) -> bool:
    """Whether some modifier of a question stands where it lives now."""
    found: bool | None = S.memo.get(name)
    if found is None:
        found = S.memo[name] = any(rule.holder.live(program, S) for rule in program.modifiers.get(name, ()))
    return found


def modified(program: Program, name: str, base: Callable[..., Any], answers: list[Callable[..., Any]], checked: bool) -> Callable[..., Any]:
    """The question with its modifiers; `answers` are the functions that answer it for each thing, `base` answers for anything else."""

    def answer(S: Any, x: Any, *args: Any) -> Any:
        value = (answers[x] if type(x) is Ref else base)(S, x, *args)
        if x is None or type(x) is Stale or not (S.lasting or any_live(program, S, name)):
            return value
        fixed = False
        for rule, change in in_force(program, S, name, x, args, checked):
            op = rule.node.op
            if op == "=":
                if fixed:
                    continue
                fixed = True
            value = apply(op, value, change)
        return value

    return answer


def kinds_of(S: State, x: Ref) -> tuple[str, ...]:
    """The kinds of a thing with what modifiers add."""
    program = S.program
    kinds: Any = program.world.kinds[x]
    for rule, change in in_force(program, S, "kinds", x, (), False):
        kinds = apply(rule.node.op, kinds, change)
    return tuple(kinds)
