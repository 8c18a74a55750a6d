"""What is looked up, as plain records: they are read back quickly, without the rest of the program."""

from __future__ import annotations

from typing import NamedTuple


class StandIn(NamedTuple):
    """Something in content that is of the authors' own making: where, in what, and why."""

    place: str
    what: str
    why: str


class Ruling(NamedTuple):
    """What rules (or the text of cards, by id) leave open: `choice` is how content reads it, `others` how it could be read as well."""

    rules: tuple[str, ...]
    cards: tuple[str, ...]
    question: str
    choice: str
    others: tuple[str, ...]
    certainty: str
    source: str


class CardEntry(NamedTuple):
    """`certainty` is printed, reported, house or empty; `place` is file:line, `pack` the pack that the card stands in."""

    id: str
    title: str
    kind: str
    kind_title: str
    copies: int
    text: str
    certainty: str
    source: str
    cites: tuple[str, ...]
    pack: str
    place: str
    stand_ins: tuple[StandIn, ...]
    rulings: tuple[Ruling, ...]


class Cited(NamedTuple):
    """A line that cites a rule: file:line, and what stands there in words."""

    place: str
    what: str


class RuleEntry(NamedTuple):
    """Where content has a rule, which tests would fail without it, and how what it leaves open is read."""

    id: str
    content: tuple[Cited, ...]
    tests: tuple[Cited, ...]
    rulings: tuple[Ruling, ...]


class Index(NamedTuple):
    """Cards in the order of their packs and files, rules by id, and everything that is a stand-in."""

    cards: tuple[CardEntry, ...]
    rules: dict[str, RuleEntry]
    stand_ins: tuple[StandIn, ...]
