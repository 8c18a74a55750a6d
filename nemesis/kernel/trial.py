"""Trials: running on from here without consequences, to learn whether something can be done or what it would lead to.

A trial runs in place; every write is noted in an undo log and taken back. It stops at chance, at what its view does not see and at the
decisions of others (`Unknown`), so that its verdict is a function of what the view sees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nemesis.kernel import decide, offer, proposal
from nemesis.kernel.frame import Event, Frame
from nemesis.kernel.signal import ContentError, Impossible, LoopFound, TrialEnd, Unknown
from nemesis.kernel.verdict import MAYBE, NO, YES
from nemesis.state import MISSING, copy_frames, next_map_version
from nemesis.world.thing import Deed, Ref

if TYPE_CHECKING:
    from nemesis.state import State

LEAVES = 64


class Trial:
    """The question put to a trial: whose view, and where it may end.

    Looks use one too: `deed` is what is to be paid for, `brief` 1 while a look leaves out what takes longer, 2 once it left something out,
    `looking` the abilities that a look has gone into.
    """

    __slots__ = ("view", "floor", "mark", "leaves", "ended", "records", "quick", "branched", "full", "done", "deed", "brief", "looking")

    def __init__(self, view: int, floor: int, mark: tuple[int, int] | None = None, *, quick: bool = False) -> None:
        self.view = view
        self.floor = floor
        self.mark = mark
        self.leaves = LEAVES
        self.ended = False
        self.records = 0
        self.quick = quick
        self.branched = False
        self.full = False
        self.done = False
        self.deed: Deed | None = None
        self.brief = 0
        self.looking: list[tuple[Any, ...]] = []


class Saved:
    """What an undo log does not cover: frames, scalars, small maps."""

    def __init__(self, S: State, floor: int = 0) -> None:
        self.frames = S.frames
        self.lasting = S.lasting
        self.periods = S.periods
        self.pending = S.pending
        self.done = S.done
        self.result = S.result
        self.commits = S.commits
        self.interest = S.interest
        self.records = len(S.records)
        self.ended = S.ended
        self.dirty = S.dirty
        self.fuel = S.fuel
        self.map_version = S.map_version
        self.distances = S.distances
        self.undo = S.undo
        self.trial = S.trial
        self.winners = S.winners
        self.memo = S.memo
        S.memo = {}
        S.frames = copy_frames(S.frames, floor)
        S.lasting = [one.copy() for one in S.lasting]
        S.periods = S.periods.copy()
        S.pending = None
        S.undo = []

    def restore(self, S: State) -> None:
        roll_back(S, 0)
        S.frames = self.frames
        S.lasting = self.lasting
        S.periods = self.periods
        S.pending = self.pending
        S.done = self.done
        S.result = self.result
        S.commits = self.commits
        S.interest = self.interest
        del S.records[self.records :]
        S.ended = self.ended
        S.dirty = self.dirty
        S.fuel = self.fuel
        S.map_version = self.map_version
        S.distances = self.distances
        S.undo = self.undo
        S.trial = self.trial
        S.winners = self.winners
        S.memo = self.memo  # what was remembered of the state before holds for it again


def roll_back(S: State, size: int) -> None:
    undo = S.undo
    assert undo is not None
    S.memo.clear()
    while len(undo) > size:
        column, key, value = undo.pop()
        if value is MISSING:
            del column[key]
        elif type(column) is Frame or type(column) is Event:
            setattr(column, key, value)
        else:
            column[key] = value


def run_trial(S: State, trial: Trial, begin: Callable[[], None]) -> tuple[str, str]:
    """(verdict, reason): `no`, `yes` or `unknown`; the state is as before afterwards."""
    found = _one_run(S, trial, begin)
    if found[0] == "no" and trial.branched:
        # The first way through was impossible: look at the others as well.
        trial.full = True
        found = _one_run(S, trial, begin)
    return found


def _one_run(S: State, trial: Trial, begin: Callable[[], None]) -> tuple[str, str]:
    saved = Saved(S, trial.floor)
    S.trial = trial
    if trial.quick and (S.program.strict_bans or any(rule.strict for one in S.lasting for rule in S.program.untils[one.until][1])):
        trial.quick = False
    S.fuel = min(S.purse, 4000)
    trial.leaves = int(S.options.get("leaves", LEAVES))
    before = S.fuel
    try:
        begin()
        verdict = explore(S)
        return verdict, ""
    except Impossible as stop:
        return "no", stop.because
    except Unknown:
        return "unknown", ""
    except TrialEnd:
        return "yes", ""
    except LoopFound:
        return "unknown", "W-TRIAL"
    finally:
        S.purse -= max(before - S.fuel, 0)
        saved.restore(S)


def explore(S: State) -> str:
    """Run on; at an own decision try the options in order until one is not impossible."""
    from nemesis.kernel.run import advance

    trial = S.trial
    assert trial is not None
    advance(S)
    pending = S.pending
    if pending is None:
        trial.done = S.done
        return "yes"
    if pending.seat != trial.view:
        return "unknown"
    if pending.kind == "action":
        return "yes"
    assert S.undo is not None
    if not trial.full:
        found = answers(pending)
        trial.branched = trial.branched or len(found) > 1
        return go_on(S, found[0])
    mark = len(S.undo)
    verdict = "no"
    for choice in answers(pending):
        trial.leaves -= 1
        if trial.leaves < 0:
            return "unknown"
        kept = keep(S)
        try:
            verdict = go_on(S, choice)
        except Impossible:
            verdict = "no"
        if verdict != "no":
            return verdict
        bring_back(S, kept, mark)
    return "no"


def go_on(S: State, choice: Any) -> str:
    decide.apply(S, choice)
    return explore(S)


def answers(pending: Any) -> list[Any]:
    """A few answers to an open decision: each single one; the first legal set of several."""
    n = len(pending.options)
    if pending.kind in ("choose_some", "order"):
        if pending.minimum == 0:
            return [(), *((i,) for i in range(n))][: 1 + n * pending.maximum]
        first = tuple(range(pending.minimum))
        last = tuple(range(n - pending.minimum, n))
        return [first] if first == last else [first, last]
    return list(range(n))


def keep(S: State) -> tuple[Any, ...]:
    frames = S.frames
    S.frames = copy_frames(frames, S.trial.floor if S.trial is not None else 0)
    return (
        frames, [one.copy() for one in S.lasting], dict(S.periods), S.pending, S.done, S.result, S.commits, S.interest, len(S.records),
        S.ended, S.dirty,
    )  # fmt: skip


def bring_back(S: State, kept: tuple[Any, ...], mark: int) -> None:
    roll_back(S, mark)
    (S.frames, S.lasting, S.periods, S.pending, S.done, S.result, S.commits, S.interest, records, S.ended, S.dirty) = kept
    del S.records[records:]
    S.map_version = next_map_version()
    S.distances = {}


def ability_floor(S: State) -> int:
    """The height of the stack at which the running ability's body has ended."""
    for at in range(len(S.frames) - 1, -1, -1):
        frame = S.frames[at]
        if frame.kind == 1 and frame.verb == "use":
            return at
    return max(len(S.frames) - 1, 0)


