"""Thousands of random games with all columns checked after each decision (and after each commit in some).

    python bench/long/random_games.py [--retaliation 2000] [--each 200] [--classic 300] [--forest 100] [--commits 20] [--seed 1] [--jobs 2]

Half of the Retaliation games have 2 seats, half 3; of its other numbers of seats and modes there are `--each` games.
Exit code 1 if anything raised, was refused, did not end or left the columns in disorder.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from nemesis.game import ContentStopped, IllegalAnswer
from tests.proof.columns import AfterEachCommit, Columns
from tests.proof.playing import SETTINGS, answers

FAULTS = ("exception", "refused", "unfinished", "disorder")


def play(job: tuple[str, int, bool]) -> tuple[str, int, int, int, int, str, str]:
    """(setting, seed, decisions, forced, commits checked, sort of fault, text)."""
    name, seed, each = job
    setting = SETTINGS[name]
    decisions = forced = commits = 0
    try:
        with AfterEachCommit() if each else _Nothing() as watch:
            game = setting.begin(seed)
            columns = Columns(game)
            watch.columns = columns
            for decision, _ in answers(game, seed):
                decisions += 1
                faults = watch.faults or columns.faults(game.state)
                if faults:
                    return name, seed, decisions, game.forced, watch.count, "disorder", f"{decision.id}: {faults[0]}"
            faults = watch.faults or columns.faults(game.state)
            forced, commits = game.forced, watch.count
            if faults:
                return name, seed, decisions, forced, commits, "disorder", f"at the end: {faults[0]}"
            if game.refused:
                return name, seed, decisions, forced, commits, "refused", f"{game.refused} actions"
    except IllegalAnswer as error:
        return name, seed, decisions, forced, commits, "refused", str(error)
    except (ContentStopped, AssertionError) as error:
        return name, seed, decisions, forced, commits, "unfinished", str(error)
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return name, seed, decisions, forced, commits, "exception", f"{error!r} in {Path(where.filename).name}:{where.lineno}"
    return name, seed, decisions, forced, commits, "", ""


class _Nothing:
    """In place of the check after each commit."""

    columns: Columns | None = None
    count = 0
    faults: list[str] = []

    def __enter__(self) -> _Nothing:
        return self

    def __exit__(self, *_: object) -> None:
        return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    counts = {"retaliation": 2000, "each": 200, "classic": 300, "forest": 100, "commits": 20}
    for option, default in (counts | {"seed": 1, "jobs": 2}).items():
        parser.add_argument(f"--{option}", type=int, default=default)
    args = parser.parse_args()
    two = args.retaliation // 2
    wanted = {"retaliation3": args.retaliation - two, "retaliation2": two, "classic2": args.classic, "forest3": args.forest}
    wanted |= {name: args.each for name in SETTINGS if name not in wanted}
    jobs = [(name, args.seed * 1_000_000 + n, n < args.commits // 2) for name, count in wanted.items() for n in range(count)]
    begun = time.perf_counter()
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        rows = list(pool.imap_unordered(play, jobs, chunksize=5))
    print(f"seed {args.seed}, {len(rows)} games, {time.perf_counter() - begun:.0f} s")
    heads = ("games", "decisions", "forced", "commits checked", *FAULTS)
    print("setting       " + "".join(f"{head:>17}" for head in heads))
    for name, count in wanted.items():
        own = [row for row in rows if row[0] == name]
        sums = [sum(row[at] for row in own) for at in (2, 3, 4)]
        found = [sum(row[5] == fault for row in own) for fault in FAULTS]
        print(f"{name:14}" + "".join(f"{number:17}" for number in (count, *sums, *found)))
    bad = sorted(row for row in rows if row[5])
    for row in bad[:40]:
        print(f"{row[0]} seed {row[1]} after {row[2]} decisions: {row[5]}: {row[6]}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
