"""The machine: run the frame on top until a decision is open or nothing is left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.event import run_event
from nemesis.kernel.frame import BODY
from nemesis.kernel.proposal import enter
from nemesis.kernel.signal import LoopFound

if TYPE_CHECKING:
    from nemesis.state import State


def advance(S: State, floor: int = 0) -> None:
    """Run until a decision is open, the game is over, or the stack has come down to a floor (a trial brings its own).

    Raises `LoopFound` when the fuel of this decision is used up.
    """
    trial = S.trial
    if trial is not None:
        floor = trial.floor
    checked = trial is not None
    quick = trial is not None and trial.quick
    seen = S.commits
    while S.pending is None:
        frames = S.frames
        if len(frames) <= floor:
            return
        if quick and S.commits != seen:
            seen = S.commits
            if assured(S, floor):
                return
        f: Any = frames[-1]
        S.fuel -= 1
        if S.fuel < 0:
            raise LoopFound("the fuel of this decision is used up", cycle(S))
        if f.kind == 1:
            run_event(S, f)
            continue
        code = f.code
        blocks = code.checked if checked else code.plain
        if blocks is None:
            blocks = code.lower(checked)
        locals_ = f.locals
        pc = f.pc
        while pc >= 0:
            pc = blocks[pc](S, f, locals_)


def assured(S: State, floor: int) -> bool:
    """Whether nothing that a trial could still meet can make the ability impossible: every strict line that is left is already done."""
    frames = S.frames
    last = len(frames) - 1
    for at in range(floor, len(frames)):
        frame = frames[at]
        if frame.kind == 1 or not frame.code.strict:
            continue
        if at == last:
            return not (frame.code.beyond if S.done else frame.code.risky).get(frame.pc, True)
        if frame.code.beyond.get(frame.pc, True) or frame.pay is not None:
            return False
        above: Any = frames[at + 1]
        if above.kind == 1:
            if at + 1 == last:  # its body has ended, and the line is as done as that
                return not above.quiet and bool(above.done if above.stage > BODY else above.ran and S.done)
            if above.stage < BODY or (above.stage == BODY and not above.ran) or at + 2 > last or frames[at + 2].kind == 1:
                return False
            above = frames[at + 2]
        if above.quiet or above.code.strict:
            if above.code.strict and above.shared < 0:
                continue
            return False
        done = above.code.done
        if above.shared >= 0 or not (done == "none" or (done == "some" and S.commits > above.commits)):
            return False
    return True


def cycle(S: State) -> tuple[str, ...]:
    """The rules and procedures on the stack, outermost first, without repeats in a row."""
    names: list[str] = []
    for frame in S.frames:
        name = frame.code.address if frame.kind == 0 else f"{frame.verb}{'.' + frame.step if frame.step else ''}"
        if not names or names[-1] != name:
            names.append(name)
    return tuple(names[-12:])


class Root:
    """Stands in for a calling frame where the kernel itself starts a procedure."""

    kind = 2
    chain = None
    this = None
    you = None


ROOT = Root()


def push_procedure(S: State, verb: str) -> None:
    """Start a procedure without arguments from nowhere."""
    from nemesis.kernel.proposal import call

    program = S.program
    head = program.table.verbs[verb][0]
    lid = program.add_line(f"{head.source.pack}:{verb}", head.node.notes.cites, head.node.span)
    if program.needs_event(head):
        call(S, ROOT, lid, (head,), {}, False)
    else:
        enter(S, ROOT, lid, head, [None] * len(program.slots_of(head)))
