"""How fast it is: decisions, copies, saves, starts; one table.

    python bench/speed.py [--seconds 5] [--rounds 3] [--seed 7] [--cpu] [--peers DIR] [--peer-python PYTHON]

Random answers, journal on, whole games, one core; forced choices are not counted as decisions. Each figure is the median of the
rounds. With --cpu processor time is taken instead of the clock, for a machine that does other things too. With --peers the drivers
`*_random.py` of a folder (each prints lines of JSON with `name` and `decisions_per_s`) take turns with ours, so that ratios come from
one run (on a quiet machine; they take the clock).
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.doubled import write_double
from nemesis.game import Game
from tests.proof.playing import CLASSIC_2, FOREST_3, RETALIATION_2, RETALIATION_3, RETALIATION_5, ROOT, Setting

FLOORS = {
    "decisions": 4000.0,
    "clone": 100.0,
    "save": 2.0,
    "load": 2.0,
    "start": 400.0,
    "help": 150.0,
    "cold": 3000.0,
    "warm": 150.0,
    "seats": 1.6,
    "five": 2.5,
    "double": 1.3,
}


_cpu: list[bool] = []


def now() -> float:
    """Seconds: of the clock, or of the processor in this process and the children that have ended."""
    if not _cpu:
        return time.perf_counter()
    mine, theirs = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return mine.ru_utime + mine.ru_stime + theirs.ru_utime + theirs.ru_stime


def play(setting: Setting, seed: int) -> int:
    """One whole game; the number of its decisions."""
    game = setting.begin(seed)
    rng = random.Random(seed)
    state, decisions = game.state, 0
    while (pending := state.pending) is not None:
        if pending.kind in ("choose_some", "order"):
            count = rng.randint(pending.minimum, pending.maximum)
            game.answer_index(tuple(rng.sample(range(len(pending.options)), count)))
        else:
            game.answer_index(rng.randrange(len(pending.options)))
        decisions += 1
    return decisions


def decisions_per_second(setting: Setting, seconds: float, seed: int) -> float:
    rng = random.Random(seed)
    gc.collect()
    gc.freeze()
    decisions, begun = 0, now()
    while now() - begun < seconds:
        decisions += play(setting, rng.randrange(1 << 30))
    return decisions / (now() - begun)


def moments(setting: Setting, seed: int, count: int = 40) -> list[Game]:
    """Copies of a game at decisions spread over its length."""
    game = setting.begin(seed)
    rng = random.Random(seed)
    found = [game.clone()]
    while (decision := game.decision) is not None:
        ids = [option.id for option in decision.options]
        many = decision.kind in ("choose_some", "order")
        game.answer(rng.sample(ids, rng.randint(decision.min, decision.max)) if many else rng.choice(ids))
        if game.decision is not None:
            found.append(game.clone())
    return found[:: max(len(found) // count, 1)]


def microseconds(act: Callable[[Any], object], subjects: list[Any], rounds: int = 7) -> float:
    """Median over rounds of the mean time of an act."""
    for subject in subjects:
        act(subject)
    found = []
    for _ in range(rounds):
        begun = now()
        for subject in subjects:
            act(subject)
        found.append((now() - begun) / len(subjects) * 1e6)
    return statistics.median(found)


def milliseconds_of(code: str, rounds: int) -> float:
    """Median wall time of a fresh process that runs some code."""
    found = []
    for _ in range(rounds):
        begun = now()
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
        found.append((now() - begun) * 1e3)
    return statistics.median(found)


LOAD = """
import sys, time; sys.path.insert(0, '.')
from rulescript.pack.load import load_packs
begun = CLOCK()
for pack in ('retaliation/base', 'classic/base'):
    loaded = load_packs([pack])
    TESTS
