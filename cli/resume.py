"""Beginning a game, and going on with one from its file."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.messages import MISUSE, STOPPED, Stop, counted, did_you_mean, listed
from cli.packs import checked_options, chosen_manifests, known_packs
from cli.seats import Seat
from cli.session import Session
from cli.transcript import game_header

if TYPE_CHECKING:
    from nemesis.game import Game
    from nemesis.game_file import GameFile, GameRecord


def new_game(packs: Sequence[str], seats: Sequence[str], seed: int, options: Mapping[str, object], roots: Sequence[Path]) -> Game:
    """``Game.new`` with what cannot be loaded turned into a `Stop`."""
    from nemesis.game import ContentStopped, Game

    try:
        return Game.new(packs, seats, seed, options, tuple(roots))
    except ContentStopped as error:
        raise Stop(f"The rules stopped the game before its first decision: {error}", STOPPED) from error
    except OSError as error:
        raise Stop(f"{error.filename or 'content'}: {error.strerror or error}.") from error
    except Exception as error:
        if not is_for_people(error):
            raise
        raise Stop(str(error)) from error
    finally:
        if not gc.isenabled():
            gc.freeze()  # what is loaded stays and need not be looked through again
            gc.enable()


def is_for_people(error: BaseException) -> bool:
    """Whether an error of the library is about what it was given (content, options), not about the program."""
    return type(error).__module__.split(".")[0] in ("rulescript", "nemesis") or isinstance(error, ValueError)


def start(
    packs: Sequence[str], seats: Sequence[Seat], seed: int, roots: Sequence[Path], options: Mapping[str, object], path: Path | None
) -> Session:
    """A new game, with its file at ``path`` (None = none is kept)."""
    from nemesis.game_file import GameFile

    game = new_game(packs, [seat.name for seat in seats], seed, options, roots)
    file: GameFile | None = None
    if path is not None:
        header = game_header(game, seed, {seat.name: seat.bot for seat in seats if seat.bot})
        try:
            file = GameFile.create(path, header)
        except OSError as error:
            raise Stop(f"{path}: the game cannot be kept there: {error.strerror or error}.") from error
    return Session(game, seats, seed, file)


def read_record(path: Path) -> GameRecord:
    """A game file's contents; `Stop` if it is damaged."""
    from nemesis.game_file import GameFileError, read_game_file

    try:
        return read_game_file(path)
    except GameFileError as error:
        raise Stop(str(error)) from error


def game_of(record: GameRecord, path: Path, roots: Sequence[Path]) -> Game:
    """The game of a header, at its beginning."""
    header = record.header
    fault = _fault(record, roots)
    if fault:
        raise Stop(f"{path}: {fault} Nothing was written.")
    packs = record.packs
    missing = [pack for pack in packs if pack not in known_packs(roots)]
    if missing:
        raise Stop(f"{path}: played with {listed(packs)}; {listed(missing)} cannot be found. Say where: --content DIR.")
    try:
        return new_game(packs, header["seats"], int(header["seed"]), header.get("options") or {}, roots)
    except KeyError as error:
        raise Stop(f"{path}: the header has no {error}; written for one seat's eyes, it cannot be played again.") from error


def _fault(record: GameRecord, roots: Sequence[Path]) -> str:
    """Why a header cannot begin a game; empty if it can (or if its packs are not here, of which more is said)."""
    from nemesis.bots import BOTS, is_bot
    from nemesis.game_file import header_fault

    header = record.header
    wrong = header_fault(header)
    if wrong:
        return f"its first line is damaged: {wrong}."
    if not header.get("packs"):
        return "its first line names no packs."
    for seat, bot in (header.get("bots") or {}).items():
        if not is_bot(bot):
            return f"no bot `{bot}` (of {seat}).{did_you_mean(str(bot), BOTS)} There are {listed(sorted(BOTS))}."
    packs = record.packs
    if all(pack in known_packs(roots) for pack in packs):
        try:
            checked_options(header.get("options") or {}, chosen_manifests(",".join(packs), roots))
        except Stop as stop:
            return str(stop)
    return ""


def changed_packs(record: GameRecord, game: Game) -> list[str]:
    """Packs whose content is not what the file was played with."""
    now = {pack[0]: list(pack) for pack in game_header(game, 0, {})["packs"]}
    return [pack[0] for pack in record.header.get("packs", []) if not isinstance(pack, str) and list(pack) != now.get(pack[0])]


def resume(path: Path, roots: Sequence[Path], expected: Mapping[str, Any] | None = None) -> Session:
    """Go on with a saved game: its answers are given again, then its file is opened for more.

    If ``expected`` (seats, seed, packs asked for) is not what the file says, or the answers do not fit the content any more, it is a
    `Stop` and nothing is written.
    """
    from nemesis.game_file import GameFile, GameFileBusy

    record = read_record(path)
    _compare(path, record, expected or {})
    game = game_of(record, path, roots)
    changed = changed_packs(record, game)
    bots = record.header.get("bots") or {}
    seats = [Seat(str(name), bots.get(name)) for name in record.header["seats"]]
    session = Session(game, seats, int(record.header["seed"]))
    rolled_back = give_again(session, record, path, changed)
    try:
        session.file = GameFile.reopen(path, record)
        if rolled_back is not None:
            session.file.take_back(rolled_back)
    except GameFileBusy as error:
        raise Stop(str(error)) from error
    except OSError as error:
        raise Stop(f"{path}: {error.strerror or error}.") from error
    if record.torn:
        print("The last line of the game file was torn and was dropped; every line before it stands.")
    if changed:
        print(f"The content of {listed(changed)} has changed since; all {counted(len(record.answers), 'answer')} still fit.")
    return session


def _compare(path: Path, record: GameRecord, expected: Mapping[str, Any]) -> None:
    packs = record.packs
    found = {"seats": record.header["seats"], "seed": record.header.get("seed"), "packs": packs}
    for what, wanted in expected.items():
        fits = set(wanted) <= set(packs) if what == "packs" else found[what] == wanted
        if not fits:
            raise Stop(f"{path} is a game with other {what}. Go on with it by --resume, or begin another by another --name.")


def give_again(session: Session, record: GameRecord, path: Path, changed: Sequence[str]) -> str | None:
    """Give a record's answers to a new game; the decision whose answer stopped the content again (only the last may), else None."""
    from nemesis.game import ContentStopped, IllegalAnswer

    for number, answer in enumerate(record.answers, 1):
        decision = session.game.decision
        last = number == len(record.answers)
        try:
            if decision is None or decision.id != answer.decision:
                raise IllegalAnswer(f"the game stands at {decision.id if decision else 'its end'}, not at {answer.decision}")
            session.answer(answer.choice, record=False)
        except (IllegalAnswer, ContentStopped) as error:
            if last and isinstance(error, ContentStopped):
                # The program was killed between writing the answer and taking it back.
                print(f"The last answer had stopped the game and was taken back: {error}")
                return answer.decision
            why = f" The content of {listed(changed)} has changed since." if changed else ""
            raise Stop(
                f"{path}: answer {number} of {len(record.answers)} ({answer.decision}: {answer.choice}) does not fit: {error}.{why} "
                "Nothing was written. `nemesis-cli replay` shows the first difference.",
                MISUSE,
            ) from error
    return None
