"""Coverage: what a test does not reach is missed, line by line and way by way; watching changes no game."""

from __future__ import annotations

from pathlib import Path

import pytest

from nemesis.coverage import FIRST, Coverage, Share
from nemesis.pack_tests import run_tests
from nemesis.programs import new_program, packs_of
from rulescript.pack.load import load_packs
from tests.kernel.walked import journal_with
from tests.proof.playing import FOREST_3

MANIFEST = 'id: tiny/den\ntitle: "Den"\nversion: 0.1.0\nlanguage: 1\nkind: base\nruleset: {main: play, pay: pay}\n'
WORLD = """words units with [health]
kind den is place { shows all }
kind path is place { }
map ground { nodes den; links path; node d1; node d2; link d1 to d2 }
kind imp { acts; owns; has seat: seat?; has health: health = 5; has calm: flag = no; has sad: flag = no;  }
kind coin is marker { limit 3 }
imp "Ann" { }
procedure play { }
procedure pay for ability by imp with n: number { }
"""
# What is written, lines that reach a part of it, what they miss (its way and its first words), lines that reach that.
CASES = {
    "an arm": ("procedure go by imp { if your calm { set your sad to yes } else { set your sad to no } }",
               "go by ann", ["ran: set your sad to yes"], "set ann.calm to yes; go by ann"),
    "an arm that is not written": ("procedure go by imp { if your calm { set your sad to yes } }",
               "set ann.calm to yes; go by ann", ["not: if your calm"], "set ann.calm to no; go by ann"),
    "an arm with calls": ("procedure nap { done none }\nprocedure go by imp { if your calm { nap } }",
               "set ann.calm to yes; go by ann", ["not: if your calm"], "set ann.calm to no; go by ann"),
    "an empty else": ("procedure go by imp { return coin at d1 else { } }",
               "go by ann", [], ""),
    "a row and its guard": ("procedure go by imp { match your health {\n row 5 { }\n row 4 if your calm { }\n row else { }\n} }",
               "go by ann", ["ran: { }", "not: row 4 if", "ran: { }"],
               "set ann.health to 4; go by ann; set ann.calm to yes; go by ann"),
    "an option and its guard": (
               'procedure go by imp { either {\n option "a" if not your calm { }\n option "b" { set your sad to yes }\n} }',
               "answer ann with [a]; go by ann", ["not: option", "ran: set your sad"], "set ann.calm to yes; go by ann"),
    "a may": ('procedure go by imp { may "nap" { set your sad to yes } }',
               "answer ann with [yes]; go by ann", ["declined: may"], "answer ann with [no]; go by ann"),
    "a try": ("procedure go by imp { try { return coin at d1 } }",
               "go by ann", ["ran: return coin"], "place 1 coin in d1; go by ann"),
    "a require in an action": ('action beg "Beg" cost 1 { require your calm because "not calm"; set your sad to yes }\n'
               'action idle "Idle" cost 0 { }',
               "answer ann with [idle]; act by ann", ["ran: require", "ran: set your sad"],
               "set ann.calm to yes; answer ann with [beg]; act by ann"),
    "a loop": ("procedure go { each coin by lowest_number { return coin } }",
               "go", ["ran: return coin"], "place 1 coin in d1; go"),
    "a rule and its guard": ("procedure nap by imp { done none }\nafter nap by imp if imp.calm { }",
               "nap by ann", ["ran: { }"], "set ann.calm to yes; nap by ann"),
    "a rule that is offered": (
               'procedure nap by imp { done none }\nkind imp { may after nap by this because "cry" { set this.sad to yes } }',
               "answer ann with [yes]; nap by ann", ["declined: may after"], "answer ann with [no]; nap by ann"),
    "a ban": ("procedure nap by imp { done none }\nforbid nap by imp if imp.calm",
               "nap by ann", ["met: forbid"], "set ann.calm to yes; nap by ann"),
    "a ban without a guard": ("procedure nap by imp { done none }\nprocedure doze by imp { until doze { forbid nap by imp }\n nap }",
               "nap by ann", ["ran: until", "met: forbid", "ran: nap"], "doze by ann"),
    "a modifier": ("query imp.speed: number { give 3 }\nmodify imp.speed + 1 if it.calm",
               "expect ann.speed = 3", ["ran: modify"], "set ann.calm to yes; expect ann.speed = 4"),
    "a computed flag": ("query imp.fit: flag { give this.health is at least 3 }",
               "expect ann.fit", ["no: give"], "set ann.health to 2; expect not ann.fit"),
    "a flag that is replaced": ("query imp.fit: flag { give yes }\nmodify imp.fit = (it.health is at least 3)",
               "expect ann.fit", ["no: modify"], "set ann.health to 2; expect not ann.fit"),
    "an arm of a question": ("query imp.worth: number { if this.calm { give 1 }\n give 2 }",
               "expect ann.worth = 2", ["ran: give 1"], "set ann.calm to yes; expect ann.worth = 1"),
}  # fmt: skip


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny/den"
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    return folder


