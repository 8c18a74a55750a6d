"""Who sits where: ``--seats anna,bot:greedy,boris=bot:random``."""

from __future__ import annotations

import re

from attrs import frozen

from cli.messages import Stop, did_you_mean, listed


@frozen
class Seat:
    """One seat: its name, and the bot that plays it (None = a person)."""

    name: str
    bot: str | None = None


def seats_for(text: str | None, fewest: int, playouts: int | None = None) -> tuple[Seat, ...]:
    """The seats that ``--seats`` names; without it one person, and bots up to the ``fewest`` players of the game.

    >>> [(seat.name, seat.bot) for seat in seats_for(None, 2)]
    [('me', None), ('bot2', 'greedy')]
    """
    return parse_seats(text or ",".join(["me", *["bot:greedy"] * (fewest - 1)]), playouts)


def parse_seats(text: str, playouts: int | None = None) -> tuple[Seat, ...]:
    """Seats in their order round the table; `Stop` for a bad name, a name given twice or an unknown bot. `playouts` are those of a planner.

    >>> [seat.name for seat in parse_seats("anna,bot:greedy")], parse_seats("bot:planner", 200)[0].bot
    (['anna', 'bot2'], 'planner:200')
    """
    from nemesis.bots import BOTS, is_bot, with_playouts

    seats: list[Seat] = []
    for number, part in enumerate(text.split(","), 1):
        name, _, pilot = part.strip().rpartition("=")
        bot = pilot.removeprefix("bot:") if pilot.startswith("bot:") or pilot == "bot" else None
        if pilot == "bot":
            bot = "random"
        if bot is None and name:
            raise Stop(f"--seats: `{part.strip()}`: write NAME, bot:KIND or NAME=bot:KIND.")
        name = name or (pilot if bot is None else f"bot{number}")
        if bot is not None and not is_bot(bot):
            raise Stop(f"No bot `{bot}`.{did_you_mean(bot, BOTS)} There are {listed(sorted(BOTS))}.")
        if not re.fullmatch(r"[^\W\d]\w{0,23}", name):
            raise Stop(f"--seats: `{name}` cannot be a name: letters, digits and _, a letter first, at most 24.")
        if name.lower() in {seat.name.lower() for seat in seats}:
            raise Stop(f"--seats: two seats are called `{name}`.")
        seats.append(Seat(name, None if bot is None else with_playouts(bot, playouts)))
    return tuple(seats)
