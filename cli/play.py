"""`nemesis-cli play`: start or resume a game and play it to its end, to `quit` or to the end of the input."""

from __future__ import annotations

import argparse
import secrets
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.messages import INTERRUPTED, OK, STOPPED, Stop, counted, listed, sentence
from cli.packs import checked_options, chosen_manifests, chosen_packs, content_roots
from cli.present import load_present
from cli.resume import resume, start
from cli.saves import ENDING, existing_game, free_name, game_path, saves_folder
from cli.seats import Seat, parse_seats, seats_for
from cli.session import Session
from cli.start_menu import game_to_go_on_with
from cli.table_linear import LinearTable, Quit, Undo
from cli.transcript import GOD, TABLE, check_writable, game_header, transcript_lines, write_transcript

if TYPE_CHECKING:
    from nemesis.bots import Bot
    from nemesis.game import Decision


def play(args: argparse.Namespace) -> int:
    """Run the command; the exit code."""
    roots = content_roots(args.content)
    folder = saves_folder(args.saves)
    _check_words(args)
    session, name = _open(args, roots, folder)
    try:
        eyes = _eyes(args.transcript_for, session.seats, session.game.over)
    except Stop:
        session.leave()
        raise
    header = game_header(session.game, session.seed, {seat.name: seat.bot for seat in session.seats if seat.bot})
    table = LinearTable(session, load_present([pack[0] for pack in header["packs"]], roots), verbosity=args.verbosity)
    try:
        code = _play_on(session, table, args.quiet)
    except KeyboardInterrupt:
        print("\nInterrupted.")
        code = INTERRUPTED
    finally:
        session.leave()
    if not session.game.over and name is not None:
        print(f"Saved as {name}, {counted(len(session.given), 'answer')}. Go on with: {_again(args, name)}")
    if args.transcript is not None:
        write_transcript(args.transcript, transcript_lines(session.game, header, session.given, eyes, args.level))
    return code


def _again(args: argparse.Namespace, name: str) -> str:
    words = ["nemesis-cli", "play", "--resume", name, *(["--saves", str(args.saves)] if args.saves else [])]
    return shlex.join([*words, *(word for folder in args.content for word in ("--content", str(folder)))])


def _open(args: argparse.Namespace, roots: Sequence[Path], folder: Path) -> tuple[Session, str | None]:
    if args.resume is not None:
        path = existing_game(folder, args.resume)
        return resume(path, roots), path.name.removesuffix(ENDING)
    if args.name is not None:
        path = game_path(folder, args.name)
        if path.exists():
            seats = parse_seats(args.seats or "me", args.playouts)
            return resume(path, roots, expected=_expected(args, roots, seats)), path.name.removesuffix(ENDING)
    if not (args.name or args.pack or args.seats or args.options or args.seed is not None):
        chosen = game_to_go_on_with(folder)
        if chosen is not None:
            return resume(game_path(folder, chosen), roots), chosen
    manifests = chosen_manifests(args.pack, roots)
    checked_options(args.options, manifests)
    packs = [manifest.id for manifest in manifests]
    seats = seats_for(args.seats, manifests[0].players[0], args.playouts)
    seed = args.seed if args.seed is not None else secrets.randbelow(10**9)
    people = sum(seat.bot is None for seat in seats)
    options = {"windows": "open" if people > 1 else "quick", **args.options}
    _eyes(args.transcript_for, seats, over=False)  # before there is a file
    if args.name is None and not people and args.saves is None:
        return start(packs, seats, seed, roots, options, None), None
    name = args.name or free_name(folder)
    return start(packs, seats, seed, roots, options, game_path(folder, name)), name


def _expected(args: argparse.Namespace, roots: Sequence[Path], seats: Sequence[Seat]) -> dict[str, Any]:
    expected: dict[str, Any] = {}
    if args.seats is not None:
        expected["seats"] = [seat.name for seat in seats]
    if args.seed is not None:
        expected["seed"] = args.seed
    if args.pack is not None:
        expected["packs"] = list(chosen_packs(args.pack, roots))
    return expected


def _check_words(args: argparse.Namespace) -> None:
    """`Stop` for words that do not go together or cannot be done, before anything is loaded or played."""
    if args.resume is not None:
        new = {
            "--name": args.name, "--seed": args.seed, "--seats": args.seats, "--playouts": args.playouts, "--pack": args.pack,
            "--option or --mode": args.options,
        }  # fmt: skip
        given = [word for word, value in new.items() if value is not None and value != {}]
        if given:
            raise Stop(f"--resume and {listed(given)} do not go together: a saved game says these itself.")
    if args.transcript is not None:
        check_writable(args.transcript)


def _eyes(wanted: str | None, seats: Sequence[Seat], over: bool) -> str:
    """For whom the transcript is; `Stop` if there is no such seat, or if it would show people what they may not see yet."""
    people = [seat.name for seat in seats if seat.bot is None]
    names = [seat.name for seat in seats]
    if wanted is None:
        wanted = GOD if not people else people[0] if len(people) == 1 else TABLE
    if wanted not in (GOD, TABLE, *names):
        raise Stop(f"--transcript-for: no seat `{wanted}`; {listed([*names, TABLE, GOD], 'or')}.")
    if wanted == GOD and people and not over:
        raise Stop("--transcript-for god: people play. It can be written when the game is over: `play --resume NAME` with the same words.")
    return wanted


def _play_on(session: Session, table: LinearTable, quiet: bool) -> int:
    from nemesis.bots import make_bot
    from nemesis.game import ContentStopped, IllegalAnswer

    bots: dict[str, Bot] = {seat.name: make_bot(seat.bot, session.seed) for seat in session.seats if seat.bot}
    table.welcome()
    while (decision := session.game.decision) is not None:
        bot = bots.get(decision.chooser)
        if bot is not None:
            if not session.people and not quiet:
                table.news(None)
            if not _bot_answers(session, bot, decision):
                return STOPPED
            continue
        step = table.ask(decision)
        if isinstance(step, Quit):
            return STOPPED if session.stopped else OK
        if isinstance(step, Undo):
            table.undo(decision.chooser, step.answers)
            continue
        try:
            session.answer(step.choice)
        except IllegalAnswer as refused:
            table.refused(refused)
        except ContentStopped as stopped:
            table.stopped(stopped)
    table.ending(quiet and not session.people)
    return OK


def _bot_answers(session: Session, bot: Bot, decision: Decision) -> bool:
    """Give a bot's answer. If the content stops the game at it and people play, its other options are tried: they cannot choose for it."""
    from nemesis.game import ContentStopped

    choices = [bot.choose(session.game, decision)]
    if session.people and decision.kind in ("action", "choose_one", "may"):
        choices += [option.id for option in decision.options if option.id != choices[0]]
    for choice in choices:
        try:
            session.answer(choice)
            return True
        except ContentStopped as stopped:
            print(f"The rules stopped the game: {sentence(str(stopped))} It stands at decision {decision.id} of {decision.chooser}.")
    return False
