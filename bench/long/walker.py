"""Whole games twice, with compiled and with walked expressions: how many transcripts differ.

python bench/long/walker.py [GAMES]
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from tests.kernel.walked import WalkWriter, journal_with, program_with
from tests.proof.playing import SETTINGS

SHARES = (("retaliation3", 5), ("classic2", 2), ("retaliation2", 2), ("forest3", 1))


def main(games: int) -> int:
    differ = lines = 0
    compiled_time = walked_time = 0.0
    for name, share in SHARES:
        setting = SETTINGS[name]
        program = program_with(setting, WalkWriter)
        for seed in range(1000, 1000 + games * share // 10):
            began = time.perf_counter()
            compiled = list(journal_with(setting, seed, None))
            between = time.perf_counter()
            walked = list(journal_with(setting, seed, program))
            compiled_time += between - began
            walked_time += time.perf_counter() - between
            lines += len(compiled)
            if compiled != walked:
                differ += 1
                at = next(n for n, (a, b) in enumerate(zip([*compiled, ""], [*walked, ""], strict=False)) if a != b)
                print(f"{name} seed {seed}: line {at} differs", file=sys.stderr)
    print(f"{games} games, {lines} lines: {differ} differ; compiled {compiled_time:.0f} s, walked {walked_time:.0f} s")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
