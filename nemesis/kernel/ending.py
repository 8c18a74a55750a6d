"""How a game ends: `end_game`, the rule set's `over` question, its `ending` procedure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.commit import note
from nemesis.kernel.signal import TrialEnd

if TYPE_CHECKING:
    from nemesis.state import State


def do_end_game(S: State, f: Any, lid: int, because: str) -> int:
    """Cut the stack to its root; no `after` rule of what is cut runs; then the `ending` procedure starts. A second one ends the program."""
    note(S, f, lid, "end_game", (because,))
    S.commits += 1
    if S.interest:
        S.records.append(("end_game", None, {}))
    if S.trial is not None:
        S.trial.ended = True
        raise TrialEnd
    end(S)
    return -1


def end(S: State) -> None:
    S.frames.clear()
    S.lasting.clear()
    S.memo.clear()
    S.records.clear()
    S.interest = 0
    S.ended += 1
    S.barrier += 1
    ending = S.program.ruleset.ending
    if S.ended == 1 and ending is not None and ending in S.program.table.verbs and not S.program.bare:
        from nemesis.kernel.run import push_procedure

        push_procedure(S, ending)


def check_over(S: State) -> None:
    """Ask the rule set's `over` question after a change."""
    S.dirty = False
    over = S.program.ruleset.over
    if over is None or S.ended or S.program.bare and not S.program.over_in_tests:
        return
    name = over.split(".")[-1]
    if S.program.ask(S, name, S.program.world.game):
        note(S, None, -1, "over", (over,))
        if S.trial is not None:
            S.trial.ended = True
            raise TrialEnd
        end(S)
