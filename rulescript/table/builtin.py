"""The names that the kernel itself answers (`docs/reference.md`), as data for the checker.

Types are written as in content: `kind`, `kind?`, `kind*`, `kind[]`; `any` says nothing.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping

SPECIAL: typing.Final = ("you", "this", "it", "actor", "source", "result", "none", "game", "table", "box", "map")
PERIODS: typing.Final = ("game", "card", "chain")
ORDERS: typing.Final = ("printed_order", "lowest_number", "seating")
DECIDERS: typing.Final = ("policy", "chance")
FUNCTIONS: typing.Final[Mapping[str, str]] = {
    "sum": "number", "lowest": "number", "highest": "number", "every": "flag", "pool": "zone", "cause_of": "any", "over": "flag",
    "warned": "flag",
}  # fmt: skip
# Answered by every thing, zone, list or set.
MEMBERS: typing.Final[Mapping[str, str]] = {
    "place": "any", "last_place": "any", "type": "word", "title": "word", "number": "number", "owner": "any", "position": "number",
    "place_of": "any", "spot": "place?", "is": "flag", "abilities": "ability[]", "cards": "any", "top": "any", "bottom": "any",
    "first": "any", "last": "any", "top_cards": "any", "count": "number", "full": "flag", "pool": "zone", "limit_in": "number",
    "kinds": "word*", "links": "place[]", "ends": "place[]", "labels": "any", "tile": "place?", "order": "any", "of": "number",
}  # fmt: skip
TRACK: typing.Final[Mapping[str, str]] = {
    "slot": "number", "value": "any", "section": "word", "section_at": "any", "value_at": "any", "full": "flag", "left": "number",
    "low": "number", "last": "number", "at": "place?", "here": "place?", "behind": "place",
}  # fmt: skip
SLOT: typing.Final[Mapping[str, str]] = {"slot": "number", "next": "place?", "previous": "place?", "toward": "place?"}
SEAT: typing.Final[Mapping[str, str]] = {"index": "number", "distance": "number", "next": "seat"}
ABILITY: typing.Final[Mapping[str, str]] = {
    "name": "word", "card": "any", "doer": "any", "cost": "number", "title": "word", "number": "number",
}  # fmt: skip
MAP: typing.Final[Mapping[str, str]] = {"distance": "number", "first_steps": "place[]", "closed": "flag", "open": "flag"}
GAME: typing.Final[Mapping[str, str]] = {"mode": "flag"}
BASIC_TYPES: typing.Final = frozenset(
    {"number", "flag", "word", "place", "face", "ability", "quantity", "track", "zone", "text", "any", "thing"}
)
ZONE_LINES: typing.Final = (
    "holds", "shows", "ordered", "shuffled", "mixed", "stack", "limit", "renewed_from",
)  # fmt: skip
PROCEDURE_LINES: typing.Final = ("text", "done", "one_by_one", "mode", "period", "nests")
MAP_LINES: typing.Final = ("nodes", "links", "node", "link")
TOP_LINES: typing.Final = ("zone", "die", "track", "words", "map", "harm", "hope", "mode")
TEST_LINES: typing.Final = ("with_packs", "seed", "given", "script", "answer", "offers", "withholds", "twin", "mode")
KIND_LINES: typing.Final = (
    "limit", "one", "up_to", "when_out", "shows", "live", "mode", "unique", "plural", "acts", "owns", "owner_live", "faces", "source",
    "named_by",
)  # fmt: skip
DEFINITION_LINES: typing.Final = ("id", "text", "mode", "live", "shows")
KEYWORD_LINES: typing.Final = (
    "kind", "has", "query", "procedure", "step", "row", "order", "action", "change", "test", "before", "after", "instead", "forbid",
    "modify", "while", "until", "may", "usual", "if", "each", "repeat", "match", "choose", "either", "option", "try", "let", "require",
    "expect", "give", "stop", "cancel",
)  # fmt: skip
LITERALS: typing.Final = (
    "all", "owner", "nobody", "front", "strict", "lenient", "some", "effect", "ordered", "shuffled", "mixed", "stack", "top", "bottom",
)  # fmt: skip
