"""The bot `planner`: it plays on from each of its answers in games that it makes up, and takes the answer that ends best for it.

It knows no game. What is good for its seat says the pack's order of hope. It does not look at what its seat cannot see either: each playout
begins in a copy of the game in which that is made up anew (`nemesis.unseen`). It may use so many playouts for a decision, and never counts time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.bots.candidates import Answer, candidates, takes_list
from nemesis.bots.stream import Stream
from nemesis.bots.uniform import pick_index
from nemesis.kernel.decide import option_id
from nemesis.kernel.policy import hope
from nemesis.kernel.signal import ContentError, LoopFound

if TYPE_CHECKING:
    from nemesis.game import Decision, Game

Hopes = tuple[int, ...]

PLAYOUTS = 24
HORIZON = 40
WIDTH = 16


class PlannerBot:
    """Answers by playouts; the same seed, packs and answers give the same answers again."""

    name = "planner"

    def __init__(self, seed: int, playouts: int = PLAYOUTS, horizon: int = HORIZON, learn: int = 75) -> None:
        self.seed = seed
        self.playouts = playouts
        self.horizon = horizon
        self.learn = learn
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
        worlds = game.imagine(seat)
        made: list[Game] = []
        outcomes: dict[Answer, list[Hopes]] = {answer: [] for answer in found}
        self.means: dict = {}
        left = self.playouts
        rounds = max((len(found) - 1).bit_length(), 1)
        stage = 0
        while len(found) > 1:
            each = max(1, left // (len(found) * (rounds - stage)))
            for number in range(each):
                for answer in found:
                    at = len(outcomes[answer])
                    while len(made) <= at:
                        made.append(worlds(stream.below(1 << 62)))
                    outcomes[answer].append(self._playout(made[at].clone(), answer, pending.seat, Stream(self.seed, seat, f"d{S.decisions}/{at}")))
            left -= each * len(found)
            stage += 1
            found.sort(key=lambda a: self._worth(outcomes[a]), reverse=True)
            found = found[: (len(found) + 1) // 2]
        self.last = {a: self._worth(o) for a, o in outcomes.items()}
        return found[0]

    @staticmethod
    def _worth(hopes: list[Hopes]) -> tuple[float, ...]:
        return tuple(sum(column) / len(hopes) for column in zip(*hopes, strict=True))

    def _playout(self, game: Game, answer: Answer, seat: int, stream: Stream) -> Hopes:
        S = game.state
        S.journal.on = False
        period = S.program.ruleset.chance_period or ""
        now = S.periods.get(period, 0)
        taken = []
        try:
            if isinstance(answer, int):
                taken.append((S.pending.kind, S.pending.prompt, option_id(S, S.pending, answer)))
            game.answer_index(answer)
            for _ in range(self.horizon):
                pending = S.pending
                if pending is None or S.periods.get(period, 0) != now:
                    break
                self.steps += 1
                index = None
                if pending.seat == seat and not takes_list(pending):
                    keys = [(pending.kind, pending.prompt, option_id(S, pending, i)) for i in range(len(pending.options))]
                    if stream.below(100) < self.learn:
                        known = [(self.means[k][0] / self.means[k][1], -i) for i, k in enumerate(keys) if k in self.means]
                        if known:
                            index = -max(known)[1]
                    if index is None:
                        index = pick_index(pending, stream)
                    taken.append(keys[index])
                else:
                    index = pick_index(pending, stream)
                game.answer_index(index)
        except (LoopFound, ContentError, RecursionError):
            pass
        h = hope(S, seat)
        for k in set(taken):
            m = self.means.setdefault(k, [0, 0])
            m[0] += h[0]
            m[1] += 1
        return h
