"""Games with random answers: the same seed gives the same game, whoever plays it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import attrs

from nemesis.game import Decision, Game

ROOT = Path(__file__).resolve().parent.parent.parent
MOST_DECISIONS = 20_000


@attrs.frozen
class Setting:
    """What is played: a pack, how many seats, and the modes that are switched."""

    pack: str
    seats: int
    roots: tuple[Path, ...] = ()
    options: Mapping[str, object] = attrs.field(factory=dict, hash=False)

    @property
    def names(self) -> list[str]:
        return [f"seat{n + 1}" for n in range(self.seats)]

    def begin(self, seed: int) -> Game:
        return Game.new([self.pack], self.names, seed, self.options, content=self.roots)

    def load(self, data: dict[str, object]) -> Game:
        return Game.load(data, content=self.roots)


RETALIATION_3 = Setting("retaliation/base", 3)
RETALIATION_2 = Setting("retaliation/base", 2)
CLASSIC_2 = Setting("classic/base", 2)
FOREST_3 = Setting("parlour/forest", 3, (ROOT / "tests/minigames",))
RETALIATION_4 = Setting("retaliation/base", 4)
RETALIATION_5 = Setting("retaliation/base", 5)
RETALIATION_ALONE = Setting("retaliation/base", 1)
RETALIATION_COOP_3 = Setting("retaliation/base", 3, options={"coop": True})
RETALIATION_DEADLY_3 = Setting("retaliation/base", 3, options={"deadly": True})
SETTINGS = {
    "retaliation3": RETALIATION_3,
    "retaliation2": RETALIATION_2,
    "retaliation4": RETALIATION_4,
    "retaliation5": RETALIATION_5,
    "alone": RETALIATION_ALONE,
    "coop3": RETALIATION_COOP_3,
    "deadly3": RETALIATION_DEADLY_3,
    "classic2": CLASSIC_2,
    "forest3": FOREST_3,
}

Answer = str | list[str]


def random_answer(decision: Decision, rng: random.Random) -> Answer:
    """One option, or as many as are allowed, each equally likely."""
    ids = [option.id for option in decision.options]
    if decision.kind in ("choose_some", "order"):
        return rng.sample(ids, rng.randint(decision.min, decision.max))
    return rng.choice(ids)


def answers(game: Game, seed: int) -> Iterator[tuple[Decision, Answer]]:
    """Plays a game to its end; yields each decision with the answer that it is about to get, then gives it."""
    rng = random.Random(f"answers/{seed}")
    for _ in range(MOST_DECISIONS):
        decision = game.decision
        if decision is None:
            return
        answer = random_answer(decision, rng)
        yield decision, answer
        game.answer(answer, decision.id)
    raise AssertionError(f"unfinished after {MOST_DECISIONS} decisions")
