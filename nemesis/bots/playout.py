"""Playing on in a game that is made up: an answer, then chance for everybody, and what its seat hopes for at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.bots.candidates import Answer, takes_list
from nemesis.bots.uniform import pick_index
from nemesis.kernel.decide import option_id
from nemesis.kernel.policy import hope
from nemesis.kernel.signal import ContentError, LoopFound

if TYPE_CHECKING:
    from nemesis.bots.stream import Stream
    from nemesis.game import Game
    from nemesis.kernel.frame import Pending
    from nemesis.state import State

Hopes = tuple[int, ...]
Key = tuple[str, str, str]
"""Kind of a decision, what it asks for, and the option that was taken."""


class Habits:
    """How well single answers of the seat went in the playouts so far, whenever they were given."""

    def __init__(self) -> None:
        self.rows: dict[Key, tuple[Hopes, int]] = {}

    def note(self, keys: set[Key], hopes: Hopes) -> None:
        for key in keys:
            sums, count = self.rows.get(key, ((0,) * len(hopes), 0))
            self.rows[key] = tuple([a + b for a, b in zip(sums, hopes, strict=True)]), count + 1

    def best(self, keys: list[Key]) -> int | None:
        """The place of the key that went best; None if none of them was ever met."""
        known = [(tuple([part / self.rows[key][1] for part in self.rows[key][0]]), -at) for at, key in enumerate(keys) if key in self.rows]
        return -max(known)[1] if known else None


def keys_of(S: State, pending: Pending) -> list[Key]:
    return [(pending.kind, pending.prompt, option_id(S, pending, index)) for index in range(len(pending.options))]


class Playout:
    """One run from an open decision of a seat."""

    def __init__(self, game: Game, seat: int, stream: Stream) -> None:
        self.game = game
        self.state = game.state
        self.seat = seat
        self.stream = stream
        self.taken: list[Key] = []
        self.path: list[Answer] = []
        self.steps = 0
        self.floor = 0
        self.barrier = self.state.barrier
        period = self.state.program.ruleset.chance_period or ""
        self.period = period
        self.now = self.state.periods.get(period, 0)

    def own(self, answer: Answer) -> None:
        pending = self.state.pending
        assert pending is not None
        if isinstance(answer, int):
            self.taken.append((pending.kind, pending.prompt, option_id(self.state, pending, answer)))
        if self.state.barrier == self.barrier:
            self.path.append(answer)
        self.game.answer_index(answer, self.floor)

    def follow(self, path: tuple[Answer, ...]) -> None:
        """Give the answers of a path as far as they fit, others by chance, until the deed is done."""
        left = list(path)
        while left:
            pending = self.state.pending
            if pending is None:
                return
            self.steps += 1
            if pending.seat != self.seat:
                self.game.answer_index(pick_index(pending, self.stream))
                continue
            answer = left.pop(0)
            if not fits(pending, answer):
                return
            self.own(answer)

    def to_end_of_deed(self, answer: Answer, most: int) -> None:
        """An answer, then chance, until the ability that runs is over, or somebody is asked for the next one."""
        self.floor = floor_of_deed(self.state)
        self.own(answer)
        for _ in range(most):
            pending = self.state.pending
            if pending is None or pending.kind == "action":
                return
            self.steps += 1
            if pending.seat == self.seat:
                self.own(pick_index(pending, self.stream))
            else:
                self.game.answer_index(pick_index(pending, self.stream), self.floor)

    def to_end_of_period(self, most: int, habits: Habits) -> None:
        """On until the period of chance is over; the seat mostly keeps to what went well."""
        S = self.state
        for _ in range(most):
            pending = S.pending
            if pending is None or S.periods.get(self.period, 0) != self.now:
                return
            self.steps += 1
            if pending.seat != self.seat:
                self.game.answer_index(pick_index(pending, self.stream))
                continue
            index: int | tuple[int, ...] | None = None
            if not takes_list(pending) and self.stream.below(4):
                index = habits.best(keys_of(S, pending))
            self.own(pick_index(pending, self.stream) if index is None else index)

    def hopes(self) -> Hopes:
        return hope(self.state, self.seat)


def floor_of_deed(S: State) -> int:
    """How high the stack is when the ability that is asked for, or that runs, is over; 0 if none runs."""
    assert S.pending is not None
    if S.pending.kind == "action":
        return len(S.frames)
    return next((at for at, frame in enumerate(S.frames) if frame.kind == 1 and frame.verb == "use"), 0)


def fits(pending: Pending, answer: Answer) -> bool:
    count = len(pending.options)
    if takes_list(pending):
        return isinstance(answer, tuple) and pending.minimum <= len(answer) <= pending.maximum and all(i < count for i in answer)
    return isinstance(answer, int) and answer < count


STOPS = (LoopFound, ContentError, RecursionError)
