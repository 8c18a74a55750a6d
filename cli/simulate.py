"""`nemesis-cli sim`: many games between bots, counted."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define

from cli.messages import FINDING, OK, STOPPED, Stop, counted, listed
from cli.packs import checked_options, chosen_manifests, content_roots
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
    from nemesis.bots import BOTS, is_bot, with_playouts

    roots = content_roots(args.content)
    manifests = chosen_manifests(args.pack, roots)
    checked_options(args.options, manifests)
    packs = [manifest.id for manifest in manifests]
    kinds = args.bots.split(",")
    for kind in kinds:
        if not is_bot(kind):
            raise Stop(f"No bot `{kind}`. There are {listed(sorted(BOTS))}.")
    if args.games < 1 or args.players < 1:
        raise Stop("--games and --players must be at least 1.")
    seats = {f"bot{number + 1}": with_playouts(kinds[number % len(kinds)], args.playouts) for number in range(args.players)}
    count = Count(exceptions=[], stops=[])
    _load(packs, seats, args.seed, args.options, roots)
    for number in range(args.games):
        _one(count, packs, seats, game_seed(args.seed, number), args.options, roots)
        if args.progress:
            print(f"{number + 1} of {args.games}", flush=True)
    _report(count, args.json)
    return FINDING if count.exceptions or count.refused or count.unfinished else OK


def _load(packs: Sequence[str], seats: Mapping[str, str], seed: int, options: Mapping[str, object], roots: Sequence[Path]) -> None:
    """Load the content, which is not part of the time; an uncounted game makes the kernel write the code that it needs."""
    import gc

    game = new_game(packs, list(seats), game_seed(seed, 0), options, roots)
    if hasattr(game, "answer_index"):
        with contextlib.suppress(Exception):  # whatever is wrong comes again, and is counted then
            _run_quickly(game, seats, game_seed(seed, -1), [0, 0])
    gc.collect()
    gc.freeze()  # what is loaded stays to the end and need not be looked through again


def _one(
    count: Count, packs: Sequence[str], seats: Mapping[str, str], seed: int, options: Mapping[str, object], roots: Sequence[Path]
) -> None:
    from nemesis.game import ContentStopped, IllegalAnswer

    begun = time.perf_counter()
    played = [0, 0]
    game: Game | None = None
    try:
        game = new_game(packs, list(seats), seed, options, roots)
        run = _run_quickly if set(seats.values()) == {"random"} and hasattr(game, "answer_index") else _run
        if not run(game, seats, seed, played):
            count.unfinished += 1
            count.stops.append({"seed": seed, "why": f"{MOST_DECISIONS} decisions"})
    except IllegalAnswer as error:
        count.refused += 1
        count.stops.append({"seed": seed, "why": f"refused: {error}"})
    except ContentStopped as error:
        count.unfinished += 1
        count.stops.append({"seed": seed, "why": str(error)})
    except Stop as stop:
        if stop.code != STOPPED:
            raise
        count.unfinished += 1
        count.stops.append({"seed": seed, "why": str(stop)})
    except Exception as error:
        count.exceptions.append({"seed": seed, "why": f"{type(error).__name__}: {error}"})
    count.seconds += time.perf_counter() - begun
    count.games += 1
    count.decisions += played[0]
    count.options += played[1]
    if game is not None:
        count.decisions_incl_forced += played[0] + _forced(game)
        count.refused += int(getattr(game, "refused", 0))
        count.wins += bool(game.over and game.winners)


def _run(game: Game, seats: Mapping[str, str], seed: int, played: list[int]) -> bool:
    """Play to the end by the face that people use; ``played`` counts decisions and options. False if the game does not end."""
    from nemesis.bots import make_bot

    bots = {name: make_bot(kind, seed) for name, kind in seats.items()}
    while (decision := game.decision) is not None:
        if played[0] >= MOST_DECISIONS:
            return False
        played[0] += 1
        played[1] += len(decision.options)
        game.answer(bots[decision.chooser].choose(game, decision), decision=decision.id)
    return True


def _run_quickly(game: Game, seats: Mapping[str, str], seed: int, played: list[int]) -> bool:
    """The same game as `_run` plays with random bots: options by their places, no texts, no journal, no way back."""
    from nemesis.bots.stream import Stream
    from nemesis.bots.uniform import pick_index
    from nemesis.game import ContentStopped
    from nemesis.kernel.signal import ContentError, LoopFound

    state = game.state
    state.journal.on = False
    names = list(seats)
    try:
        while (pending := state.pending) is not None:
            if played[0] >= MOST_DECISIONS:
                return False
            played[0] += 1
            played[1] += len(pending.options)
            game.answer_index(pick_index(pending, Stream(seed, names[pending.seat], f"d{state.decisions}")))
    except (LoopFound, ContentError, RecursionError) as error:
        raise ContentStopped(f"{type(error).__name__}: {error}") from error
    return True


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
