"""`nemesis-cli`: play games, simulate them, play them again.

Only `argparse` is imported before the command is known, so that `--help` and `--version` answer at once.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cli.arguments import parsed
from cli.streams import stand_in

VERSION = "0.1.0"
OK, FINDING, MISUSE, STOPPED, INTERRUPTED = 0, 1, 2, 3, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code: 0 ok, 1 finding, 2 misuse, 3 content stopped the game, 130 interrupted."""
    stand_in()
    args = parsed(_parser(), argv)
    if args.command is None:
        _parser().print_help()
        return MISUSE
    from cli.messages import Stop
    from cli.terminal import prepare_streams

    prepare_streams()
    gc.disable()  # until the content is loaded (`new_game`): nothing of it is garbage
    try:
        code = _run(args)
        sys.stdout.flush()
        return code
    except Stop as stop:
        return _say(str(stop), stop.code)
    except KeyboardInterrupt:
        return _say("Interrupted.", INTERRUPTED)
    except BrokenPipeError:
        # Python would complain once more when it closes the stream at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except OSError as error:
        return _say(f"{error.filename or 'output'}: {error.strerror or error}.", MISUSE)
    except MemoryError:
        return _say("The memory is used up. Every answer is on the disk.", STOPPED)
    except Exception as error:
        return _wrong_content(args) or _crashed(error)
    finally:
        gc.enable()


def _run(args: argparse.Namespace) -> int:
    if args.command == "play":
        from cli.play import play

        return play(args)
    if args.command == "sim":
        from cli.simulate import simulate

        return simulate(args)
    if args.command == "replay":
        from cli.replay import replay

        return replay(args)
    if args.command == "map":
        from cli.show_map import show_map

        return show_map(args)
    if args.command == "cards":
        from cli.show_cards import show_cards

        return show_cards(args)
    if args.command == "rules":
        from cli.show_rules import show_rules

        return show_rules(args)
    from cli.saves import list_saves, saves_folder

    return list_saves(saves_folder(args.saves))


