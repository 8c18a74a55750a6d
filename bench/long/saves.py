"""Ten games saved at every decision and loaded by another process; every 25th save played on to the end; every undoable answer undone.

python bench/long/saves.py [--games 10] [--seed 1]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.proof.saving import differences, load_elsewhere, save_each

NAMES = ("retaliation3", "retaliation2", "retaliation3", "classic2", "forest3")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(f"seed {args.seed}")
    print(f"{'game':14}{'seed':>9}{'saves':>7}{'played on':>11}{'undone':>8}{'barriers':>10}{'differences':>13}{'seconds':>9}")
    bad = []
    for number in range(args.games):
        name, seed = NAMES[number % len(NAMES)], args.seed * 1000 + number
        begun = time.perf_counter()
        with tempfile.TemporaryDirectory() as folder:
            found = save_each(name, seed, Path(folder))
            faults = differences(found, load_elsewhere(name, Path(folder)))
        on = sum("rest" in row for row in found.expected)
        row = f"{name:14}{seed:9}{len(found.expected):7}{on:11}{found.undone:8}{found.barriers:10}{len(faults):13}"
        print(f"{row}{time.perf_counter() - begun:9.1f}", flush=True)
        bad += [f"{name} {seed}: {fault}" for fault in faults]
    print("\n".join(bad[:60]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
