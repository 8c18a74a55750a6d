"""How much of a pack's content runs: in its own tests, in games among bots, in either; and what runs in neither.

    python bench/long/coverage.py [--pack retaliation/base] [--games 40] [--seed 1] [--jobs 2] [--files] [--sort NAME]

`--games` are played at each number of seats that the pack allows, and as many again in each of its modes, by `random` and `greedy` bots in
turn; 0 plays none. A place is a line or a way through it (`nemesis/coverage.py` says which). The shares are given by the sort of item that
a place stands in (with --files also by file); what neither reaches is listed, of one sort only with --sort. `tests/unreached.yaml` says of
places why nothing can reach them. Five minutes on two cores. Exit code 1 if a test fails, if something that is not in that
list was reached by neither, or if something in it was.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from nemesis.bots import make_bot
from nemesis.coverage import Coverage, Place
from nemesis.game import Game
from nemesis.pack_tests import run_tests
from nemesis.programs import watch_games
from rulescript.pack.load import load_packs
from tests.unreached import name_of, read_unreached

BOTS = ("random", "greedy")
ROOTS = [Path(__file__).resolve().parent.parent.parent / folder for folder in ("content", "tests/minigames", "tests/semantics")]
_kept: dict[str, Coverage] = {}
Job = tuple[str, int, dict[str, object], int]


def settings(pack: str) -> list[tuple[int, dict[str, object]]]:
    """(seats, options): every number of seats in the plain game and in each mode."""
    loaded = load_packs([pack], ROOTS)
    least, most = loaded.players
    modes: list[dict[str, object]] = [{}]
    modes += [{name: True if isinstance(value, bool) else 1} for name, value in loaded.modes.items() if isinstance(value, bool | int)]
    return [(seats, mode) for seats in range(least, most + 1) for mode in modes]


def watched(pack: str, seats: int) -> Coverage:
    """The coverage of this process; games of the pack at so many seats are watched from now on."""
    if pack not in _kept:
        _kept[pack] = Coverage(load_packs([pack], ROOTS).nodes())
    if f"{pack} {seats}" not in _kept:
        watch_games([pack], seats, _kept[pack], ROOTS)
        _kept[f"{pack} {seats}"] = _kept[pack]
    return _kept[pack]


def play(job: Job) -> frozenset[int]:
    """The places that one game reaches."""
    pack, seats, options, seed = job
    coverage = watched(pack, seats)
    game = Game.new([pack], [f"bot{n + 1}" for n in range(seats)], seed, options, content=ROOTS)
    players = {seat: make_bot(BOTS[(seed + n) % len(BOTS)], seed) for n, seat in enumerate(game.seats)}
    while (decision := game.decision) is not None:
        game.answer(players[decision.chooser].choose(game, decision), decision.id)
    return coverage.reached


def test(pack: str) -> tuple[frozenset[int], list[str]]:
    """The places that the pack's tests reach, and the tests that fail."""
    coverage = Coverage(load_packs([pack], ROOTS).nodes())
    results = run_tests([pack], ROOTS, coverage=coverage)
    return coverage.reached, [f"{one.where}: {one.title}" for one in results if not one.passed]


def report(tests: Coverage, games: Coverage, both: Coverage, by: str) -> None:
    """A table: for each group what the tests reach, the games, either."""
    shares = [one.shares(lambda place: str(getattr(place, by))) for one in (tests, games, both)]
    print(f"{by:28}{'tests':>22}{'games':>22}{'either':>22}")
    for name in shares[0]:
        print(f"{name:28}" + "".join(f"{share[name].text:>22}" for share in shares))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pack", default="retaliation/base")
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--sort", default="")
    for option, default in (("games", 40), ("seed", 1), ("jobs", 2)):
        parser.add_argument(f"--{option}", type=int, default=default)
    args = parser.parse_args()
    begun = time.perf_counter()
    wanted = settings(args.pack)
    jobs: list[Job] = [(args.pack, seats, options, args.seed * 1_000_000 + n) for seats, options in wanted for n in range(args.games)]
    listed = load_packs([args.pack], ROOTS)
    tests, games, both = (Coverage(listed.nodes()) for _ in range(3))
    with multiprocessing.get_context("spawn").Pool(args.jobs) as pool:
        tested = pool.apply_async(test, (args.pack,))
        for done, reached in enumerate(pool.imap_unordered(play, jobs, chunksize=max(1, args.games)), 1):
            games.add(reached)
            if done % 50 == 0:
                print(f"{done} of {len(jobs)} games, {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
        found, failed = tested.get()
    tests.add(found)
    both.add(found | games.reached)
    print(f"{args.pack}, seed {args.seed}: {len(both.places)} places, {len(jobs)} games, {time.perf_counter() - begun:.0f} s")
    for by in ("sort", "file") if args.files else ("sort",):
        report(tests, games, both, by)
    whole = [one.shares(lambda place: "all")["all"].text for one in (tests, games, both)]
    print(f"{'all':28}" + "".join(f"{text:>22}" for text in whole))
    reasons = {name: reason for name, reason in read_unreached().items() if name.startswith(f"{args.pack}/")}
    missed = both.missed()
    unlisted = [place for place in missed if name_of(place) not in reasons]
    print(f"reached by neither: {len(missed)}, {len(missed) - len(unlisted)} of them with a reason (tests/unreached.yaml)")
    needless = sorted(set(reasons) - {name_of(place) for place in missed})
    lines = [told(place) for place in unlisted if args.sort in ("", place.sort)]
    lines += [f"has a reason, but is reached: {name}" for name in needless] + [f"fails: {title}" for title in failed]
    for line in lines:
        print(line)
    return 1 if failed or unlisted or needless else 0


def told(place: Place) -> str:
    return f"  {place.where}  {place.sort} {place.title}: {name_of(place).partition(': ')[2]}"


if __name__ == "__main__":
    sys.exit(main())