def try_ability(S: State, deed: Deed, who: Ref, view: int) -> tuple[str, str]:
    """Whether an action can be done, from announcement through payment to its end."""
    floor = len(S.frames)

    def begin() -> None:
        f = S.frames[-1]
        offer.push_use(S, deed, who, None, 0, f.chain, deed, True)

    return run_trial(S, Trial(view, floor, quick=True), begin)


def try_payment(S: State, deed: Deed, who: Ref, cost: int, view: int) -> str:
    """Whether a cost can be paid by the rule set's procedure."""
    program = S.program
    verb = program.ruleset.pay
    if verb is None:
        return "yes"
    look = program.looks.of_payment()
    if look is not None and S.trial is None:
        seen = look.verdict(S, deed, who, cost, view)
        if seen != MAYBE:
            return "no" if seen == NO else "yes" if seen == YES else "unknown"
    trial = Trial(view, len(S.frames))

    def begin() -> None:
        f = S.frames[-1]
        S.done = False
        proposal.call(S, f, -1, program.heads_for(verb, None), {"for": deed, "by": who, "with": cost}, False)

    verdict = run_trial(S, trial, begin)[0]
    return "no" if verdict == "yes" and not trial.done else verdict


def try_local(S: State, slot: int, value: Any, pc: int, view: int) -> str:
    """Whether the running ability can be done to its end with a value bound to a local."""

    def begin() -> None:
        f: Any = S.frames[-1]
        f.locals[slot] = value
        f.pc = pc

    return run_trial(S, Trial(view, ability_floor(S), quick=True), begin)[0]


def try_block(S: State, pc: int, view: int) -> str:
    def begin() -> None:
        f: Any = S.frames[-1]
        f.pc = pc

    return run_trial(S, Trial(view, ability_floor(S)), begin)[0]


def can_do(S: State, f: Any, pc: int, end: int) -> bool:
    """`try`: whether the block at `pc` can be done in full as far as everybody can see."""
    depth = len(S.frames)

    def begin() -> None:
        f: Any = S.frames[-1]
        f.pc = pc

    view = S.trial.view if S.trial is not None else -1
    return run_trial(S, Trial(view, depth - 1, (depth, end)), begin)[0] != "no"


def try_end(S: State, f: Any, pc: int) -> None:
    """The end of a `try` block: where its trial ends."""
    if S.trial is not None and S.trial.mark == (len(S.frames), pc):
        raise TrialEnd


def why_not(S: State, begin: Callable[[], None], view: int, floor: int) -> tuple[str, str]:
    try:
        return run_trial(S, Trial(view, floor), begin)
    except ContentError as error:
        return "no", str(error)
