"""The bot `greedy`: one decision ahead, by the pack's own order of harm.

It asks the game for a forecast of each option. The forecast is made with the seat's own view and stops at chance, at hidden facts and
at other seats' decisions, so the bot knows no more than a person on that seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.bots.stream import Stream
from nemesis.bots.uniform import pick_uniform, wants_list

if TYPE_CHECKING:
    from nemesis.game import Decision, Game


class GreedyBot:
    """Takes an option with the least forecast harm; among equals the seat's own stream decides."""

    name = "greedy"

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def choose(self, game: Game, decision: Decision) -> str | int | list[str]:
        """The answer to ``decision``; lists (`choose_some`, `order`) and games without a forecast are answered by chance."""
        stream = Stream(self.seed, decision.chooser, decision.id)
        forecast = getattr(game, "forecast", None)
        if forecast is None or wants_list(decision) or len(decision.options) < 2:
            return pick_uniform(decision, stream)
        harms: list[tuple[Any, ...] | None] = [forecast(option.id, decision.chooser) for option in decision.options]
        known = [harm for harm in harms if harm is not None]
        if not known:
            return pick_uniform(decision, stream)
        now = getattr(game, "harm", None)
        # What cannot be forecast is taken to leave things as they are: neither hope nor fear.
        unknown = tuple(now(decision.chooser)) if now is not None else min(known)
        judged = [unknown if harm is None else tuple(harm) for harm in harms]
        least = min(judged)
        best: list[str] = [option.id for option, harm in zip(decision.options, judged, strict=True) if harm == least]
        answer = stream.one(best)
        return int(answer) if decision.kind == "amount" else answer
