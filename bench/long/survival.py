"""How often the bots' characters live to the end of four-player games, with 95 % intervals (Wilson): `planner` against `random`.

    python bench/long/survival.py [--games 60] [--planners 4] [--playouts 72] [--seed 1] [--jobs 2]

With four planners the same deals are played a second time by four random bots; with fewer the rest of each table is random, and the
planners sit elsewhere from game to game. A character lives if the pack says so at the end (its question `alive`).
Exit code 1 unless planners live in at least 5 of 100 cases, and more often than random bots, with intervals that do not overlap.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from math import sqrt
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from nemesis.bots.planner import PLAYOUTS, PlannerBot
from nemesis.bots.stream import Stream
from nemesis.bots.uniform import pick_index
from nemesis.game import Game

SEATS = ("one", "two", "three", "four")
LEAST = 0.05
Z = 1.96
Job = tuple[int, int, frozenset[int], int]
"""Number of the game, its seed, the seats of the planners, their playouts for a decision."""


def play(job: Job) -> tuple[int, frozenset[int], tuple[int, ...], int, float]:
    """(number, seats of the planners, seats whose character lives at the end, planned decisions, seconds)."""
    number, seed, seats, playouts = job
    begun = time.perf_counter()
    game = Game.new(["retaliation/base"], list(SEATS), seed=seed)
    S = game.state
    S.journal.on = False
    bot = PlannerBot(seed, playouts)
    planned = 0
    while (pending := S.pending) is not None:
        if pending.seat in seats:
            planned += 1
            answer = bot.think(game)
        else:
            answer = pick_index(pending, Stream(seed, SEATS[pending.seat], f"d{S.decisions}"))
        game.answer_index(answer)
    character = S.program.world.field_at["character"]
    alive = tuple(n for n, seat in enumerate(S.program.world.seats) if S.program.ask(S, "alive", S.v[character[seat]]))
    return number, seats, alive, planned, time.perf_counter() - begun


def interval(hits: int, n: int) -> tuple[float, float]:
    """The Wilson interval of a share."""
    share, square = hits / n, Z * Z / n
    middle, half = share + square / 2, Z * sqrt(share * (1 - share) / n + square / (4 * n))
    return max(0.0, (middle - half) / (1 + square)), (middle + half) / (1 + square)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for option, default in {"games": 60, "planners": 4, "playouts": PLAYOUTS, "seed": 1, "jobs": 2}.items():
        parser.add_argument(f"--{option}", type=int, default=default)
    args = parser.parse_args()
    jobs: list[Job] = []
    for n in range(args.games):
        seats = frozenset((n + k) % 4 for k in range(args.planners))
        jobs.append((n, args.seed * 1_000_000 + n, seats, args.playouts))
    if args.planners == 4:
        jobs += [(n, seed, frozenset(), playouts) for n, seed, _, playouts in jobs]
    begun = time.perf_counter()
    counts = {"planner": [0, 0], "random": [0, 0]}
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        for number, seats, alive, planned, seconds in pool.imap_unordered(play, jobs):
            for n in range(4):
                count = counts["planner" if n in seats else "random"]
                count[0] += n in alive
                count[1] += 1
            if seats:
                who = "".join("P" if n in seats else "r" for n in range(4))
                lives = ", ".join(SEATS[n] for n in alive) or "nobody"
                print(f"game {number:3} {who}  {planned:4} planned  {seconds:6.1f} s  alive: {lives}", flush=True)
    tables = f"{args.planners} planners in each" if args.planners < 4 else "each once with four planners and once with four random bots"
    print(f"{args.games} games, {tables}; {args.playouts} playouts, seed {args.seed}, {time.perf_counter() - begun:.0f} s")
    ranges = {}
    for name, (hits, n) in counts.items():
        low, high = ranges[name] = interval(hits, n)
        print(f"{name:8} {hits:4} of {n:4} live: {100 * hits / n:5.1f} %  (95 %: {100 * low:.1f} to {100 * high:.1f})")
    hits, n = counts["planner"]
    good = hits / n >= LEAST and ranges["planner"][0] > ranges["random"][1]
    print("planner lives more often" if good else "not shown")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
