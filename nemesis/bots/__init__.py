"""Bots: what answers decisions on a seat where no person sits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from nemesis.bots.greedy import GreedyBot
from nemesis.bots.planner import PlannerBot
from nemesis.bots.uniform import UniformBot

if TYPE_CHECKING:
    from nemesis.game import Decision, Game

BOTS: dict[str, type[UniformBot] | type[GreedyBot] | type[PlannerBot]] = {
    "random": UniformBot,
    "greedy": GreedyBot,
    "planner": PlannerBot,
}
"""Name at the command line -> class; each is made with the seed of the game."""


class Bot(Protocol):
    """Whatever can answer decisions."""

    name: str

    def choose(self, game: Game, decision: Decision) -> str | int | list[str]:
        """An option id, a whole number or a list of option ids."""
        ...


def make_bot(name: str, seed: int) -> Bot:
    """The bot called ``name``; `KeyError` if there is none. A planner may be told its playouts for a decision: ``planner:200``.

    >>> make_bot("greedy", 7).name, make_bot("planner:200", 7).playouts
    ('greedy', 200)
    """
    kind, playouts = _parts(name)
    return BOTS[kind](seed) if playouts is None else PlannerBot(seed, playouts)


def is_bot(name: object) -> bool:
    """Whether `make_bot` knows the name.

    >>> [is_bot(name) for name in ("random", "planner:200", "planner:0", "greedy:3", "pilot")]
    [True, True, False, False, False]
    """
    try:
        return isinstance(name, str) and _parts(name)[0] in BOTS
    except KeyError:
        return False


def with_playouts(name: str, playouts: int | None) -> str:
    """The name of a bot that is told its playouts, where it takes some and has none.

    >>> with_playouts("planner", 200), with_playouts("planner:9", 200), with_playouts("random", 200)
    ('planner:200', 'planner:9', 'random')
    """
    return f"{name}:{playouts}" if name == PlannerBot.name and playouts is not None else name


def _parts(name: str) -> tuple[str, int | None]:
    kind, mark, number = name.partition(":")
    if not mark:
        return kind, None
    if kind != PlannerBot.name or not (number.isascii() and number.isdigit()) or int(number) < 1:
        raise KeyError(name)
    return kind, int(number)
