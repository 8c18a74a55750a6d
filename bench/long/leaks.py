"""The leak test at length: at 20 points of 50 games what a pair of eyes cannot see is permuted, and both games are played on.

    python bench/long/leaks.py [--game retaliation3] [--games 50] [--points 20] [--steps 8] [--seed 1] [--jobs 2]

The eyes are those of each seat and of the public. By default three in five games are Retaliation. Exit code 1 if anything that they are
shown or told differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.proof.playing import SETTINGS, answers
from tests.proof.telling import leaks

NAMES = ("retaliation3", "retaliation2", "retaliation3", "classic2", "forest3")


def play(job: tuple[str, int, int, int]) -> tuple[str, int, int, list[str]]:
    """(setting, seed, points, leaks); the points are drawn among all decisions of the game, which is played once before to count them."""
    name, seed, points, steps = job
    rng = random.Random(f"leaks/{seed}")
    length = sum(1 for _ in answers(SETTINGS[name].begin(seed), seed))
    chosen = set(rng.sample(range(length), min(points, length)))
    found = []
    game = SETTINGS[name].begin(seed)
    for number, _ in enumerate(answers(game, seed)):
        if number in chosen:
            found += leaks(game, rng, steps)
    return name, seed, len(chosen), found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for option, default in (("games", 50), ("points", 20), ("steps", 8), ("seed", 1), ("jobs", 2)):
        parser.add_argument(f"--{option}", type=int, default=default)
    parser.add_argument("--game", choices=sorted(SETTINGS))
    args = parser.parse_args()
    names = (args.game,) if args.game else NAMES
    begun = time.perf_counter()
    jobs = [(names[n % len(names)], args.seed * 1000 + n, args.points, args.steps) for n in range(args.games)]
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        rows = list(pool.imap_unordered(play, jobs))
    print(f"seed {args.seed}, {len(rows)} games, {time.perf_counter() - begun:.0f} s")
    for name in SETTINGS:
        own = [row for row in rows if row[0] == name]
        print(f"{name:14}{len(own):5} games{sum(row[2] for row in own):7} points{sum(len(row[3]) for row in own):6} leaks")
    bad = [f"{name} seed {seed}: {leak}" for name, seed, _, found in sorted(rows) for leak in found]
    print("\n".join(bad[:40]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
