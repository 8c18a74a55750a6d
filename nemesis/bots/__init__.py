"""Bots: what answers decisions on a seat where no person sits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from nemesis.bots.greedy import GreedyBot
from nemesis.bots.uniform import UniformBot

if TYPE_CHECKING:
    from nemesis.game import Decision, Game

BOTS: dict[str, type[UniformBot] | type[GreedyBot]] = {"random": UniformBot, "greedy": GreedyBot}
"""Name at the command line -> class; each is made with the seed of the game."""


class Bot(Protocol):
    """Whatever can answer decisions."""

    name: str

    def choose(self, game: Game, decision: Decision) -> str | int | list[str]:
        """An option id, a whole number or a list of option ids."""
        ...


def make_bot(name: str, seed: int) -> Bot:
    """The bot called ``name``; `KeyError` if there is none.

    >>> make_bot("greedy", 7).name
    'greedy'
    """
    return BOTS[name](seed)