print((CLOCK() - begun) * 1e3)
"""
START = "import sys; sys.path.insert(0, '.'); from nemesis.game import Game; Game.new(['retaliation/base'], ['a', 'b', 'c'], 7).decision"
HELP = "import sys; sys.path.insert(0, '.'); sys.argv = ['nemesis-cli', '--help']; from cli.nemesis_command import main; sys.exit(main())"


def loading(cold: bool, rounds: int, tests: bool = False) -> float:
    """Milliseconds inside a fresh process to load all shipped content, with kept files or without any; on wish with its test files."""
    found = []
    code = LOAD.replace("CLOCK", "time.process_time" if _cpu else "time.perf_counter").replace(
        "TESTS", "loaded.diagnostics" if tests else ""
    )
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as empty:
            env = os.environ | ({"XDG_CACHE_HOME": empty} if cold else {})
            run = subprocess.run(
                [sys.executable, "-c", code],
                cwd=ROOT,
                env=env,
                check=True,
                capture_output=True,
                text=True,
            )
            found.append(float(run.stdout))
    return statistics.median(found)


def peer(driver: Path, python: str, seconds: float) -> dict[str, float]:
    """Decisions per second by name, as a driver prints them; empty if it cannot run here."""
    run = subprocess.run([python, driver.name, str(seconds)], cwd=driver.parent, capture_output=True, text=True, timeout=600, check=False)
    rows = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    return {row["name"]: float(row["decisions_per_s"]) for row in rows if "decisions_per_s" in row}


def row(what: str, value: float, unit: str, floor: str = "", kept: bool | None = None) -> None:
    mark = "" if kept is None else "ok" if kept else "MISSED"
    print(f"{what:46}{value:12,.1f} {unit:14}{floor:>14} {mark}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--cpu", action="store_true")
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--peer-python", default=sys.executable)
    args = parser.parse_args()
    if args.cpu:
        _cpu.append(True)
    twice = tempfile.TemporaryDirectory()
    double, more, of = write_double("retaliation/base", Path(twice.name))
    settings = {
        "Retaliation, 3 seats": RETALIATION_3,
        "Retaliation, 2 seats": RETALIATION_2,
        "Retaliation, 5 seats": RETALIATION_5,
        f"Retaliation, 3 seats, {more / of + 1:.2f} x content": Setting(double, 3, (Path(twice.name),)),
        "classic, 2 seats": CLASSIC_2,
        "card game, 3 seats": FOREST_3,
    }
    drivers = sorted(args.peers.glob("*_random.py")) if args.peers else []
    for setting in settings.values():
        play(setting, args.seed)
    speeds: dict[str, list[float]] = {}
    for number in range(args.rounds):
        for name, setting in settings.items():
            speeds.setdefault(name, []).append(decisions_per_second(setting, args.seconds, args.seed + number))
        for driver in drivers:
            for name, speed in peer(driver, args.peer_python, args.seconds).items():
                speeds.setdefault(name, []).append(speed)
    medians = {name: statistics.median(found) for name, found in speeds.items()}
    what = f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, {'processor' if args.cpu else 'clock'} time"
    print(f"seed {args.seed}, {args.rounds} rounds of {args.seconds:g} s, {what}")
    ours, floor = medians["Retaliation, 3 seats"], FLOORS["decisions"]
    row("Retaliation, 3 seats", ours, "decisions/s", f">= {floor:,.0f}", ours >= floor)
    for name, speed in medians.items():
        if name != "Retaliation, 3 seats":
            row(name if name in settings else f"{name} (ours is {ours / speed:.2f} x)", speed, "decisions/s")
    ratio = medians["Retaliation, 2 seats"] / ours
    row("time per decision, 3 seats over 2", ratio, "x", f"<= {FLOORS['seats']}", ratio <= FLOORS["seats"])
    ratio = medians["Retaliation, 2 seats"] / medians["Retaliation, 5 seats"]
    row("time per decision, 5 seats over 2", ratio, "x", f"<= {FLOORS['five']}", ratio <= FLOORS["five"])
    ratio = ours / next(speed for name, speed in medians.items() if "content" in name)
    row("time per decision, more content over once", ratio, "x", f"<= {FLOORS['double']}", ratio <= FLOORS["double"])
    games = moments(RETALIATION_3, args.seed)
    saves = [game.save() for game in games]
    texts = [json.dumps(save) for save in saves]
    for name, value, unit, limit in (
        ("clone", microseconds(Game.clone, games), "us", FLOORS["clone"]),
        ("save", microseconds(Game.save, games) / 1e3, "ms", FLOORS["save"]),
        ("save as text", microseconds(lambda game: json.dumps(game.save()), games) / 1e3, "ms", FLOORS["save"]),
        ("load", microseconds(RETALIATION_3.load, saves) / 1e3, "ms", FLOORS["load"]),
        ("load from text", microseconds(lambda text: RETALIATION_3.load(json.loads(text)), texts) / 1e3, "ms", FLOORS["load"]),
    ):
        row(name, value, unit, f"<= {limit:g}", value <= limit)
    row("size of a save", statistics.median(len(text) for text in texts) / 1024, "KiB")
    row("decision with all its texts", microseconds(lambda game: game.clone().decision, games), "us")
    row("view of a seat", microseconds(lambda game: game.view(game.seats[0]), games), "us")
    for name, value, key in (
        ("warm start to the first decision", milliseconds_of(START, 5), "start"),
        ("--help", milliseconds_of(HELP, 5), "help"),
        ("cold load of all content", loading(True, 2), "cold"),
        ("warm load of all content", loading(False, 5), "warm"),
    ):
        row(name, value, "ms", f"<= {FLOORS[key]:g}", value <= FLOORS[key])
    row("cold load of all content with its tests", loading(True, 2, tests=True), "ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
