"""Playing on in a game that was made up: some answers of a seat, then chance for everybody, and what the seat may hope for at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.bots.candidates import Answer, candidates, takes_list
from nemesis.bots.deeds import Deeds, Path
from nemesis.bots.uniform import pick_index
from nemesis.kernel.decide import option_id
from nemesis.kernel.policy import harm, hope
from nemesis.kernel.sight import seen_by
from nemesis.kernel.signal import ContentError, LoopFound

if TYPE_CHECKING:
    from nemesis.bots.stream import Stream
    from nemesis.game import Game
    from nemesis.kernel.frame import Pending
    from nemesis.state import State
    from nemesis.world.thing import Ref

Hopes = tuple[int, ...]
Key = tuple[str, str, str]
"""Kind of a decision, what it asks for, and the option that was taken."""

DEED = 8
"""Decisions after which a deed that is still not over is judged as it stands."""
WIDTH, LISTS = 6, 2
"""Ways on that are looked at within a deed; where a list is asked for (what to pay with, most of all) a few say enough."""


class Habits:
    """How well single answers of a seat went in the playouts so far, whenever they were given."""

    def __init__(self) -> None:
        self._sums: dict[Key, tuple[int, int]] = {}

    def note(self, keys: list[Key], hopes: Hopes) -> None:
        for key in dict.fromkeys(keys):
            total, count = self._sums.get(key, (0, 0))
            self._sums[key] = (total + hopes[0], count + 1)

    def best(self, keys: list[Key]) -> int | None:
        """The place of the key that went best; None if none of them was ever met."""
        known = [(self._sums[key][0] / self._sums[key][1], -at) for at, key in enumerate(keys) if key in self._sums]
        return -max(known)[1] if known else None


class Playout:
    """One run from an open decision of a seat; it uses up the game that it is given."""

    def __init__(self, game: Game, unseen: tuple[Ref, ...], seat: int, stream: Stream) -> None:
        self.game = game
        self.unseen = unseen
        self.seat = seat
        self.stream = stream
        self.steps = 0
        self.path: list[Answer] = []
        self.keys: list[Key] = []
        self._barrier = game.state.barrier
        self._chance = sum(game.state.chance.values())
        self._sure = True

    @property
    def sure(self) -> bool:
        """Whether neither chance nor another seat spoke so far and the seat has seen nothing new: then the path alone led here."""
        S = self.game.state
        if self._sure and S.barrier != self._barrier:
            self._barrier = S.barrier
            self._sure = sum(S.chance.values()) == self._chance and not any(seen_by(S, x, self.seat) for x in self.unseen)
        return self._sure

    def to_end_of_deed(self, path: Path, deeds: Deeds | None = None) -> Hopes:
        """The answers of a path, then on until the ability is over that was asked for or runs; or until somebody is asked for another.

        The seat goes the ways that the deeds want to be tried, as long as its path alone leads there; the rest is chance.
        """
        S = self.game.state
        floor = floor_of_deed(S)
        try:
            self._follow(path, floor)
            for _ in range(DEED):
                pending = S.pending
                if pending is None or pending.kind == "action":
                    break
                if deeds is not None and self.sure and pending.seat == self.seat:
                    offered = candidates(S, pending, self.stream, LISTS if takes_list(pending) else WIDTH)
                    self._answer(pending, deeds.next_answer(tuple(self.path), offered, self.stream), floor)
                else:
                    self._answer(pending, pick_index(pending, self.stream), floor)
        except (LoopFound, ContentError, RecursionError):
            pass  # content that fails in a made-up game is judged as it stands
        return prospects(S, self.seat)

    def to_end_of_period(self, path: Path, most: int, habits: Habits) -> Hopes:
        """The answers of a path, then on until the period of chance is over, for so many decisions; the seat keeps to what went well."""
        S = self.game.state
        period = S.program.ruleset.chance_period or ""
        now = S.periods.get(period, 0)
        try:
            self._follow(path, 0)
            for _ in range(most):
                pending = S.pending
                if pending is None or S.periods.get(period, 0) != now:
                    break
                index: Answer | None = None
                if pending.seat == self.seat and not takes_list(pending) and self.stream.below(4):
                    index = habits.best([key_of(S, pending, at) for at in range(len(pending.options))])
                self._answer(pending, pick_index(pending, self.stream) if index is None else index, 0)
        except (LoopFound, ContentError, RecursionError):
            pass
        hopes = prospects(S, self.seat)
        habits.note(self.keys, hopes)
        return hopes

    def _follow(self, path: Path, floor: int) -> None:
        """Give the answers of a path as far as they fit, and those of others by chance."""
        left = list(path)
        while left:
            pending = self.game.state.pending
            if pending is None:
                return
            if pending.seat != self.seat:
                self._answer(pending, pick_index(pending, self.stream), floor)
            elif fits(pending, left[0]):
                self._answer(pending, left.pop(0), floor)
            else:
                return

    def _answer(self, pending: Pending, answer: Answer, floor: int) -> None:
        self.steps += 1
        if pending.seat == self.seat:
            if isinstance(answer, int):
                self.keys.append(key_of(self.game.state, pending, answer))
            if self.sure:
                self.path.append(answer)
        else:
            self._sure = False
        self.game.answer_index(answer, floor)


def prospects(S: State, seat: int) -> Hopes:
    """What a seat may hope for; where no pack says what to hope for, how far the table is from harm."""
    return hope(S, seat) or tuple([-part for part in harm(S)]) or (0,)


def key_of(S: State, pending: Pending, index: int) -> Key:
    return pending.kind, pending.prompt, option_id(S, pending, index)


def fits(pending: Pending, answer: Answer) -> bool:
    """Whether an answer is one to this decision: in another made-up game fewer things may be offered."""
    count = len(pending.options)
    if takes_list(pending):
        return isinstance(answer, tuple) and pending.minimum <= len(answer) <= pending.maximum and all(at < count for at in answer)
    return isinstance(answer, int) and answer < count


def floor_of_deed(S: State) -> int:
    """How many frames are on the stack when the ability that is asked for, or that runs, is over; 0 if none runs."""
    assert S.pending is not None
    if S.pending.kind == "action":
        return len(S.frames)
    return next((at for at, frame in enumerate(S.frames) if frame.kind == 1 and frame.verb == "use"), 0)
