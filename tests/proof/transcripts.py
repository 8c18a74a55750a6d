"""The whole transcript of a random game as bytes, for all eyes and for each seat's; as a program it prints one.

python -m tests.proof.transcripts SETTING SEED
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator

from .playing import SETTINGS, answers


def transcript(name: str, seed: int) -> Iterator[str]:
    """Decisions with answers, entries at full level for all eyes and for each seat, views, winners, the state's hash."""
    game = SETTINGS[name].begin(seed)
    for decision, answer in answers(game, seed):
        yield json.dumps({"decision": decision.to_json(), "answer": answer}, sort_keys=True)
        view = json.dumps(game.view(decision.chooser), sort_keys=True)
        yield hashlib.blake2b(view.encode(), digest_size=12).hexdigest()
    for eyes in (None, "table", *game.seats):
        for entry in game.journal(eyes, 0, "full"):
            yield json.dumps({"eyes": eyes, **entry.to_json(), "text": entry.text}, sort_keys=True)
    yield json.dumps({"winners": game.winners, "hash": game.hash()})


if __name__ == "__main__":
    for line in transcript(sys.argv[1], int(sys.argv[2])):
        print(line)
