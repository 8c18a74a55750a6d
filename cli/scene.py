"""A view in words: what lies where, one fact a line, in an order that never jumps.

A view is what `Game.view(seat)` gives: ``things`` (name -> kind, title, place, fields), ``places`` and ``zones`` (name -> what is known
of them), ``fields`` (of the game) and ``seats`` (name of the thing -> name of the seat). A cell that the seat may not see is not in it,
so nothing here can tell it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from cli.compass import SHORT, Spot, direction
from cli.messages import counted, did_you_mean, listed, sentence, spoken
from cli.present import Present


class Scene:
    """One seat's view, ready to be told."""

    def __init__(self, view: Mapping[str, Any], present: Present, seat: str | None) -> None:
        self.things: Mapping[str, Mapping[str, Any]] = view.get("things") or {}
        self.places: Mapping[str, Mapping[str, Any]] = view.get("places") or {}
        self.zones: Mapping[str, Mapping[str, Any]] = view.get("zones") or {}
        self.fields: Mapping[str, Any] = view.get("fields") or {}
        self.seats: Mapping[str, str] = view.get("seats") or {}
        self.present = present
        self.seat = seat
        self._inside: dict[str, list[str]] = {}
        for name, thing in self.things.items():
            self._inside.setdefault(str(thing.get("place")), []).append(name)

    # ---- the whole -----------------------------------------------------------------------------------------------------
    def status(self) -> list[str]:
        """The bar that the pack asks for, else every field of the game; then the alarms."""
        told = [f"{spoken(name).capitalize()}: {self._spoken(value)}." for name, value in self._bar()]
        told += [sentence(say) for when, say in self.present.alarms if self.fields.get(when.removeprefix("game.")) is True]
        return told or ["Nothing is told of the game as a whole."]

    def head(self) -> str:
        """The bar in one line, empty if the pack asks for none; the first name of the bar stands first."""
        return " ".join(self.status()) if self.present.bar else ""

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
        """Every place on the map, as it lies there: by line and column where it has them, else by name."""
        shown = [place for place, about in self.places.items() if self.present.on_map(str(about.get("kind")))]
        ways = {place for place in shown if self._is_way(place)}
        last = (10**6, 0)
        spots = sorted((place for place in shown if place not in ways), key=lambda place: (self.spot(place) or last, _natural(place)))
        lines = [f"{self.place_line(place)}." for place in spots]
        lines += [f"{self.place_line(place)}{self._ends(place)}." for place in sorted(ways, key=_natural)]
        return lines or ["There is no map."]

    def near(self, place: str) -> list[str]:
        """The ways out of a place, by direction where the map has one."""
        return [sentence(self.way_line(way, place)) for way in self._exits(place)]

    def way_line(self, way: tuple[str, str | None], place: str) -> str:
        """``north: Long Hall, 1 pawn, to Gate``: one way out of ``place``."""
        to, by = way
        towards = self.towards(to, place)
        beyond = [end for end, _ in self._exits(to) if end != place] if self._is_way(to) else []
        inside = self._holds(to)
        parts = [f"{self.place_name(to)}"] if by is None else [self.called(by), f"to {self.place_name(to)}"]
        parts += [inside] if inside else []
        parts += [f"to {self.place_name(end)}{f' ({held})' if (held := self._holds(end)) else ''}" for end in beyond]
        return f"{towards or 'way out'}: {', '.join(parts)}"

    def towards(self, to: str, place: str) -> str | None:
        """The direction from ``place`` to ``to``, or to where it leads; None where the map has none."""
        here = self.spot(place)
        there = self.spot(to)
        if there is None or there == here:
            there = next((spot for end, _ in self._exits(to) if end != place and (spot := self.spot(end)) is not None), None)
        return None if here is None or there is None else direction(here, there)

    def directions(self) -> dict[str, str | None]:
        """Way out of where the seat is -> its direction; empty if it has no figure, or several."""
        standing = self._standing()
        return {to: self.towards(to, standing[0]) for to, _ in self._exits(standing[0])} if len(standing) == 1 else {}

    def ways(self, text: str) -> list[str]:
        """The ways out of the place that is meant, or of where the seat is."""
        places = [place for place in ([self._place(text)] if text else self._standing()) if place is not None]
        lines = [line for place in places for line in self.near(place)]
        return lines or [f"No way out is known{f' of `{text}`' if text else ''}."]

    def route(self, text: str) -> list[str]:
        """The shortest way from where the seat is, by what it knows."""
        goal = self._place(text)
        if goal is None:
            return [f"No place is called `{text}`.{did_you_mean(text, self.places)}" if text else "Say where to: `route PLACE`."]
        paths = [[start] for start in self._standing()]
        seen = {path[0] for path in paths}
        while paths:
            path = paths.pop(0)
            if path[-1] == goal:
                steps = [step for step in path if not self._is_way(step)]
                return [f"{counted(len(steps) - 1, 'step')}: {', '.join(self.place_name(step) for step in path)}."]
            for to, _ in self._exits(path[-1]):
                if to not in seen:
                    seen.add(to)
                    paths.append([*path, to])
        return [f"No way to {self.place_name(goal)} is known."]

    def hand(self) -> list[str]:
        """What the seat holds in zones of its own."""
        lines = []
        holders = [*self.own(), *(thing for thing, seat in self.seats.items() if seat == self.seat), self.seat]
        for zone, about in sorted(self.zones.items()):
            if not any(zone.startswith(f"{name}.") for name in holders):
                continue
            cards = self._tally(about.get("things") or [])
            count = about.get("count", len(about.get("things") or []))
            lines.append(f"{spoken(zone.split('.', 1)[1]).capitalize()}, {count}: {', '.join(cards) if cards else 'not seen'}.")
        return [line for line in lines if not line.endswith(", 0: not seen.")] or ["You hold nothing."]

    def team(self) -> list[str]:
        """Every figure of a seat, with how it fares."""
        lines: list[str] = []
        for name in self.figures():
            place = self._spot(name)
            lines.append(f"{self.called(name)} ({self._seat(name)}){f' in {self.place_name(place)}' if place else ''}.")
            lines += self.fares(name)
        return lines or ["No seat has a figure on the table."]

    def where(self, text: str) -> list[str]:
        """Where the things are whose name, kind or title begins with ``text``, with what is seen of them."""
        wanted = text.lower().strip()
        lines = self._seen_towards(wanted)
        if lines:
            return lines
        for name, thing in sorted(self.things.items(), key=lambda pair: _natural(pair[0])):
            words = (name, str(thing.get("kind", "")), str(thing.get("title", "")), *self._words(thing))
            if wanted and any(_begin_in_order(wanted.split(), word.lower().replace("_", " ").split()) for word in words):
                spot = self._spot(name) or str(thing.get("place"))
                facts = self._facts(str(thing.get("kind")), _fields(thing)) if self.present.facts(str(thing.get("kind"))) else []
                lines.append(f"{self.called(name)}: {self.place_name(spot)}{''.join(f', {fact}' for fact in facts)}.")
        place = self._place(text)
        if place is not None:
            return [f"{self.place_line(place)}.", *self.near(place), *lines]
        return lines or [f"Nothing is called `{text}`.{did_you_mean(text, (*self.things, *self.places))}"]

    def _seen_towards(self, wanted: str) -> list[str]:
        """The ways out of where the seat is that lead in a direction, by its name or its letters."""
        name = SHORT.get(wanted, wanted)
        ways = [line for place in self._standing() for line in self.near(place)]
        return [line for line in ways if line.lower().startswith(f"{name}: ")]

    # ---- single things -------------------------------------------------------------------------------------------------
    def place_line(self, place: str, skip: str = "") -> str:
        """``b2 12 Old Mill: 2 pawns; level 3``: a place, what lies there by number and kind, what else is to be said of it."""
        about = self.places.get(place, {})
        lies = self.present.place(str(about.get("place"))) if str(about.get("place")) in self.places else ""
        title = self.place_name(place)
        bare = str(about.get("title") or self.present.place(place))
        tag = "" if bare.lower() == spoken(place).lower() or self.present.number(str(about.get("kind"))) else f"{spoken(place)} "
        facts = self._facts(str(about.get("kind")), _fields(about))
        at = f"{lies.replace(' ', '-')} " if lies and lies != bare else ""
        return f"{at}{tag}{title}: {self._holds(place, skip) or 'empty'}{'; ' + ', '.join(facts) if facts else ''}"

    def place_name(self, place: str) -> str:
        """What a place is called, its printed number first; a place that is called by what lies on it, by that."""
        about = self.places.get(place, {})
        title = str(about.get("title") or "")
        label = self.present.label_zone(str(about.get("kind")))
        if not title and label is not None:
            signs = self.zones.get(f"{place}.{label}", {}).get("things") or []
            title = f"{spoken(place)} {self.called(str(signs[0]))}" if signs else ""
        if not title:
            title = place.replace("_", "-") if self._is_way(place) else self.present.place(place)
        field = self.present.number(str(about.get("kind")))
        number = _fields(about).get(field) if field else None
        return title if number in (None, "") or str(number) in title.split() or _padded(number, title) else f"{number} {title}"

    def option(self, name: str, text: str) -> str:
        """The text of an option, with what a person wants to know of it: direction and contents of a place, the place of a thing."""
        standing = self._standing()
        if name in self.places:
            if len(standing) == 1 and any(name == to for to, _ in self._exits(standing[0])):
                towards, _, rest = self.way_line((name, None), standing[0]).partition(": ")
                return rest if towards == "way out" else f"{towards.capitalize()}, {rest}"
            held = self._holds(name)
            return f"{self.place_name(name)}{f', {held}' if held else ''}"
        thing = self.things.get(name)
        if thing is None or text.lower().replace("_", " ") != self.called(name).lower():
            return text
        place = self._spot(name)
        return f"{text}, in {self.place_name(place)}" if place is not None and place not in standing else text

    def fares(self, name: str) -> list[str]:
        """The fields and zones of a figure: those the pack names first, in its order."""
        fields = _fields(self.things.get(name, {}))
        told: list[str] = []
        for field in self.present.seat or sorted(field for field in fields if field != "seat"):
            zone = self.zones.get(f"{name}.{field}")
            if field in fields:
                if fields[field] is not None and fields[field] is not False:
                    told.append(spoken(field) if fields[field] is True else f"{spoken(field)} {self._spoken(fields[field])}")
            elif zone is not None and zone.get("count"):
                cards = self._tally(zone.get("things") or [])
                told.append(f"{spoken(field)} {zone['count']}{' (' + ', '.join(cards) + ')' if cards else ''}")
        return [f"{self.called(name)}: {', '.join(told)}."] if told else []

    def figures(self) -> list[str]:
        """Names of the things that are any seat's."""
        return [name for name in self.things if self._seat(name)]

    def own(self) -> list[str]:
        """Names of the things that are the seat's."""
        return [name for name in self.things if self.seat is not None and self._seat(name) == self.seat]

    def called(self, name: str) -> str:
        """A thing's title; without one its kind and number."""
        thing = self.things.get(name, {})
        return f"{thing['title']}" if thing.get("title") else spoken(name).replace("#", " ")

    def named(self, text: str) -> str | None:
        """The name of the thing or place that is called ``text``, if there is just one."""
        wanted = text.lower().strip()
        hits = [name for name in self.things if wanted in (name.lower(), self.called(name).lower())]
        return hits[0] if len(hits) == 1 else self._place(text)

    def spot(self, place: str) -> Spot | None:
        """Line and column of a place, or of the one it lies on."""
        for name in (place, str(self.places.get(place, {}).get("place"))):
            fields = _fields(self.places.get(name, {}))
            line, column = fields.get("line"), fields.get("column")
            if isinstance(line, int) and isinstance(column, int):
                return line, column
        return None

    # ---- inside --------------------------------------------------------------------------------------------------------
    def _holds(self, place: str, skip: str = "") -> str:
        inside = [name for name in self._inside.get(place, []) if name != skip]
        counts = Counter((str(self.things[name].get("kind", name)), self._aside(name)) for name in inside if not self._seat(name))
        people = [f"{self.called(name)} ({self._seat(name)})" if self._seat(name) not in self.called(name) else self.called(name)
                  for name in inside if self._seat(name)]  # fmt: skip
        kinds = sorted(counts, key=lambda what: (self.present.order(what[0]), what[1]))
        return ", ".join(people + [self.present.words(what[0], counts[what]) + what[1] for what in kinds])

    def _aside(self, name: str) -> str:
        """`` (of somebody)``: the facts that are told of a thing of such a kind, in brackets."""
        thing = self.things[name]
        kind = str(thing.get("kind"))
        facts = self._facts(kind, _fields(thing)) if self.present.facts(kind) else []
        return f" ({', '.join(facts)})" if facts else ""

    def _tally(self, names: Iterable[Any]) -> list[str]:
        """Things by title, alike ones once with their number; those without a title by kind."""
        found = [str(name) for name in names]
        titles = Counter(self.called(name) for name in found if self.things.get(name, {}).get("title"))
        kinds = Counter(str(self.things.get(name, {}).get("kind", name)) for name in found if not self.things.get(name, {}).get("title"))
        told = [title if n == 1 else f"{title} x{n}" for title, n in titles.items()]
        return told + [self.present.words(kind, kinds[kind]) for kind in sorted(kinds, key=self.present.order)]

    def _facts(self, kind: str, fields: Mapping[str, Any]) -> list[str]:
        names = self.present.facts(kind)
        told = []
        for name in sorted(fields) if names is None else names:
            value = fields.get(name)
            if value in (None, False, "", 0, []) or name in ("line", "column") or (isinstance(value, str) and value in self.present.unsaid):
                continue
            told.append(spoken(name) if value is True else f"{spoken(name)} {self._spoken(value)}")
        return told

    def _spoken(self, value: Any) -> str:
        if isinstance(value, list | tuple):
            return listed(self._spoken(part) for part in value) or "none"
        if isinstance(value, str) and value in self.things:
            return self.called(value)
        return self.place_name(value) if isinstance(value, str) and value in self.places else spoken(value)

    def _seat(self, name: str) -> str:
        return str(_fields(self.things.get(name, {})).get("seat") or "")

    def _is_way(self, place: str) -> bool:
        return self.present.role(str(self.places.get(place, {}).get("kind"))) == "way"

    def _ends(self, place: str) -> str:
        ends = [self.place_name(to) for to, _ in self._exits(place)]
        return f"; joins {listed(ends)}" if len(ends) > 1 else f"; at {ends[0]}" if ends else ""

    def _exits(self, place: str) -> list[tuple[str, str | None]]:
        found = []
        for way in self.places.get(place, {}).get("exits") or []:
            to, by = (way.get("to"), way.get("by")) if isinstance(way, Mapping) else (way, None)
            found.append((str(to), None if by is None else str(by)))
        return found

    def _standing(self) -> list[str]:
        return [place for name in self.own() if (place := self._spot(name)) is not None]

    def _place(self, text: str) -> str | None:
        wanted = text.lower().strip()
        titles = {place: self.place_name(place).lower() for place in self.places}
        if not wanted:
            return None
        exact = [place for place in self.places if wanted in (place.lower(), titles[place]) or place.lower().endswith(f"#{wanted}")]
        if exact:
            return self._upper(exact)[0]
        if wanted.isdigit():
            ways = [[place for place, title in titles.items() if wanted in title.split()]]
        else:
            parts = wanted.split()
            ways = [
                [place for place, title in titles.items() if wanted in (title[: len(wanted)], _bare(title)[: len(wanted)])],
                [place for place, title in titles.items() if _begin_in_order(parts, _bare(title).split())],
            ]
        for hits in map(self._upper, ways):
            if hits:
                return hits[0] if len(hits) == 1 else None
        return None

    def _upper(self, hits: list[str]) -> list[str]:
        """Of places that lie on each other the ones on top: a tile and its spot are one place."""
        below = {str(self.places[place].get("place")) for place in hits}
        return [place for place in hits if place not in below]

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
            if value is None and name in self.zones:
                things = self.zones[name].get("things") or []
                value = self.zones[name].get("count")
                if things and len(things) == value:
                    value = ", ".join(self._tally(things))
            if value is None:
                placed = [thing for thing in (name, f"{name}#1") if thing in self.things]
                place = str(self.things[placed[0]].get("place")) if placed else ""
                value = place if place in self.places else None
            if value is not None:
                found.append((name, value))
        return found


def _begin_in_order(parts: list[str], words: list[str]) -> bool:
    """Whether words begin so, one after the other, from somewhere on.

    >>> _begin_in_order(["b", "m"], ["old", "big", "mill"]), _begin_in_order(["m", "b"], ["old", "big", "mill"])
    (True, False)
    """
    return any(
        len(words) - at >= len(parts) and all(word.startswith(part) for part, word in zip(parts, words[at:], strict=False))
        for at in range(len(words))
    )


def _bare(title: str) -> str:
    """A title without its printed number."""
    return title.lstrip("0123456789 ")


def _padded(number: Any, title: str) -> bool:
    return any(word.isdigit() and int(word) == number for word in title.split())


def _fields(thing: Mapping[str, Any]) -> Mapping[str, Any]:
    found = thing.get("fields")
    return found if isinstance(found, Mapping) else {}


def _natural(name: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", name)]
