"""The bot `planner`: it plays on from its answers in games that it makes up, and takes the answer that ends best for its seat.

It knows no game: what is good for a seat says the pack's order of hope (or, if it has none, of harm). It does not look at what its seat
cannot see either: each playout begins in a copy of the game in which that is made up anew (`nemesis.unseen`). It has so many playouts for a
decision; it never counts time.

A decision is thought over in two parts. The *survey* tries the deeds that begin here, each to its own end, so that a good one is found
although it takes several answers. Then the best of them are played on to the end of the period, which counts as far as it is no accident.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nemesis.bots.candidates import Answer, candidates
from nemesis.bots.deeds import Deeds, Path
from nemesis.bots.playout import Habits, Hopes, Playout
from nemesis.bots.stream import Stream

if TYPE_CHECKING:
    from nemesis.game import Decision, Game

PLAYOUTS = 72
"""Playouts for one decision, if nothing is said."""
HORIZON = 25
"""Decisions after which a playout ends that has not come to the end of its period."""
WIDTH = 16
"""Answers that are looked at; of more of them a sample is drawn."""
SURVEYED_AGAIN, PLAYED_ON = 6, 3
"""Deeds that are tried in further made-up games, and those that are played on."""

WORLDS = 8
"""Games that are made up for one decision."""

Means = tuple[float, ...]


class PlannerBot:
    """Answers by playouts; the same seed, packs and answers give the same answers again."""

    name = "planner"

    def __init__(self, seed: int, playouts: int = PLAYOUTS) -> None:
        self.seed = seed
        self.playouts = playouts

    def choose(self, game: Game, decision: Decision) -> str | int | list[str]:
        """The answer to ``decision``: an option id, or a list of them."""
        answer = self.think(game)
        ids: list[str] = [option.id for option in decision.options]
        return ids[answer] if isinstance(answer, int) else [ids[at] for at in answer]

    def think(self, game: Game) -> Answer:
        """The answer to the open decision by the places of its options."""
        pending = game.state.pending
        assert pending is not None
        seat = game.seats[pending.seat]
        decision = f"d{game.state.decisions}"
        found = candidates(game.state, pending, Stream(self.seed, seat, f"{decision}/candidates"), WIDTH)
        if len(found) == 1:
            return found[0]
        return Thinking(self, game, pending.seat, f"{decision}/think").best(found, pending.kind)


class Thinking:
    """The thinking about one decision."""

    def __init__(self, bot: PlannerBot, game: Game, seat: int, key: str) -> None:
        self.seat = seat
        self.left = bot.playouts
        self._stream: Callable[[str], Stream] = lambda name: Stream(bot.seed, game.seats[seat], f"{key}/{name}")
        self._game = game
        self._unseen = game.unseen(game.seats[seat])
        self._things = self._unseen.things
        self._numbers = self._stream("worlds")
        self._worlds: list[Game] = []
        self._habits = Habits()

    def best(self, found: list[Answer], kind: str) -> Answer:
        long = self.left // 6 if kind == "action" else 0
        judged = self._survey(found, self.left - long)
        paths: dict[Answer, Path] = {}
        for path in sorted(judged, key=judged.__getitem__, reverse=True):
            paths.setdefault(path[0], path)
        top = list(paths.values())[:PLAYED_ON]
        if long < 2 * len(top) or len(top) < 2:
            return top[0][0]
        return self._play_on(top, judged, long // len(top))[0]

    def _world(self, at: int) -> Game:
        while len(self._worlds) <= at:
            self._worlds.append(self._game.imagine(self._unseen, self._numbers.below(1 << 62)))
        return self._worlds[at].clone()

    def _survey(self, found: list[Answer], budget: int) -> dict[Path, Means]:
        """Deeds with what they lead to at their end; those in which chance had a say are tried again."""
        seen: dict[Path, list[Hopes]] = {}
        unsure: dict[Path, None] = {}

        deeds = Deeds()
        tried = 0

        while tried < max(len(found), budget * 2 // 3) and not deeds.all_closed:
            stream = self._stream(f"survey/{tried}")
            playout = Playout(self._world(tried % WORLDS), self._things, self.seat, stream)
            hopes = playout.to_end_of_deed((deeds.next_answer((), found, stream),), deeds)
            path = tuple(playout.path)
            seen.setdefault(path, []).append((*hopes, -playout.steps))
            if not playout.sure:
                unsure[path] = None
            deeds.close(path)
            tried += 1
        again = sorted(unsure, key=lambda path: mean(seen[path]), reverse=True)[:SURVEYED_AGAIN]
        for number in range(max(budget - tried, 0) if again else 0):
            path = again[number % len(again)]
            playout = Playout(self._world(number // len(again) % WORLDS), self._things, self.seat, self._stream(f"survey/{tried + number}"))
            hopes = playout.to_end_of_deed(path)
            seen[path].append((*hopes, -playout.steps))
        return {path: mean(hopes) for path, hopes in seen.items()}

    def _play_on(self, paths: list[Path], judged: dict[Path, Means], each: int) -> Path:
        """The best path, when the survey's judgement is set right by how much better or worse the period ends than by the first path."""
        ends: dict[Path, list[Hopes]] = {path: [] for path in paths}
        for at in range(each):
            for path in paths:
                playout = Playout(self._world(at % WORLDS), self._things, self.seat, self._stream(f"period/{at}"))
                ends[path].append(playout.to_end_of_period(path, HORIZON, self._habits))
        first = ends[paths[0]]
        return max(paths, key=lambda path: (judged[path][0] + certain_difference(ends[path], first), judged[path]))


def mean(hopes: list[Hopes]) -> Means:
    """The mean of each line."""
    return tuple([sum(column) / len(hopes) for column in zip(*hopes, strict=True)])


def certain_difference(these: list[Hopes], those: list[Hopes]) -> float:
    """By how much these are better in the first line, pair by pair, less what chance may have done.

    >>> certain_difference([(5,), (5,)], [(3,), (3,)]), certain_difference([(9,), (0,)], [(0,), (8,)])
    (2.0, 0.0)
    """
    steps = [a[0] - b[0] for a, b in zip(these, those, strict=True)]
    n, total = len(steps), sum(steps)
    if total == 0:
        return 0.0
    middle = total / n
    error = (sum(step * step for step in steps) - total * middle) / (n * (n - 1))  # of the mean, squared
    return middle * max(0.0, 1 - error / (middle * middle))
