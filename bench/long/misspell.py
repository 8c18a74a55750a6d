"""Thousands of misspellings, each alone: how many does lint catch?

    python bench/long/misspell.py [--pack retaliation/base] [--count 2000] [--seed 1] [--jobs 2]

Prints the figure by sort of slip and lists the misses. Exit code 1 below 95 %.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.proof.misspelling import KINDS_OF_SLIP, Slip, Speller

_speller: list[Speller] = []


def prepare(pack: str) -> None:
    _speller.append(Speller(pack))


def check(slip: Slip) -> tuple[Slip, str | None]:
    return slip, _speller[0].caught(slip)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pack", default="retaliation/base")
    for option, default in (("count", 2000), ("seed", 1), ("jobs", 2)):
        parser.add_argument(f"--{option}", type=int, default=default)
    args = parser.parse_args()
    begun = time.perf_counter()
    speller = Speller(args.pack)
    slips = speller.draw(args.count, random.Random(f"slips/{args.seed}"))
    with multiprocessing.get_context("spawn").Pool(args.jobs, prepare, (args.pack,)) as pool:
        rows = list(pool.imap(check, slips, chunksize=10))
    print(f"{args.pack}, seed {args.seed}: {len(speller.places)} words, {len(rows)} misspelled, {time.perf_counter() - begun:.0f} s")
    for how in KINDS_OF_SLIP:
        own = [code for slip, code in rows if slip.how == how]
        print(f"  {how:8}{sum(code is not None for code in own):6} of {len(own):5} caught")
    print("  by " + ", ".join(f"{code} {count}" for code, count in Counter(code for _, code in rows if code).most_common()))
    caught = sum(code is not None for _, code in rows)
    print(f"caught: {caught} of {len(rows)}, {100 * caught / len(rows):.2f} %")
    print("missed:")
    for line in sorted(speller.line_of(slip) for slip, code in rows if code is None):
        print(f"  {line}")
    return 0 if caught >= 0.95 * len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
