"""The bot `random`: uniform over what is offered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.bots.stream import Stream

if TYPE_CHECKING:
    from nemesis.game import Decision, Game
    from nemesis.kernel.frame import Pending


def wants_list(decision: Decision) -> bool:
    """Whether a decision is answered by a list of option ids; one that is part of a secret batch may be or not."""
    if decision.kind == "secret_batch":
        return decision.max > 1 or (decision.min == 0 and all(option.id != "none" for option in decision.options))
    return decision.kind in ("choose_some", "order")


def pick_uniform(decision: Decision, stream: Stream) -> str | int | list[str]:
    """An answer to ``decision``: an option id, a whole number (`amount`) or a list of ids (`choose_some`, `order`).

    For `choose_some` first the number of things is drawn (uniform between `min` and `max`), then the things.
    """
    ids: list[str] = [option.id for option in decision.options]
    if decision.kind == "order":
        return stream.sample(ids, len(ids))
    if wants_list(decision):
        most = min(decision.max, len(ids))
        least = min(decision.min, most)
        return stream.sample(ids, least + stream.below(most - least + 1))
    if decision.kind == "amount":
        return int(stream.one(ids)) if ids else decision.min + stream.below(decision.max - decision.min + 1)
    return stream.one(ids)


def pick_index(pending: Pending, stream: Stream) -> int | tuple[int, ...]:
    """The same answer as `pick_uniform` gives, by the places of the options, for `Game.answer_index`."""
    count = len(pending.options)
    if pending.kind == "order":
        return tuple(stream.sample(range(count), count))
    # Single choices of a secret batch are told apart from lists by where the answer goes.
    if pending.kind == "choose_some" or (pending.kind == "secret_batch" and pending.target[0] == "local" and not pending.target[2]):
        most = min(pending.maximum, count)
        least = min(pending.minimum, most)
        return tuple(stream.sample(range(count), least + stream.below(most - least + 1)))
    return stream.below(count)


class UniformBot:
    """Answers every decision by chance; ``seed`` is that of the game, so a game with bots can be repeated."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, game: Game, decision: Decision) -> str | int | list[str]:
        """The answer to ``decision``; ``game`` is not looked at."""
        return pick_uniform(decision, Stream(self.seed, decision.chooser, decision.id))
