"""A tiny game with the library's face, so that the table can be tested without packs or kernel.

Three rounds; each seat in turn does two deeds: `walk` (then a place), `pick` (0 to 2 pebbles), `bid` (0..3), `line_up` (an order), `toss`
(chance), `rest`; `jam` stops the game, `fly` is always refused. The most points win. Setting FAKE_CHANGED alters the content's hash, the
rules too if it is `rules`.
"""

from __future__ import annotations

import copy
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PLACES = {"a1": "Gate", "a2": "Pond", "b1": "Tower"}
DEEDS = ("walk", "pick", "bid", "line_up", "toss", "rest", "jam")


class IllegalAnswer(Exception):
    def __init__(self, message: str, reasons: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(message)
        self.reasons = tuple(reasons)


class ContentStopped(Exception):
    def __init__(self, report: str) -> None:
        super().__init__(report)
        self.report = report


@dataclass(frozen=True)
class Option:
    id: str
    text: str
    kind: str = "word"
    cost: int | None = None

    @property
    def label(self) -> dict[str, Any]:
        return {"template": self.text, "args": {}}


@dataclass(frozen=True)
class Decision:
    id: str
    seq: int
    kind: str
    chooser: str
    template: str
    options: tuple[Option, ...]
    min: int = 1
    max: int = 1
    title: str = "Deed"

    @property
    def asker(self) -> dict[str, Any]:
        return {"address": f"tests/fake:action/{self.title}", "title": self.title, "cites": ["FAKE-01"]}

    @property
    def viewers(self) -> tuple[str, ...]:
        return (self.chooser,)

    @property
    def prompt(self) -> dict[str, Any]:
        return {"template": self.template, "args": {}}


@dataclass(frozen=True)
class Entry:
    seq: int
    text: str
    event: str = "note"
    causes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ("FAKE-01",)
    seen_by: str = "all"

    def to_json(self) -> dict[str, Any]:
        return {"s": self.seq, "e": self.event, "a": {"text": self.text}, "c": list(self.causes), "r": list(self.rules), "v": self.seen_by}


@dataclass
class Plain:
    seed: int
    seats: tuple[str, ...]
    turn: int = 0
    deed: str | None = None
    asked: int = 0
    tosses: int = 0
    barrier: int = 0
    points: dict[str, int] = field(default_factory=dict)
    place: dict[str, str] = field(default_factory=dict)
    journal: list[Entry] = field(default_factory=list)


class Game:
    def __init__(self, plain: Plain, packs: tuple[str, ...], options: Mapping[str, object]) -> None:
        self.plain, self.packs, self.options = plain, packs, dict(options)
        self.seats = plain.seats

    @classmethod
    def new(
        cls, packs: Sequence[str], seats: Sequence[str], seed: int, options: Mapping[str, object] = {}, content: Sequence[Path] = ()
    ) -> Game:
        game = cls(Plain(seed, tuple(seats)), tuple(packs), options)
        game.plain.points = dict.fromkeys(seats, 0)
        game.plain.place = dict.fromkeys(seats, "a1")
        game._note("the game begins")
        return game

    @property
    def modes(self) -> dict[str, bool | int | str]:
        return {"foggy": False, "stones": 3}

    @property
    def barrier(self) -> int:
        return self.plain.barrier

    @property
    def over(self) -> bool:
        return self.plain.turn >= 6 * len(self.seats)

    @property
    def winners(self) -> tuple[str, ...]:
        most = max(self.plain.points.values())
        return tuple(seat for seat in self.seats if self.over and self.plain.points[seat] == most)

    @property
    def decision(self) -> Decision | None:
        if self.over:
            return None
        p = self.plain
        seat = self.seats[p.turn // 2 % len(self.seats)]

        def ask(kind: str, template: str, options: list[Option], least: int = 1, most: int = 1) -> Decision:
            return Decision(f"d{p.asked}", len(p.journal), kind, seat, template, tuple(options), least, most, p.deed or "Deed")

        if p.deed == "walk":
            return ask("choose_one", "choose a place", [Option(name, f"{name} {title}") for name, title in PLACES.items()])
        if p.deed == "pick":
            return ask("choose_some", "choose pebbles", [Option(f"pebble#{n}", f"pebble {n}") for n in (1, 2, 10)], 0, 2)
        if p.deed == "bid":
            return ask("amount", "choose a bid", [Option(str(n), str(n)) for n in range(4)], 0, 3)
        if p.deed == "line_up":
            return ask("order", "put in order", [Option(word, word) for word in ("red", "green", "blue")], 3, 3)
        if os.environ.get("FAKE_CHANGED") == "rules":
            return ask("action", "choose an action", [Option("rest", "rest")])
        return ask("action", "choose an action", [Option(deed, deed.replace("_", " "), cost=int(deed == "walk")) for deed in DEEDS])

    def answer(self, choice: str | int | list[str], decision: str | None = None) -> None:
        asked = self.decision
        if asked is None or decision not in (None, asked.id):
            raise IllegalAnswer("this answers another decision")
        given = [str(part) for part in choice] if isinstance(choice, list) else [str(choice)]
        if any(part not in {option.id for option in asked.options} for part in given) or not (
            not isinstance(choice, list) or asked.min <= len(choice) <= asked.max
        ):
            raise IllegalAnswer("that is not offered", self.why_not(str(choice), asked.chooser))
        if choice == "jam":
            raise ContentStopped("tests/fake:action/jam, deeds.nrs:3: the same two rules go round")
        p, seat = self.plain, asked.chooser
        p.asked += 1
        if asked.kind == "action" and choice in ("walk", "pick", "bid", "line_up"):
            p.deed = str(choice)
            return
        if p.deed == "walk":
            p.place[seat] = given[0]
            p.points[seat] += 2 if given[0] == "b1" else 0
            self._note(f"{seat} walks to {given[0]}")
        elif p.deed == "bid":
            p.points[seat] += 1 if given == ["2"] else 0
            self._note(f"{seat} bids {given[0]}")
        elif p.deed is not None:
            self._note(f"{seat} takes {', '.join(given) or 'nothing'}")
        elif choice == "toss":
            face = hashlib.sha256(f"{p.seed}/{p.tosses}".encode()).digest()[0] % 6 + 1
            p.tosses += 1
            p.barrier += 1
            p.points[seat] += face
            self._note(f"{seat} tosses {face}")
        else:
            self._note(f"{seat} rests")
        p.deed = None
        p.turn += 1
        if not self.over and self.seats[p.turn // 2 % len(self.seats)] != seat:
            p.barrier += 1

    def _note(self, text: str) -> None:
        self.plain.journal.append(Entry(len(self.plain.journal) + 1, text, causes=("tests/fake:turn",)))

    def view(self, seat: str | None) -> dict[str, Any]:
        p = self.plain
        things = {f"pawn#{n}": {"kind": "pawn", "title": f"Pawn of {s}", "place": p.place[s], "fields": {"seat": s, "points": p.points[s]}}
                  for n, s in enumerate(self.seats, 1)}  # fmt: skip
        places = {name: {"title": title, "fields": {}, "exits": [way for way in PLACES if way != name]} for name, title in PLACES.items()}
        return {"zones": {}, "places": places, "things": things, "fields": {"round": p.turn // (2 * len(self.seats)) + 1}}

    def journal(self, seat: str | None = None, since: int = 0, level: str = "events") -> Iterator[Entry]:
        return iter([entry for entry in self.plain.journal if entry.seq > since])

    def why(self, text: str, seat: str | None) -> list[str]:
        number = len(self.plain.journal) if text == "last" else int(text) if text.isdigit() else 0
        return [f"{entry.text}, because of {entry.causes[0]} (FAKE-01)" for entry in self.plain.journal if entry.seq == number]

    def why_not(self, option_text: str, seat: str | None) -> list[dict[str, Any]]:
        refused = {"id": "fly", "because": "you have no wings", "cites": ["FAKE-02"]}
        return [refused] if "fly".startswith(option_text.strip().lower()) and self.plain.deed is None else []

    def forecast(self, option: str, seat: str) -> tuple[int, ...] | None:
        if option in ("toss", "jam") or self.plain.deed == "line_up":
            return None if option == "toss" else (99,)
        trial = self.clone()
        trial.answer(option)
        return trial.harm(seat)

    def harm(self, seat: str) -> tuple[int, ...]:
        return (-self.plain.points[seat],)

    def clone(self) -> Game:
        return Game(copy.deepcopy(self.plain), self.packs, self.options)

    def save(self) -> dict[str, Any]:
        return {"plain": {**vars(self.plain), "journal": len(self.plain.journal)}}

    def hash(self) -> str:
        return hashlib.sha256(json.dumps(self.save(), sort_keys=True).encode()).hexdigest()[:12]

    def header(self) -> dict[str, Any]:
        version = os.environ.get("FAKE_CHANGED", "as it was")
        return {"format": 1, "language": 1, "options": self.options, "packs": [[pack, "1.0", version] for pack in self.packs],
                "seats": list(self.seats), "seed": self.plain.seed}  # fmt: skip