def missed(folder: Path, content: str, *tests: str) -> list[str]:
    """The way and the words of each place of the content that the tests miss."""
    written = "".join(f'test "{n}" {{ given "in d1: ann"; {lines} }}\n' for n, lines in enumerate(tests))
    (folder / "content.nrs").write_text(content, encoding="utf-8")
    (folder / "world.nrs").write_text(WORLD, encoding="utf-8")
    (folder / "world_test.nrs").write_text(written, encoding="utf-8")
    loaded = load_packs(["tiny/den"], [folder.parent.parent])
    assert [one.message for one in loaded.diagnostics] == []
    coverage = Coverage((node, source) for node, source in loaded.nodes() if source.file == "content.nrs")
    results = run_tests(["tiny/den"], [folder.parent.parent], coverage=coverage)
    assert [one.problems for one in results if one.problems] == []
    return [f"{one.way}: {content.splitlines()[one.line - 1][one.column - 1 :]}" for one in coverage.missed()]


@pytest.mark.parametrize("name", CASES)
def test_what_is_missed(pack: Path, name: str) -> None:
    content, some, left, rest = CASES[name]
    found = missed(pack, content, some)
    assert len(found) == len(left) and all(one.startswith(start) for one, start in zip(found, left, strict=True)), found
    assert missed(pack, content, some, *[rest] * bool(rest)) == []


def test_a_requirement_that_always_holds(pack: Path) -> None:
    content = 'action beg "Beg" cost 1 { require your calm because "not calm"; set your sad to yes }\n'
    assert [one.partition(":")[0] for one in missed(pack, content, "set ann.calm to yes; act by ann")] == ["refused"]


def test_what_runs_in_a_trial_only_is_missed(pack: Path) -> None:
    content = (
        'action hide "Hide" cost 1 { place 1 coin in d1; return coin at your place; place 4 coins in d1 }\naction idle "Idle" cost 0 { }'
    )
    found = missed(pack, content, "answer ann with [idle]; act by ann")
    assert len([one for one in found if one.startswith("ran: ")]) == 3


def test_shares_are_cut_not_rounded() -> None:
    assert Share(2, 3).text == "2 of 3, 66.6 %" and Share(1999, 2000).text == "1999 of 2000, 99.9 %"


def test_what_others_reached_is_added(pack: Path) -> None:
    (pack / "world.nrs").write_text(WORLD, encoding="utf-8")
    items = load_packs(["tiny/den"], [pack.parent.parent]).nodes()
    first, second = Coverage(items), Coverage(items)
    assert len(first.places) == len(first.missed()) == 2
    second.ran(S=_OutOfTrial(), number=FIRST)  # type: ignore[arg-type]
    first.add(second.reached)
    assert [place.title for place in first.missed()] == ["pay"]
    assert first.shares(lambda place: place.sort) == {"procedure": Share(1, 2)}


class _OutOfTrial:
    trial = None


def test_watching_changes_no_game() -> None:
    loaded = packs_of((FOREST_3.pack,), FOREST_3.roots)
    program = new_program(loaded, FOREST_3.seats)
    coverage = Coverage(loaded.nodes())
    coverage.watch(program)
    assert list(journal_with(FOREST_3, 3, program)) == list(journal_with(FOREST_3, 3, None))
    assert len(coverage.reached) > 30
