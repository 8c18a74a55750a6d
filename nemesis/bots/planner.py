"""The bot `planner`: it plays on from each of its answers in games that it makes up, and takes the answer that ends best for it.

It knows no game. What is good for its seat says the pack's order of hope. It does not look at what its seat cannot see either: each playout
begins in a copy of the game in which that is made up anew (`nemesis.unseen`). It may use so many playouts for a decision, and never counts time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.bots.candidates import Answer, candidates
from nemesis.bots.playout import STOPS, Habits, Hopes, Playout
from nemesis.bots.stream import Stream

if TYPE_CHECKING:
    from nemesis.game import Decision, Game

PLAYOUTS = 48
HORIZON = 40
WIDTH = 16
SHORT = 6
Path = tuple[Answer, ...]


class PlannerBot:
    """Answers by playouts; the same seed, packs and answers give the same answers again."""

    name = "planner"

    def __init__(self, seed: int, playouts: int = PLAYOUTS, horizon: int = HORIZON) -> None:
        self.seed = seed
        self.playouts = playouts
        self.horizon = horizon
        self.steps = 0

    def choose(self, game: Game, decision: Decision) -> str | int | list[str]:
        answer = self.plan(game)
        ids: list[str] = [option.id for option in decision.options]
        return ids[answer] if isinstance(answer, int) else [ids[i] for i in answer]

    def plan(self, game: Game) -> Answer:
        S = game.state
        pending = S.pending
        assert pending is not None
        seat = game.seats[pending.seat]
        stream = Stream(self.seed, seat, f"d{S.decisions}/planner")
        found = candidates(S, pending, stream, WIDTH)
        if len(found) == 1:
            return found[0]
        self.game = game
        self.who = pending.seat
        self.worlds = game.imagine(seat)
        self.made: list[Game] = []
        self.stream = stream
        self.habits = Habits()
        paths = self.survey(found, max(self.playouts // 2, 2 * len(found)))
        return self.compare(paths[:SHORT], self.playouts // 2)[0]

    def world(self, at: int) -> Game:
        while len(self.made) <= at:
            self.made.append(self.worlds(self.stream.below(1 << 62)))
        return self.made[at].clone()

    def survey(self, found: list[Answer], budget: int) -> list[Path]:
        outcomes: dict[Path, list[Hopes]] = {}
        for number in range(budget):
            answer = found[number % len(found)]
            at = number // len(found)
            run = Playout(self.world(at % 4), self.who, Stream(self.seed, "survey", f"{self.game.state.decisions}/{number}"))
            try:
                run.to_end_of_deed(answer, 12)
            except STOPS:
                continue
            outcomes.setdefault(tuple(run.path), []).append((*run.hopes(), -run.steps))
            self.steps += run.steps
        ranked = sorted(outcomes, key=lambda path: mean(outcomes[path]), reverse=True)
        self.surveyed = {p: mean(outcomes[p]) for p in ranked}
        return ranked

    def compare(self, paths: list[Path], budget: int) -> Path:
        outcomes: dict[Path, list[Hopes]] = {path: [] for path in paths}
        each = max(2, budget // len(paths))
        if len({p[0] for p in paths}) < 2:
            return paths[0]
        for at in range(each):
            for path in paths:
                run = Playout(self.world(4 + at), self.who, Stream(self.seed, "playout", f"{self.game.state.decisions}/{at}"))
                try:
                    run.follow(path)
                    run.to_end_of_period(self.horizon, self.habits)
                except STOPS:
                    pass
                hopes = run.hopes()
                self.steps += run.steps
                self.habits.note(set(run.taken), hopes)
                outcomes[path].append(hopes)
        best = max(paths, key=lambda p: mean(outcomes[p]))
        left = [p for p in paths if not told_apart(outcomes[best], outcomes[p])]
        self.compared = {p: mean(o) for p, o in outcomes.items() if o}
        return max(left, key=lambda p: (self.surveyed[p], mean(outcomes[p])))


def told_apart(better: list[Hopes], worse: list[Hopes]) -> bool:
    """Whether the first lines differ by more than chance would have it: the mean of the differences by twice its error."""
    steps = [a[0] - b[0] for a, b in zip(better, worse, strict=True)]
    n = len(steps)
    total = sum(steps)
    return total * total * (n - 1) > Z * Z * (n * sum(d * d for d in steps) - total * total)


Z = 3


def mean(hopes: list[Hopes]) -> tuple[float, ...]:
    return tuple(sum(column) / len(hopes) for column in zip(*hopes, strict=True))
