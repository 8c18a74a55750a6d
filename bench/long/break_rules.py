"""Are the rules under test? Breaks pieces of content that cite rules, one at a time, and runs the tests that cite the same rules.

    python bench/long/break_rules.py [--pack retaliation/base] [--only NAME] [--limit 0] [--seed 1] [--jobs 2] [--all] [--deep] [--wide]

Each line that cites rules (and whose rules some test cites) is broken once, with an operator drawn by the seed: the line itself if that can
be, else (a procedure, a card) something that stands in it; with --deep always something that stands in it, with --all everything. What does
not even load is drawn again. Field values of components (icons, colours, numbers) are noticed by the table of components among the goldens.
Prints how many breaks were noticed, and lists the rest; with --wide those that another test of the pack notices are told apart. --only NAME
breaks the lines of one file. How far it is stands on stderr. About a minute on two cores. Exit code 1 below 90 %.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from nemesis.pack_tests import FileRunner, TestResult
from rulescript import tree as t
from rulescript.pack.load import LoadedPacks, load_packs
from rulescript.table.declarations import declare
from tests.goldens.components import component_table
from tests.proof.breaking import Break, breaks, broken, cited_nodes, cites_of, single_things

TRIES = 6
_kept: dict[str, Any] = {}


def prepare(pack: str, deep: bool) -> None:
    """Once, before the processes fork: the packs, which tests cite which rule, and those that fail unbroken."""
    loaded = load_packs([pack])
    tests: set[tuple[str, str]] = set()
    citing: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for file in loaded.packs[-1].files:
        if file.test:
            for item in file.parsed.items:
                if isinstance(item.node, t.Test):
                    tests.add((file.name, item.node.title))
                for rule in cites_of(item.node):
                    citing[rule].add((file.name, item.node.title))  # type: ignore[attr-defined]
    defining = {
        file.name for file in loaded.packs[-1].files if file.test and any(not isinstance(i.node, t.Test) for i in file.parsed.items)
    }
    _kept.update(pack=pack, deep=deep, loaded=loaded, citing=citing, defining=defining, cache={}, fails=set())
    _kept["tests"] = tests
    _kept["table"] = component_table(loaded)
    table = declare(list(loaded.nodes()))
    _kept["single"] = single_things(table)
    _kept["fields"] = {name for kind in table.kinds.values() for name in kind.fields}
    _kept["fails"] = {(file, title) for file, title, _ in failures(loaded, tests, first=False)}


def failures(loaded: LoadedPacks, wanted: set[tuple[str, str]], first: bool = True) -> list[tuple[str, str, str]]:
    """(file, title, problem) of the wanted tests that fail; the first only, if that is enough."""
    found = []
    names = {file for file, _ in wanted}
    plain = tuple(sorted(names - _kept["defining"]))
    for files in [plain] * bool(plain) + [(name,) for name in sorted(names & _kept["defining"])]:
        runner = FileRunner(loaded, _kept["pack"], files, ())
        runner.cache = _kept["cache"]  # most of a broken pack is as it was
        for node, source in runner.tests:
            test = (source.file, node.title)
            if test in wanted and test not in _kept["fails"]:
                result: TestResult = runner.run(node)
                if not result.passed:
                    found.append((*test, result.problems[0]))
                    if first:
                        return found
    return found


def try_break(one: Break, wide: bool) -> tuple[str, str]:
    """What became of it and the test that noticed it.

    `noticed`, `by the table` (of components), `elsewhere` (by a test that cites other rules), `survived`, or `does not load`.
    """
    wanted = {test for rule in one.cites for test in _kept["citing"][rule]}
    loaded = broken(_kept["loaded"], one)
    if loaded is None or says_the_default(loaded, one):
        return "does not load", ""
    try:
        if found := failures(loaded, wanted):
            return "noticed", found[0][1]
        if component_table(loaded) != _kept["table"]:
            return "by the table", ""
        if wide and (found := failures(loaded, _kept["tests"] - wanted)):
            return "elsewhere", " < ".join(found[0][:2])
        return "survived", ""
    except Exception:
        return "does not load", ""


def says_the_default(loaded: LoadedPacks, one: Break) -> bool:
    """Whether what was left out is a field's value that the field has anyway: nothing is broken then."""
    field = isinstance(one.node, t.Line) and one.instead is None and one.node.word in _kept["fields"]
    return field and component_table(loaded) == _kept["table"]


