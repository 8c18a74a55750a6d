"""What an expression is, as far as the checker can tell."""

from __future__ import annotations

import typing

import attrs

from rulescript import tree as t

UNITS_OF_NUMBERS: typing.Final = "units"


@attrs.frozen
class Type:
    """`kind` is a basic type or a declared kind; `mark` as in a TypeRef; `member` names what a zone or track is of."""

    kind: str
    mark: str = ""
    of: str | None = None

    @property
    def many(self) -> bool:
        return self.mark in ("*", "[]")

    def one(self) -> Type:
        return attrs.evolve(self, mark="")

    def set(self) -> Type:
        return self if self.mark == "[]" else attrs.evolve(self, mark="*")

    def __str__(self) -> str:
        return self.kind + self.mark


NUMBER = Type("number")
FLAG = Type("flag")
WORD = Type("word")
TEXT = Type("text")
PLACE = Type("place")
NONE = Type("none")
ABILITY = Type("ability")


def parse_type(text: str) -> Type | None:
    """
    >>> str(parse_type("place[]")), parse_type("any")
    ('place[]', None)
    """
    if text.startswith("any"):
        return None
    for mark in ("[]", "*", "?"):
        if text.endswith(mark):
            return Type(text[: -len(mark)], mark)
    return Type(text)


def type_of(reference: t.TypeRef) -> Type | None:
    return None if reference.name == "any" else Type(reference.name, reference.mark)
