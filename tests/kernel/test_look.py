"""A look at an action (nemesis.kernel.look) never says other than the trial that it saves."""

from __future__ import annotations

import random
from typing import Any

import pytest

from nemesis.game import Game
from nemesis.kernel import decide, look, trial
from nemesis.kernel.offer import deed_cost


def play(pack: str, seats: int, seed: int) -> int:
    rng = random.Random(seed)
    game = Game.new([pack], [f"s{n}" for n in range(seats)], seed)
    decisions = 0
    while (pending := game.state.pending) is not None:
        if pending.kind in ("choose_some", "order"):
            game.answer_index(tuple(rng.sample(range(len(pending.options)), rng.randint(pending.minimum, pending.maximum))))
        else:
            game.answer_index(rng.randrange(len(pending.options)))
        decisions += 1
    return decisions


@pytest.mark.parametrize(("pack", "seats"), [("retaliation/base", 3), ("classic/base", 2)])
def test_looks_agree_with_trials(pack: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    differences: list[Any] = []
    looked = {look.NO: 0, look.MAYBE: 0, look.OPEN: 0, look.YES: 0}
    verdict, on, possible = look.Look.verdict, look.look_on, decide.possible
    slots: list[int] = []

    def checked_verdict(self: look.Look, S: Any, deed: Any, who: Any, eyes: trial.Trial) -> int:
        found, seat = verdict(self, S, deed, who, eyes), eyes.view
        looked[found] += 1
        tried = trial.try_ability(S, deed, who, seat)[0]
        cost = deed_cost(S, deed)
        payable = cost <= 0 or trial.try_payment(S, deed, who, cost, seat) != "no"
        if (found == look.NO and tried != "no") or (found >= look.OPEN and tried == "no" and payable):
            differences.append((self.action.address, found, tried))
        return found

    def checked_on(S: Any, at: Any, f: Any, x: Any, seat: int) -> int:
        found = on(S, at, f, x, seat)
        tried = trial.try_local(S, slots[-1], x, f.pc, seat)
        if (found == look.NO and tried != "no") or (found >= look.OPEN and tried == "no"):
            differences.append((S.program.actions[at[0]].address, at[1], found, tried))
        return found

    def noted(S: Any, f: Any, slot: int, *rest: Any) -> Any:
        slots.append(slot)
        return possible(S, f, slot, *rest)

    monkeypatch.setattr(look.Look, "verdict", checked_verdict)
    monkeypatch.setattr(look, "look_on", checked_on)
    monkeypatch.setattr(decide, "possible", noted)
    monkeypatch.setattr(decide, "not_impossible", lambda S, f, candidates, *rest: candidates)  # trials that know nothing of looks
    for seed in range(8):
        play(pack, seats, seed)
    assert differences == []
    assert looked[look.NO] > 20 and looked[look.YES] > 20
    if pack == "retaliation/base":  # looks are there to spare trials: few may be left to them
        assert looked[look.MAYBE] < 0.05 * sum(looked.values())
