"""A game that is being played: its answers go to the disk first, then to the game; undo goes back to the last barrier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from cli.messages import MISUSE, Stop
from cli.seats import Seat

if TYPE_CHECKING:
    from nemesis.game import Game
    from nemesis.game_file import GameFile

Choice = str | int | list[str]


@frozen
class Given:
    """An answer that stands: the decision's id, the journal's length when it was asked, and the choice."""

    decision: str
    seq: int
    choice: Choice


@frozen
class _Before:
    decision: str
    chooser: str
    game: Any
    given: int


class Session:
    """One game with its seats and its file (None = nothing is kept)."""

    def __init__(self, game: Game, seats: Sequence[Seat], seed: int, file: GameFile | None = None) -> None:
        self.game = game
        self.seats = tuple(seats)
        self.seed = seed
        self.file = file
        self.given: list[Given] = []
        self.people = [seat.name for seat in self.seats if seat.bot is None]
        """Names of the seats on which persons sit."""
        self.stopped = False
        """The last answer was rolled back because the content stopped the game."""
        self.barred_since: tuple[int, int] | None = None
        """The journal's length before and after the person's answer behind which undo does not go."""
        self._before: list[_Before] = []
        self._last_chooser = ""

    def answer(self, choice: Choice, *, record: bool = True) -> None:
        """Write ``choice`` down, then give it to the game.

        The game's refusals (`IllegalAnswer`, `ContentStopped`) come out as they are, with the written answer taken back; a disk that
        refuses is a `Stop`, and the answer is then not given.
        """
        from nemesis.game import ContentStopped, IllegalAnswer

        decision = self.game.decision
        assert decision is not None, "answer() after the end of the game"
        if record:
            self._write(decision.id, choice)
        if decision.chooser in self.people:
            self._before.append(_Before(decision.id, decision.chooser, self.game.clone(), len(self.given)))
        try:
            self.game.answer(choice, decision=decision.id)
        except (IllegalAnswer, ContentStopped) as error:
            if decision.chooser in self.people:
                self._before.pop()
            self.stopped = isinstance(error, ContentStopped)
            if record and self.file is not None:
                self._on_disk(lambda file: file.take_back(decision.id))
            raise
        self.stopped = False
        self.given.append(Given(decision.id, decision.seq, choice))
        barrier = self.game.barrier
        if self._before and self._before[-1].game.barrier != barrier:
            self._before.clear()
            self.barred_since = (decision.seq, max(decision.seq, self._seq()))
        if record and self.file is not None and self.file.frame_due:
            self._on_disk(lambda file: file.key_frame(self.game.save(), self._seq(), str(self.game.hash())))

    def undo(self, seat: str) -> str | None:
        """Take back the last answer of ``seat``; the decision's id, or None if a barrier stands before it."""
        at = next((at for at in range(len(self._before) - 1, -1, -1) if self._before[at].chooser == seat), None)
        if at is None:
            return None
        back = self._before[at]
        self._on_disk(lambda file: file.take_back(back.decision))
        del self._before[at:]
        del self.given[back.given :]
        self.game = back.game
        self.stopped = False
        return back.decision

    def undoable(self, seat: str) -> int:
        """How many answers of ``seat`` can be taken back now."""
        return sum(before.chooser == seat for before in self._before)

    def leave(self) -> None:
        """Write where the game stands and close its file; a disk that refuses loses nothing, as every answer is written."""
        if self.file is None:
            return
        file, self.file = self.file, None
        try:
            file.leave(self._seq(), str(self.game.hash()), self.game.over)
            file.sync()
        except OSError:
            return
        finally:
            file.close()

    def _seq(self) -> int:
        decision = self.game.decision
        return decision.seq if decision is not None else -1

    def _write(self, decision: str, choice: Choice) -> None:
        self._on_disk(lambda file: file.answer(decision, choice))
        chooser = self.game.decision.chooser if self.game.decision else ""
        if chooser != self._last_chooser and self.people:
            self._on_disk(lambda file: file.sync())
        self._last_chooser = chooser

    def _on_disk(self, write: Any) -> None:
        if self.file is None:
            return
        try:
            write(self.file)
        except OSError as error:
            path, reason = self.file.path, error.strerror or error
            raise Stop(
                f"{path}: {reason}. The last answer was not given; every one before it is in the file. "
                f"Make room and go on with `--resume {path.name.removesuffix('.game.jsonl')}`.",
                MISUSE,
            ) from error
