"""The tie policy: what falls to nobody's choice. `worst` compares what each candidate leads to, by the pack's harm order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nemesis.kernel.commit import note
from nemesis.kernel.frame import Pending
from nemesis.kernel.signal import Impossible, LoopFound, TrialEnd, Unknown
from nemesis.kernel.trial import Saved, Trial
from nemesis.lower.scope import Scope
from nemesis.world.thing import Ref
from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State


FORESIGHT = 4000
"""Fuel of one look into the future."""


def harm_functions(program: Program) -> list[Callable[..., Any]]:
    """The pack's harm lines as functions of the state; a greater number is worse."""
    if program.harm is None:
        program.harm = _order_functions(program, program.table.harms.get(program.ruleset.harm or "", ()), "harm")
    return program.harm


def hope_functions(program: Program) -> list[Callable[..., Any]]:
    """The pack's hope lines as functions of the state and the seat that hopes; a greater number is better."""
    if program.hope is None:
        program.hope = _order_functions(program, program.table.hopes.get(program.ruleset.hope or "", ()), "hope")
    return program.hope


def _order_functions(program: Program, lines: Sequence[t.Line], name: str) -> list[Callable[..., Any]]:
    found: list[Callable[..., Any]] = []
    for line in lines:
        writer = program.writer_class(program, Scope(), checked=True, event="None")
        if line.operand is None:
            continue
        text = writer.value(line.operand)
        sign = "-" if line.word == "less" else ""
        found.append(program.function(f"def h(S, you=None):\n    this = None\n    return {sign}int({text} or 0)", "h", name))
    return found


def harm(S: State) -> tuple[int, ...]:
    """How bad things are now, by the pack's harm order; a hidden number counts as 0."""
    values = []
    for function in harm_functions(S.program):
        try:
            values.append(function(S))
        except Unknown:
            values.append(0)
    return tuple(values)


def hope(S: State, seat: int) -> tuple[int, ...]:
    """How well things stand for a seat (0-based), by the pack's hope order, seen or not; empty if no pack says what to hope for."""
    you = S.program.world.seats[seat]
    return tuple([function(S, you) for function in hope_functions(S.program)])


def forecast(S: State, begin: Callable[[], None], view: int = -1) -> tuple[int, ...] | None:
    """The harm after running on to the next decision, chance or hidden fact, as a view can foresee it; None if it cannot be done at all."""
    from nemesis.kernel.run import advance

    saved = Saved(S)
    trial = Trial(view, 0)
    trial.records = len(S.records)
    S.trial = trial
    S.interest += 1
    S.fuel = FORESIGHT
    try:
        try:
            begin()
            advance(S)
        except (Unknown, TrialEnd):
            pass
        except (Impossible, LoopFound):
            return None
        if trial.ended:
            S.records.append(("end_game", None, {}))
        for frame in S.frames:
            if frame.kind == 1 and frame.stage <= 3 and not frame.ran:
                S.records.append((frame.verb, frame.step, dict(frame.args)))
        return harm(S)
    finally:
        saved.restore(S)


def choose_by_policy(S: State, f: Any, lid: int, slot: int, found: list[Any], single: bool, taken: list[Any], want: int = 1) -> Any:
    """One of several that nobody chooses between; none with a decision open if the policy asks a seat (for all that are wanted at once)."""
    if len(found) == 1:
        return found[0]
    policy = S.program.ruleset.policy
    if policy == "ask_in_turn_order" and S.trial is None:
        from nemesis.kernel.window import asking_order

        seat = asking_order(S)[0]
        sort = "choose_one" if single else "choose_some"
        S.pending = Pending(sort, seat, tuple(found), ("local", slot, single, tuple(taken)), "tie", lid, want, want)
        return None
    if policy != "worst" or S.trial is not None:
        return lowest(found)
    alike: dict[Any, Any] = {}
    for x in found:
        alike.setdefault(likeness(S, x), x)
    if len(alike) == 1:
        warn_tie(S, f, lid, found, len(alike))
        return lowest(found)
    pc = f.pc

    def begin_with(x: Any) -> Callable[[], None]:
        def begin() -> None:
            top: Any = S.frames[-1]
            top.locals[slot] = x if single else (*taken, x)
            top.pc = pc

        return begin

    ranking = [(forecast(S, begin_with(x)) or (), x) for x in alike.values()]
    worst = max(value for value, _ in ranking)
    tied = [x for value, x in ranking if value == worst]
    from nemesis.kernel.picking import choice_seats

    note(S, f, lid, "policy", tuple((x, value) for value, x in ranking), choice_seats(S, [x for _, x in ranking]))
    if len(tied) > 1:
        from nemesis.kernel.window import place_in_order

        acting = [x for x in tied if type(x) is Ref and S.program.acts[x]]
        if acting:
            warn_tie(S, f, lid, tied, len(tied))
            return min(acting, key=lambda x: (place_in_order(S, S.program.seat_of_thing(S, x)), int(x)))
        warn_tie(S, f, lid, tied, len(tied))
    return lowest(tied)


def choose_block(S: State, f: Any, lid: int, options: list[tuple[str, int]]) -> int:
    """The block that the policy takes among options nobody chooses between."""
    policy = S.program.ruleset.policy
    if policy != "worst" or S.trial is not None:
        return options[0][1]

    def begin_at(pc: int) -> Callable[[], None]:
        def begin() -> None:
            top: Any = S.frames[-1]
            top.pc = pc

        return begin

    ranking = [(forecast(S, begin_at(pc)) or (), label, pc) for label, pc in options]
    worst = max(value for value, _, _ in ranking)
    note(S, f, lid, "policy", tuple((label, value) for value, label, _ in ranking))
    tied = [(label, pc) for value, label, pc in ranking if value == worst]
    if len(tied) > 1:
        warn_tie(S, f, lid, [label for label, _ in tied], len(tied))
    return tied[0][1]


def warn_tie(S: State, f: Any, lid: int, found: list[Any], _n: int) -> None:
    if S.trial is None:
        if "W-POLICY-TIE" not in S.warnings:
            S.warnings.append("W-POLICY-TIE")
        note(S, f, lid, "warning", ("W-POLICY-TIE",))


def lowest(found: list[Any]) -> Any:
    return min(found, key=lambda x: (int(x) if isinstance(x, int) else 0, str(x)))


def likeness(S: State, x: Any) -> Any:
    """Things of one kind and definition, with equal fields, in one place, are alike."""
    if type(x) is not Ref:
        return x
    program = S.program
    world = program.world
    made = world.definition[x]
    fields = tuple(S.v[at] for at in program.addresses_of(x))
    return (world.kind[x], made.id if made is not None else None, S.place[x], fields, S.inside[x])


def expression_of(node: t.Line) -> t.Expression | None:
    return node.operand