def _count(text: str) -> int:
    """A whole number from 1 on."""
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise argparse.ArgumentTypeError(f"`{text}` is no number from 1 on")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="nemesis-cli", description="Play games that are written as data.")
    top.add_argument("--version", action="version", version=f"nemesis-cli {VERSION}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    game = argparse.ArgumentParser(add_help=False)
    game.add_argument("--content", type=Path, action="append", default=[], metavar="DIR", help="a folder with packs (may be repeated)")
    setup = argparse.ArgumentParser(add_help=False, parents=[game])
    setup.add_argument("--pack", metavar="P", help="packs, with commas; default: the pack that says so")
    setup.add_argument(
        "--mode", dest="options", action=_Option, default={}, metavar="NAME", help="switch a mode of the packs on (NAME=VALUE: set it)"
    )
    budget = argparse.ArgumentParser(add_help=False)
    budget.add_argument("--playouts", type=_count, metavar="N", help="how many playouts a planner has for a decision (default: 72)")
    setup.add_argument("--option", dest="options", action=_Option, default={}, metavar="NAME=VALUE", help="an option of the game")

    play = commands.add_parser("play", parents=[setup, budget], help="play a game, or go on with one")
    play.add_argument("--seats", metavar="S", help="who plays: me,bot:greedy,boris=bot:random (default: me, bots up to the fewest players)")
    play.add_argument("--seed", type=int, metavar="N", help="the same seed and answers give the same game")
    play.add_argument("--name", metavar="NAME", help="what the game is called; an existing one is gone on with")
    play.add_argument("--resume", metavar="NAME", help="go on with a saved game")
    play.add_argument("--saves", type=Path, metavar="DIR", help="where games are kept")
    play.add_argument("--transcript", type=Path, metavar="FILE", help="write what happened as JSON Lines")
    play.add_argument("--transcript-for", metavar="SEAT", help="for whose eyes: a seat, table, or god (after the end)")
    play.add_argument("--level", choices=("inputs", "story", "events", "full"), default="events", help="how much the transcript tells")
    play.add_argument("--verbosity", choices=("brief", "normal", "full"), default="normal", help="how much the table tells")
    play.add_argument("--plain", action="store_true", help="lines only (this table never draws)")
    play.add_argument("--quiet", action="store_true", help="bots only: just the end")

    sim = commands.add_parser("sim", parents=[setup, budget], help="play many games between bots and count")
    sim.add_argument("--games", type=int, default=100, metavar="N")
    sim.add_argument("--players", type=int, default=2, metavar="K")
    sim.add_argument("--seed", type=int, default=1, metavar="S")
    sim.add_argument("--bots", default="random", metavar="KIND", help="random, greedy or planner; several with commas take turns")
    sim.add_argument("--json", action="store_true", help="one JSON object")
    sim.add_argument("--progress", action="store_true", help="one line for each game")

    again = commands.add_parser("replay", parents=[game], help="play a game file or transcript again; 1 if it differs")
    again.add_argument("file", type=Path, metavar="FILE")

    shown = commands.add_parser("map", parents=[setup], help="the map at the start, or of a saved game, one place a line")
    shown.add_argument("--seats", metavar="S", help="who plays (default: as play)")
    shown.add_argument("--seed", type=int, default=1, metavar="N")
    shown.add_argument("--resume", metavar="NAME", help="of this saved game")
    shown.add_argument("--saves", type=Path, metavar="DIR")
    shown.add_argument("--seat", metavar="SEAT", help="whose view; default: what all see")
    shown.add_argument("--json", action="store_true", help="the view as JSON")

    packs = argparse.ArgumentParser(add_help=False, parents=[game])
    packs.add_argument("--pack", metavar="P", help="packs, with commas; default: the pack that says so")
    packs.add_argument("--json", action="store_true", help="as JSON")

    cards = commands.add_parser("cards", parents=[packs], help="the text of cards with its source; without a name: a list")
    cards.add_argument("names", nargs="*", metavar="NAME", help="a title, an id or a kind of card")
    cards.add_argument("--house", action="store_true", help="only what is a stand-in")

    rules = commands.add_parser("rules", parents=[packs], help="rulings, places and tests of numbered rules; without an id: a list")
    rules.add_argument("ids", nargs="*", metavar="ID", help="a rule's id, or the beginning of several")

    saves = commands.add_parser("saves", help="the saved games")
    saves.add_argument("--saves", type=Path, metavar="DIR")
    return top


class _Option(argparse.Action):
    """``NAME=VALUE`` into a dictionary; whole numbers become numbers, on and off become switches."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option_string: str | None = None
    ) -> None:
        name, equals, value = str(values).partition("=")
        if not name or not equals and option_string != "--mode":
            parser.error(f"{option_string}: `{values}`: write NAME=VALUE")
        value = value if equals else "on"
        known = dict(getattr(namespace, self.dest) or {})
        switch = {"on": True, "yes": True, "off": False, "no": False}
        known[name] = switch[value] if value in switch else int(value) if value.lstrip("-").isdecimal() else value
        setattr(namespace, self.dest, known)


def _say(text: str, code: int) -> int:
    try:
        sys.stdout.flush()
        print(text, file=sys.stderr, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


def _wrong_content(args: argparse.Namespace) -> int:
    """1 with the findings if the content in play has faults that lint knows; 0 if it has none."""
    from cli.faults import content_findings, packs_in_play

    found = content_findings(packs_in_play(), getattr(args, "content", []))
    if not found:
        return OK
    return _say(f"{found}\nThe content in play has these errors and broke the program down. Nothing that was answered is lost.", FINDING)


def _crashed(error: Exception) -> int:
    import tempfile
    import traceback

    failed = f"The program failed ({type(error).__name__}: {error}). Nothing that was answered is lost."
    try:
        with tempfile.NamedTemporaryFile("w", prefix="nemesis-cli-", suffix=".txt", delete=False, encoding="utf-8") as report:
            traceback.print_exception(error, file=report)
    except OSError:
        return _say(failed, STOPPED)
    return _say(f"{failed} What a developer needs is in {report.name}.", STOPPED)


if __name__ == "__main__":
    sys.exit(main())
