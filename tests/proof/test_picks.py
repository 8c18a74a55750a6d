"""What is picked by an order, by chance or by the tie policy is in the journal, with all that could have been picked. Cites RET-GOLD-14."""

from __future__ import annotations

from typing import Any

import pytest

from nemesis.entry import Entry, entries
from nemesis.explanation import explain
from nemesis.kernel import decide
from nemesis.pack_tests import FileRunner, TestRun
from nemesis.world.thing import Stale
from rulescript import tree as t
from rulescript.pack.load import load_packs
from rulescript.syntax.parse import parse_text

from .playing import CLASSIC_2, RETALIATION_3, Setting, answers

HUNT = """test "two stand equally near" {
  given "game first_seat officer; place room 5 b2: adult; place room 6 b3: recon; place room 7 b1: officer"
  given "place corridor 304 b2-b3; place corridor 404 b1-b2"
  advance (intruder at b2) from b2
}
"""
NOISE = """test "four stand in the corridor" {
  given "place room 5 b2: recon; place corridor 304 b2-b3: adult 3, larva 1"
  noise_number in b2 via corridor#304 by recon
}
"""


def played(text: str) -> TestRun:
    parsed = parse_text(text, "picks_test.nrs", cached=False)
    (node,) = [item.node for item in parsed.items if isinstance(item.node, t.Test)]
    problems: list[str] = []
    run = TestRun(FileRunner(load_packs(["retaliation/base"]), "retaliation/base", ["noise_test.nrs"], ()), node, problems)
    run.run()
    assert not problems, problems
    return run


def picks(run: TestRun) -> list[Entry]:
    return [entry for entry in entries(run.S, None, 0, "events") if entry.event == "take"]


def test_the_hunted_one_is_told_with_the_other() -> None:
    """RET-GOLD-14, RET-IMOVE-09: the line cites the rule and lists both."""
    run = played(HUNT)
    (hunt,) = [entry for entry in picks(run) if "RET-IMOVE-09" in entry.rules]
    assert hunt.args["what"] == ["closest", "order", ["officer"]]
    assert hunt.args["among"] == [["officer"], ["recon"]]
    assert "turn order" in hunt.text and "Recon" in hunt.text


def test_the_largest_is_told_with_the_others_and_why_says_so() -> None:
    run = played(NOISE)
    (comer,) = [entry for entry in picks(run) if entry.args["what"][0] == "comer"]
    assert [name for (name,) in comer.args["among"]] == ["adult#1", "adult#2", "adult#3", "larva#1"]
    moved = next(raw for raw in run.S.journal if raw[1] == "move" and raw[0] > comer.seq)
    assert any(comer.text in line for line in explain(run.S, moved, None))


@pytest.mark.parametrize("setting", [RETALIATION_3, CLASSIC_2], ids=["retaliation", "classic"])
def test_no_pick_of_a_game_is_silent(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each choice that asked nobody has one entry, and that names all candidates, the taken ones first."""
    real = decide.choose
    problems: list[str] = []
    seen: dict[str, int] = {}

    def choose(S: Any, f: Any, lid: int, slot: int, candidates: Any, *rest: Any, **more: Any) -> int:
        if S.undo is not None:
            return real(S, f, lid, slot, candidates, *rest, **more)
        before = len(S.journal)
        done = real(S, f, lid, slot, candidates, *rest, **more)
        there = [x for x in candidates if x is not None and type(x) is not Stale]
        if done == decide.TAKEN and f.locals[slot] not in (None, ()):
            (entry,) = [raw for raw in S.journal.since(before) if raw[1] == "take"]
            name, how, taken, ranks = entry[5][:4]
            seen[how] = seen.get(how, 0) + 1
            told = [x for group in ranks for x in group]
            strict = rest[6]  # then those with which the rest cannot be done have fallen out before
            if len(there) > 1 and how != "forced" and not (set(told) <= set(there) if strict else set(told) == set(there)):
                problems.append(f"{name}: {told} of {there}")
            if told and how == "order" and set(told[: len(taken)]) != set(taken):
                problems.append(f"{name}: {taken} is not first of {told}")
        return done

    monkeypatch.setitem(setting.begin(11).program.namespace, "choose", choose)
    for seed in range(11, 14):
        for _ in answers(setting.begin(seed), seed):
            assert not problems
        assert not problems
    assert seen["forced"] > 3 and seen.get("order", 0) + seen.get("policy", 0) + seen.get("chance", 0) > 0, seen
