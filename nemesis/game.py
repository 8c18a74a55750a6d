"""The library's face: a game, its decisions, answers, views, saves.

A game between two bots, in four lines::

    game = Game.new(["classic/base"], ["anna", "ben"], seed=7)
    while game.decision is not None:
        game.answer(game.decision.options[0].id)
    print(game.winners)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from nemesis.beginning import new_state
from nemesis.decision import Decision, make_decision
from nemesis.entry import Entry, entries
from nemesis.explanation import cause_text, explain, loop_text
from nemesis.kernel import decide
from nemesis.kernel.frame import Pending
from nemesis.kernel.policy import harm
from nemesis.kernel.program import Program
from nemesis.kernel.run import advance, push_procedure
from nemesis.kernel.sight import seen_by
from nemesis.kernel.signal import ContentError, LoopFound
from nemesis.options import OPTIONS
from nemesis.outlook import foresee, refused_actions, refused_candidates
from nemesis.programs import packs_of, program_of
from nemesis.save import FORMAT, SaveError, changed_items, item_hashes, load_state, read_save, save_state, state_hash
from nemesis.state import State
from nemesis.unseen import Unseen
from nemesis.view import make_view
from nemesis.world.thing import Ref
from rulescript.nearest import did_you_mean

__all__ = ["ContentStopped", "Decision", "Entry", "Game", "IllegalAnswer", "SaveError"]


class IllegalAnswer(ValueError):
    """An answer that is not among the options, or is for another decision; `reasons` says why, for each that was named."""

    def __init__(self, message: str, reasons: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.reasons = tuple(reasons)


class ContentStopped(Exception):
    """Content that loops or asks for nonsense; the game stands at the last decision again. `report` names the cycle of rules."""

    def __init__(self, report: str, cycle: tuple[str, ...] = ()) -> None:
        super().__init__(report)
        self.report = report
        self.cycle = cycle


class Game:
    """One game. Everything that changes lies in `state`, which is plain data."""

    def __init__(self, state: State, names: tuple[str, ...], roots: tuple[Path, ...], packs: tuple[tuple[str, str, str], ...]) -> None:
        self.state = state
        self.names = names
        self.roots = roots
        self.pack_rows = packs
        self._decision: Decision | None = None

    # ---- beginning ---------------------------------------------------------------------------------------------------
    @classmethod
    def new(
        cls, packs: Sequence[str], seats: Sequence[str], seed: int, options: Mapping[str, object] | None = None,
        content: Sequence[Path] = (), script: Mapping[str, Sequence[object]] | None = None,
    ) -> Game:  # fmt: skip
        """A game at its first decision.

        `seats` are the seats' names in the order of sitting, `options` the switches of `docs/formats.md` section 9, `script` puts named
        results in front of dice, decks and bags. Raises PackError, ContentFault, ContentStopped; ValueError for seats or options that
        do not fit.
        """
        program, loaded = program_of(tuple(packs), len(seats), tuple(content))
        low, high = loaded.players
        if not low <= len(seats) <= high:
            raise ValueError(f"{loaded.packs[0].manifest.title or loaded.packs[0].id} is for {low} to {high} seats, not {len(seats)}")
        for name in options or {}:
            if name not in OPTIONS and name not in loaded.modes:
                raise ValueError(f"no option or mode '{name}': {did_you_mean(name, [*OPTIONS, *loaded.modes]) or 'see docs/formats.md 9'}")
        S = new_state(program, seed, tuple(seats), dict(options or {}))
        S.windows = str(S.options.get("windows", "quick"))
        for name, results in (script or {}).items():
            S.script[name] = list(results)
        rows = tuple((pack.id, pack.manifest.version, pack.hash[:8]) for pack in loaded.packs)
        game = cls(S, tuple(packs), tuple(content), rows)
        main = program.ruleset.main
        if main is None or main not in program.table.verbs:
            raise ContentError("no pack names the procedure that is the game (ruleset: main)")
        game._refuel()
        try:
            push_procedure(S, main)
            game._run()
        except (LoopFound, ContentError, RecursionError) as error:
            raise _stopped(S, error) from None
        return game

    # ---- what stands open --------------------------------------------------------------------------------------------
    @property
    def decision(self) -> Decision | None:
        """The open decision; None when the game is over."""
        if self.state.pending is None:
            return None
        if self._decision is None:
            self._decision = make_decision(self.state)
        return self._decision

    @property
    def over(self) -> bool:
        return self.state.pending is None and not self.state.frames

    @property
    def winners(self) -> tuple[str, ...]:
        copies = self.state.program.world.copy
        return tuple(self.state.seat_names[copies[x] - 1] for x in self.state.winners)

    @property
    def seats(self) -> tuple[str, ...]:
        return self.state.seat_names

    @property
    def packs(self) -> tuple[str, ...]:
        return tuple(row[0] for row in self.pack_rows)

    @property
    def modes(self) -> dict[str, bool | int | str]:
        """The modes of the packs as this game is played, also those that were left as they are."""
        modes = self.state.program.modes
        return {**modes, **{name: value for name, value in self.state.options.items() if name in modes}}

    @property
    def barrier(self) -> int:
        """Grows whenever chance spoke, something hidden was seen or another seat's decision opened: undo does not go back over it."""
        return self.state.barrier

    @property
    def forced(self) -> int:
        """Choices that had one candidate only."""
        return self.state.forced

    @property
    def refused(self) -> int:
        return self.state.refused

    # ---- answering ---------------------------------------------------------------------------------------------------
    def answer(self, choice: str | int | Sequence[str], decision: str | None = None) -> None:
        """Answer the open decision with an option's id, a number, or a list of ids. Raises IllegalAnswer, ContentStopped."""
        S = self.state
        pending = S.pending
        if pending is None:
            raise IllegalAnswer("the game is over")
        if decision is not None and decision != f"d{S.decisions}":
            raise IllegalAnswer(f"that answers {decision}; open is d{S.decisions}")
        indices = self._indices(pending, choice)
        before = S.clone()
        before.trial = None
        try:
            self._apply(pending, indices)
        except (LoopFound, ContentError, RecursionError) as error:
            self.state = before
            self._decision = None
            raise _stopped(before, error) from None

    def answer_index(self, choice: int | tuple[int, ...], floor: int = 0) -> None:
        """Answer by the place of an option; quick, unchecked and without a way back, for simulations.

        With a floor the game stands still, without a decision, where the stack has come down to so many frames.
        """
        pending = self.state.pending
        assert pending is not None
        self._apply(pending, choice, floor)

    def _apply(self, pending: Pending, indices: int | tuple[int, ...], floor: int = 0) -> None:
        S = self.state
        self._decision = None
        seat = pending.seat
        decide.apply(S, indices)
        S.decisions += 1
        self._refuel()
        advance(S, floor)
        if S.pending is not None and S.pending.seat != seat:
            S.barrier += 1

    def _indices(self, pending: Pending, choice: Any) -> int | tuple[int, ...]:
        S = self.state
        ids = [decide.option_id(S, pending, i) for i in range(len(pending.options))]
        shown = make_decision(S).options
        many = pending.kind in ("choose_some", "order")

        def find(name: Any) -> int:
            text = "none" if name is None else str(name)
            for i, known in enumerate(ids):
                if text in (known, shown[i].id) and (shown[i].id == known or text == shown[i].id):
                    return i
            offered = ", ".join(option.id for option in shown)
            raise IllegalAnswer(f"{text} is not offered; there are {offered}", self.why_not(text, self.seats[pending.seat]))

        if not many:
            if isinstance(choice, list | tuple):
                if len(choice) != 1:
                    raise IllegalAnswer("one option is wanted")
                choice = choice[0]
            return find(choice)
        names = list(choice) if isinstance(choice, list | tuple) else [] if choice in ("none", "") else [choice]
        found = tuple(find(name) for name in names)
        if len(set(found)) != len(found):
            raise IllegalAnswer("an option was named twice")
        if not pending.minimum <= len(found) <= pending.maximum:
            raise IllegalAnswer(f"{pending.minimum} to {pending.maximum} options are wanted, not {len(found)}")
        return found

    def _refuel(self) -> None:
        S = self.state
        S.fuel = int(S.options.get("fuel", 20_000))
        S.purse = int(S.options.get("purse", 20_000))

    def _run(self) -> None:
        advance(self.state)

    # ---- looking -----------------------------------------------------------------------------------------------------
    def view(self, seat: str | None = None) -> dict[str, Any]:
        """What a seat sees; None = what everybody sees."""
        return make_view(self.state, -1 if seat is None else self._seat(seat))

    def journal(self, seat: str | None = None, since: int = 0, level: str = "events") -> Iterator[Entry]:
        """Entries after `since`: for a seat, for `table` (what all see), or for all eyes (None)."""
        return entries(self.state, None if seat is None else -1 if seat == "table" else self._seat(seat), since, level)

    def harm(self, seat: str | None = None) -> tuple[int, ...]:
        """How bad things stand by the pack's harm order, as everybody can see; greater is worse."""
        return harm(self.state)

    def forecast(self, option: str, seat: str) -> tuple[int, ...] | None:
        """The harm after an option, up to the next decision, chance or hidden fact; None if it cannot be told."""
        pending = self.state.pending
        if pending is None:
            return None
        for i in range(len(pending.options)):
            if decide.option_id(self.state, pending, i) == option:
                return foresee(self.state, i, self._seat(seat))
        return None

    def why(self, text: str, seat: str | None = None) -> list[str]:
        """Causes of an entry by its number, or of the `last`; else the entries about a thing or a field (`pawn.points`)."""
        eyes = -1 if seat is None or seat == "table" else self._seat(seat)
        if text == "last" or text.isdigit():
            raws = [raw for raw in self.state.journal if text == "last" or raw[0] == int(text)]
            told = next((lines for raw in reversed(raws) if (lines := explain(self.state, raw, eyes))), [])
            return told
        name, _, field = text.partition(".")
        found = self.journal(seat or "table", 0, "full")
        about = [entry for entry in found if any(change[0] == name and (not field or change[1] == field) for change in entry.changes)][-8:]
        return [f"#{entry.seq} {entry.text}{_because(self.state, entry)}" for entry in about]

    def why_not(self, option: str, seat: str | None = None) -> list[dict[str, Any]]:
        """Why an option (or, for an empty text, each that might be expected) is not offered now."""
        S = self.state
        pending = S.pending
        if pending is None:
            return []
        if seat is not None and self._seat(seat) != pending.seat:
            return []
        if pending.kind == "action":
            S.pending = None  # a trial runs on from here only while nothing is open
            purse = S.purse  # looking must not change what the game can afford to try
            try:
                return refused_actions(S, pending, option)
            finally:
                S.pending, S.purse = pending, purse
        purse = S.purse
        try:
            return refused_candidates(S, option)
        finally:
            S.purse = purse

    # ---- copies ------------------------------------------------------------------------------------------------------
    def clone(self) -> Game:
        return Game(self.state.clone(), self.names, self.roots, self.pack_rows)

    def unseen(self, seat: str) -> Unseen:
        """What a seat does not see of the game now, for `imagine`."""
        return Unseen(self.state, self._seat(seat))

    def imagine(self, unseen: Unseen, number: int) -> Game:
        """The copy with this number in which what is unseen is made up anew, and so is chance; to the seat it looks the same."""
        return Game(unseen.imagine(number), self.names, self.roots, self.pack_rows)

    def save(self) -> dict[str, Any]:
        """The game as plain JSON, in the middle of anything."""
        return {
            "format": FORMAT, "packs": [list(row) for row in self.pack_rows], "names": list(self.names), "items": item_hashes(self.state),
            "state": save_state(self.state),
        }  # fmt: skip

    @classmethod
    def load(cls, data: Mapping[str, Any], content: Sequence[Path] = ()) -> Game:
        """A game from `save()`. Raises SaveError if the save is damaged, or if content on its stack has changed."""
        save = read_save(data)
        state = save.state
        if "seats" not in state:
            raise SaveError("the save is damaged: it does not say who sits at the table")
        program, loaded = program_of(save.names, len(state["seats"]), tuple(content))
        rows = tuple((pack.id, pack.manifest.version, pack.hash[:8]) for pack in loaded.packs)
        if rows != save.packs:
            changed = changed_items(program, state, save.items)
            if changed:
                raise SaveError(f"content that the game stands in has changed: {', '.join(changed)}")
        S = load_state(program, state)
        game = cls(S, save.names, tuple(content), rows)
        game._refuel()
        if S.pending is None and S.frames:
            game._run()
        return game

    def hash(self) -> str:
        return state_hash(self.state)

    def header(self) -> dict[str, Any]:
        """The header of transcripts and game files."""
        options = {name: value for name, value in self.state.options.items()} | {"windows": self.state.windows}
        return {
            "format": FORMAT, "language": 1, "options": options, "packs": [list(row) for row in self.pack_rows],
            "seats": list(self.seats), "seed": self.state.seed,
        }  # fmt: skip

    @property
    def program(self) -> Program:
        return self.state.program

    def _seat(self, name: str) -> int:
        if name not in self.seats:
            raise ValueError(f"no seat {name}; there are {', '.join(self.seats)}")
        return self.seats.index(name)


def _because(S: State, entry: Entry) -> str:
    rules = f" ({', '.join(entry.rules)})" if entry.rules else ""
    return f", because of {cause_text(S, entry.causes[0])}{rules}" if entry.causes else rules


def _stopped(S: State, error: Exception) -> ContentStopped:
    if isinstance(error, LoopFound):
        return ContentStopped(loop_text(S, error.reason, error.cycle), error.cycle)
    if isinstance(error, RecursionError):
        return ContentStopped("questions that ask each other without an end")
    return ContentStopped(str(error))


def describe_thing(game: Game, x: Ref, seat: int) -> str:
    return game.state.name(x) if seen_by(game.state, x, seat) else "unseen"


def content_hash(names: Sequence[str], roots: Sequence[Path] = ()) -> str:
    """One hash over the content of some packs."""
    loaded = packs_of(tuple(names), tuple(roots))
    return blake2b("".join(pack.hash for pack in loaded.packs).encode(), digest_size=8).hexdigest()
