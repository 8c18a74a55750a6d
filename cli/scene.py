"""A view in words: what lies where, one fact a line, in an order that never jumps.

A view is what `Game.view(seat)` gives: ``things`` (name -> kind, title, place, fields), ``places`` and ``zones`` (name -> what is known
of them) and ``fields`` (of the game). A cell that the seat may not see is not in it, so nothing here can tell it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from cli.messages import counted, did_you_mean, sentence, spoken
from cli.present import Present


class Scene:
    """One seat's view, ready to be told."""

    def __init__(self, view: Mapping[str, Any], present: Present, seat: str | None) -> None:
        self.things: Mapping[str, Mapping[str, Any]] = view.get("things") or {}
        self.places: Mapping[str, Mapping[str, Any]] = view.get("places") or {}
        self.zones: Mapping[str, Mapping[str, Any]] = view.get("zones") or {}
        self.fields: Mapping[str, Any] = view.get("fields") or {}
        self.present = present
        self.seat = seat
        self._inside: dict[str, list[str]] = {}
        for name, thing in self.things.items():
            self._inside.setdefault(str(thing.get("place")), []).append(name)

    def status(self) -> list[str]:
        """The bar that the pack asks for, else every field of the game."""
        told = [f"{spoken(name).capitalize()}: {spoken(value)}." for name, value in self._bar()]
        return told or ["Nothing is told of the game as a whole."]

    def look(self) -> list[str]:
        """Where the seat's own figure is, what is there, and how it fares."""
        own = self.own()
        lines: list[str] = []
        for name in own:
            place = self._spot(name)
            if place is not None:
                lines.append(f"{self.called(name)} is in {self.place_line(place, skip=name)}.")
                lines += self.near(place)
            lines += self.fares(name)
        return lines or self.map()

    def map(self) -> list[str]:
        """Every place that holds something or is known, by name."""
        named = [self.place_line(place) for place in sorted(self.places, key=_natural)]
        return [f"{line}" for line in named] or ["There is no map."]

    def near(self, place: str) -> list[str]:
        """The ways out of a place."""
        return [f"{self._by(way)} to {self.place_line(way[0])}." for way in self._exits(place)]

    def ways(self, text: str) -> list[str]:
        """The ways out of the place that is meant, or of where the seat is."""
        places = [place for place in ([self._place(text)] if text else self._standing()) if place is not None]
        lines = [line for place in places for line in self.near(place)]
        return lines or [f"No way out is known{f' of `{text}`' if text else ''}."]

    def route(self, text: str) -> list[str]:
        """The shortest way from where the seat is, by what it knows."""
        goal = self._place(text)
        if goal is None:
            return [f"No place is called `{text}`.{did_you_mean(text, self.places)}"]
        paths = [[start] for start in self._standing()]
        seen = {path[0] for path in paths}
        while paths:
            path = paths.pop(0)
            if path[-1] == goal:
                return [f"{counted(len(path) - 1, 'step')}: {', '.join(self.present.place(step) for step in path)}."]
            for to, _ in self._exits(path[-1]):
                if to not in seen:
                    seen.add(to)
                    paths.append([*path, to])
        return [f"No way to {self.present.place(goal)} is known."]

    def hand(self) -> list[str]:
        """What the seat holds in zones of its own."""
        lines = []
        for zone, about in sorted(self.zones.items()):
            if not any(zone.startswith(f"{name}.") for name in (*self.own(), self.seat)):
                continue
            cards = [self.called(str(name)) for name in about.get("things") or []]
            count = about.get("count", len(cards))
            lines.append(f"{spoken(zone.split('.', 1)[1]).capitalize()}, {count}: {', '.join(cards) if cards else 'not seen'}.")
        return [line for line in lines if not line.endswith(", 0: not seen.")] or ["You hold nothing."]

    def team(self) -> list[str]:
        """Every figure of a seat, with how it fares."""
        lines: list[str] = []
        for name, thing in self.things.items():
            if _fields(thing).get("seat"):
                place = self._spot(name)
                lines.append(f"{self.called(name)} ({_fields(thing)['seat']}){f' in {self.present.place(place)}' if place else ''}.")
                lines += self.fares(name)
        return lines or ["No seat has a figure on the table."]

    def where(self, text: str) -> list[str]:
        """Where the things are whose name, kind or title begins with ``text``."""
        wanted = text.lower().strip()
        lines = []
        for name, thing in sorted(self.things.items(), key=lambda pair: _natural(pair[0])):
            words = (name, str(thing.get("kind", "")), str(thing.get("title", "")), *self._words(thing))
            if any(word.lower().replace("_", " ").startswith(wanted) for word in words):
                place = self._spot(name) or str(thing.get("place"))
                lines.append(f"{self.called(name)}: {self.present.place(place)}.")
        if not lines and wanted in self.places:
            return [f"{self.place_line(wanted)}."]
        return lines or [f"Nothing is called `{text}`.{did_you_mean(text, (*self.things, *self.places))}"]

    def place_line(self, place: str, skip: str = "") -> str:
        """``b2 Old Mill: 2 goblins; level 3``: a place, what lies there by number and kind, its fields."""
        about = self.places.get(place, {})
        title = str(about.get("title") or self.present.place(place))
        head = title if title.lower() == place.lower() else f"{place} {title}"
        inside = [name for name in self._inside.get(place, []) if name != skip]
        counts = Counter(str(self.things[name].get("kind", name)) for name in inside if not self._seat(name))
        people = [self.called(name) for name in inside if self._seat(name)]
        here = people + [self.present.words(kind, counts[kind]) for kind in sorted(counts, key=self.present.order)]
        facts = [f"{spoken(name)} {spoken(value)}" for name, value in sorted(_fields(about).items()) if value not in (None, False, "", 0)]
        return f"{head}: {', '.join(here) or 'empty'}{'; ' + ', '.join(facts) if facts else ''}"

    def fares(self, name: str) -> list[str]:
        """The fields of a figure: those the pack names first, in its order."""
        fields = _fields(self.things.get(name, {}))
        names = [field for field in self.present.seat if field in fields] or sorted(field for field in fields if field != "seat")
        told = [f"{spoken(field)} {spoken(fields[field])}" for field in names]
        return [f"{self.called(name)}: {', '.join(told)}."] if told else []

    def own(self) -> list[str]:
        """Names of the things that are the seat's."""
        return [name for name in self.things if self.seat is not None and self._seat(name) == self.seat]

    def called(self, name: str) -> str:
        """A thing's title, with its number where several are alike."""
        thing = self.things.get(name, {})
        return f"{thing['title']}" if thing.get("title") else spoken(name).replace("#", " ")

    def _seat(self, name: str) -> str | None:
        seat = _fields(self.things.get(name, {})).get("seat")
        return str(seat) if seat else None

    def _exits(self, place: str) -> list[tuple[str, str | None]]:
        found = []
        for way in self.places.get(place, {}).get("exits") or []:
            to, by = (way.get("to"), way.get("by")) if isinstance(way, Mapping) else (way, None)
            found.append((str(to), None if by is None else str(by)))
        return found

    def _by(self, way: tuple[str, str | None]) -> str:
        return "A way" if way[1] is None else sentence(self.called(way[1])).rstrip(".")

    def _standing(self) -> list[str]:
        return [place for name in self.own() if (place := self._spot(name)) is not None]

    def _place(self, text: str) -> str | None:
        wanted = text.lower().strip()
        titles = {place: str(about.get("title") or self.present.place(place)).lower() for place, about in self.places.items()}
        exact = [place for place in self.places if wanted in (place.lower(), titles[place]) or place.lower().endswith(f"#{wanted}")]
        begins = [place for place in self.places if wanted and titles[place].startswith(wanted)]
        return exact[0] if exact else begins[0] if len(begins) == 1 else None

    def _words(self, thing: Mapping[str, Any]) -> Iterable[str]:
        return (str(word) for word in self.present.kinds.get(str(thing.get("kind")), {}).get("words") or [])

    def _spot(self, name: str) -> str | None:
        seen: set[str] = set()
        while name in self.things and name not in seen:
            seen.add(name)
            name = str(self.things[name].get("place"))
            if name in self.places:
                return name
        return None

    def _bar(self) -> Iterable[tuple[str, Any]]:
        if not self.present.bar:
            return sorted((name, value) for name, value in self.fields.items() if not isinstance(value, list | Mapping))
        found = []
        for name in self.present.bar:
            value = self.fields.get(name, self.fields.get(f"game.{name}", self.things.get(name, {}).get("value")))
            if value is not None:
                found.append((name, value))
        return found


def _fields(thing: Mapping[str, Any]) -> Mapping[str, Any]:
    found = thing.get("fields")
    return found if isinstance(found, Mapping) else {}


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
