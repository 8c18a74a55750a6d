"""`nemesis-cli sim`: many games between bots, counted."""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define

from cli.messages import FINDING, OK, Stop, counted, listed
from cli.packs import chosen_packs, content_roots
from cli.resume import new_game

if TYPE_CHECKING:
    from nemesis.game import Game

MOST_DECISIONS = 20_000


@define
class Count:
    """What a run of games came to; ``exceptions`` and ``stops`` hold one line each, with the seed to repeat it."""

    games: int = 0
    decisions: int = 0
    decisions_incl_forced: int = 0
    options: int = 0
    refused: int = 0
    unfinished: int = 0
    seconds: float = 0.0
    exceptions: list[dict[str, Any]] = []
    stops: list[dict[str, Any]] = []
    wins: int = 0

    def row(self) -> dict[str, Any]:
        """The JSON object of FORMATS 9."""
        return {
            "games": self.games,
            "decisions": self.decisions,
            "decisions_incl_forced": self.decisions_incl_forced,
            "seconds": round(self.seconds, 4),
            "decisions_per_s": _rate(self.decisions, self.seconds),
            "games_per_s": _rate(self.games, self.seconds),
            "decisions_per_game": _rate(self.decisions, self.games),
            "options_per_decision": _rate(self.options, self.decisions),
            "exceptions": len(self.exceptions),
            "refused": self.refused,
            "unfinished": self.unfinished,
            "won": self.wins,
        }


def game_seed(seed: int, number: int) -> int:
    """The seed of game ``number`` (from 0) in a run with ``seed``: any one game can be played again alone.

    >>> game_seed(1, 0) == game_seed(1, 0) != game_seed(1, 1)
    True
    """
    return int.from_bytes(hashlib.blake2b(f"sim/{seed}/{number}".encode(), digest_size=6).digest(), "big")


def simulate(args: argparse.Namespace) -> int:
    """Run the command; exit code 1 if a game raised, was refused an answer or did not end."""
    from nemesis.bots import BOTS

    roots = content_roots(args.content)
    packs = chosen_packs(args.pack, roots)
    kinds = args.bots.split(",")
    for kind in kinds:
        if kind not in BOTS:
            raise Stop(f"No bot `{kind}`. There are {listed(sorted(BOTS))}.")
    if args.games < 1 or args.players < 1:
        raise Stop("--games and --players must be at least 1.")
    seats = {f"bot{number + 1}": kinds[number % len(kinds)] for number in range(args.players)}
    count = Count(exceptions=[], stops=[])
    new_game(packs, list(seats), game_seed(args.seed, 0), args.options, roots)  # loading is not part of the time
    for number in range(args.games):
        _one(count, packs, seats, game_seed(args.seed, number), args.options, roots)
        if args.progress:
            print(f"{number + 1} of {args.games}", flush=True)
    _report(count, args.json)
    return FINDING if count.exceptions or count.refused or count.unfinished else OK


def _one(
    count: Count, packs: Sequence[str], seats: Mapping[str, str], seed: int, options: Mapping[str, object], roots: Sequence[Path]
) -> None:
    from nemesis.bots import make_bot
    from nemesis.game import ContentStopped, IllegalAnswer

    begun = time.perf_counter()
    decisions = offered = 0
    game: Game | None = None
    try:
        game = new_game(packs, list(seats), seed, options, roots)
        bots = {name: make_bot(kind, seed) for name, kind in seats.items()}
        while (decision := game.decision) is not None:
            if decisions >= MOST_DECISIONS:
                count.unfinished += 1
                count.stops.append({"seed": seed, "why": f"{MOST_DECISIONS} decisions"})
                break
            decisions += 1
            offered += len(decision.options)
            game.answer(bots[decision.chooser].choose(game, decision), decision=decision.id)
    except IllegalAnswer as error:
        count.refused += 1
        count.stops.append({"seed": seed, "why": f"refused: {error}"})
    except ContentStopped as error:
        count.unfinished += 1
        count.stops.append({"seed": seed, "why": str(error)})
    except Stop:
        raise
    except Exception as error:
        count.exceptions.append({"seed": seed, "why": f"{type(error).__name__}: {error}"})
    count.seconds += time.perf_counter() - begun
    count.games += 1
    count.decisions += decisions
    count.options += offered
    if game is not None:
        count.decisions_incl_forced += decisions + _forced(game)
        count.refused += int(getattr(game, "refused", 0))
        count.wins += bool(game.over and game.winners)


def _forced(game: Game) -> int:
    """Choices that had one candidate only; a kernel that does not count them has them in its journal."""
    forced = getattr(game, "forced", None)
    if isinstance(forced, int):
        return forced
    return sum(bool(entry.to_json().get("forced")) for entry in game.journal(None, 0, "events"))


def _report(count: Count, as_json: bool) -> None:
    row = count.row()
    if as_json:
        if count.exceptions or count.stops:
            row["first"] = (count.exceptions + count.stops)[0]
        print(json.dumps(row, sort_keys=True))
        return
    print(f"{counted(count.games, 'game')} in {row['seconds']} s, {row['decisions_per_s']} decisions/s, {row['games_per_s']} games/s.")
    print(f"A game has {row['decisions_per_game']} decisions, a decision {row['options_per_decision']} options; {count.wins} won.")
    for trouble in (*count.exceptions, *count.stops):
        print(f"seed {trouble['seed']}: {trouble['why']}")


def _rate(amount: float, per: float) -> float:
    return round(amount / per, 2) if per else 0.0