Row = tuple[str, str, str, tuple[str, ...], str]


def one_piece(job: tuple[int, int, bool, bool]) -> list[Row]:
    """Break one cited piece: (verdict, operator, place, rules, test) of the break that loads, or of every break."""
    number, seed, every, wide = job
    possible = pieces()[number]
    rng = random.Random(f"break/{seed}/{number}")
    if not every:
        possible = rng.sample(possible, min(TRIES, len(possible)))
    rows = []
    for one in possible:
        verdict, test = try_break(one, wide)
        if verdict != "does not load":
            rows.append((verdict, one.operator, one.where, one.cites, test))
            if not every:
                break
    return rows


def pieces() -> list[list[Break]]:
    """The breaks of each piece of content that cites a rule which some test cites."""
    if "pieces" not in _kept:
        found = []
        for file in _kept["loaded"].packs[-1].files:
            if not file.test:
                for number, item in enumerate(file.parsed.items):
                    for node in cited_nodes(item):
                        if any(_kept["citing"].get(rule, set()) - _kept["fails"] for rule in cites_of(node)):
                            found.append(breaks(file.parsed.file, number, node, _kept["deep"], _kept["single"]))
        _kept["pieces"] = [one for one in found if one]
    return _kept["pieces"]  # type: ignore[no-any-return]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pack", default="retaliation/base")
    parser.add_argument("--only", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--deep", action="store_true")
    for option, default in (("limit", 0), ("seed", 1), ("jobs", 2)):
        parser.add_argument(f"--{option}", type=int, default=default)
    args = parser.parse_args()
    begun = time.perf_counter()
    prepare(args.pack, args.deep)
    content = {rule for file in _kept["loaded"].packs[-1].files if not file.test for item in file.parsed.items for node in cited_nodes(item)
               for rule in cites_of(node)}  # fmt: skip
    tested = content & set(_kept["citing"])
    numbers = [number for number, found in enumerate(pieces()) if args.only in Path(found[0].file).name]
    if args.limit:
        numbers = sorted(random.Random(args.seed).sample(numbers, min(args.limit, len(numbers))))
    jobs = [(number, args.seed, args.all, args.wide) for number in numbers]
    rows: list[Row] = []
    with multiprocessing.get_context("fork").Pool(args.jobs) as pool:
        for done, found in enumerate(pool.imap_unordered(one_piece, jobs), 1):
            rows += found
            if done % 20 == 0 or done == len(jobs):
                print(f"{done} of {len(jobs)} lines, {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    print(f"{args.pack}, seed {args.seed}: {len(content)} rules are cited by content, {len(tested)} of them by tests")
    covered = {rule for number in numbers for rule in pieces()[number][0].cites} & tested
    print(f"{len(covered)} tested rules are cited by the broken lines")
    print(f"{len(_kept['fails'])} tests fail unbroken and are left out; {len(numbers)} of {len(pieces())} cited lines broken")
    for operator in sorted({row[1] for row in rows}):
        count = Counter(row[0] for row in rows if row[1] == operator)
        print(f"  {operator:14}{count['noticed'] + count['by the table']:6} of {count.total():5} noticed")
    table = sum(row[0] == "by the table" for row in rows)
    noticed = sum(row[0] == "noticed" for row in rows) + table
    print(f"  of these {table} by the table of components only")
    print(f"noticed: {noticed} of {len(rows)}, {100 * noticed / max(len(rows), 1):.1f} %, {time.perf_counter() - begun:.0f} s")
    for verdict, title in (("elsewhere", "noticed only by tests that cite other rules:"), ("survived", "not noticed:")):
        print(title)
        for _, _, where, cites, test in sorted((row for row in rows if row[0] == verdict), key=lambda row: row[2]):
            print(f"  {where} [{', '.join(cites)}] {test}".rstrip())
    return 0 if noticed >= 0.9 * len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
