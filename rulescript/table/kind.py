"""Kinds: parents, fields and the properties that the kernel reads."""

from __future__ import annotations

import typing

import attrs

from rulescript import tree as t

if typing.TYPE_CHECKING:
    from rulescript.table.definition import Source


@attrs.define
class FieldInfo:
    """A declared field; `shows` is 'nobody' for one that is hidden until it is known."""

    name: str
    type: t.TypeRef
    default: t.Expression | None
    shows: str | None


@attrs.define
class KindInfo:
    """A kind; `values` are the field values it sets for itself and the kinds below it."""

    name: str
    source: Source
    parents: tuple[str, ...] = ()
    fields: dict[str, FieldInfo] = attrs.field(factory=dict)
    values: dict[str, t.Expression] = attrs.field(factory=dict)
    limit: int | None = None
    one_in: tuple[str, ...] = ()
    up_to: tuple[tuple[int, str], ...] = ()
    when_out: str | None = None
    shows: str | None = None
    live_in: tuple[str, ...] = ()
    mode: str | None = None
    unique: bool = False
    plural: str | None = None
    acts: bool = False
    owns: bool = False
    owner_live: str | None = None
    faces: tuple[str, ...] = ()
    effect_source: str | None = None
    named_by: str | None = None


PROPERTIES = frozenset(
    (
        "limit", "one", "up_to", "when_out", "shows", "live", "mode", "unique", "plural", "acts", "owns", "owner_live", "faces",
        "source", "named_by",
    )
)  # fmt: skip


def _names(node: t.Expression | None) -> tuple[str, ...]:
    if isinstance(node, t.Name):
        return (node.name,)
    if isinstance(node, t.ListOf):
        return tuple(item.name for item in node.items if isinstance(item, t.Name))
    return ()


def read_property(info: KindInfo, line: t.Line) -> None:
    """Take over one line of a kind's block: a property of the kernel, else the value of a field."""
    word, operand = line.word, line.operand
    name = operand.name if isinstance(operand, t.Name) else None
    number = operand.value if isinstance(operand, t.Number) else None
    if word == "limit" and number is not None:
        info.limit = number
    elif word == "one":
        info.one_in += _names(line.arg("in"))
    elif word == "up_to" and number is not None:
        info.up_to += tuple((number, place) for place in _names(line.arg("in")))
    elif word == "when_out":
        info.when_out = name
    elif word == "shows":
        info.shows = "all" if isinstance(operand, t.Everyone) else name
    elif word == "live":
        info.live_in += _names(line.arg("in"))
    elif word == "mode":
        info.mode = name
    elif word == "unique":
        info.unique = True
    elif word == "plural":
        info.plural = name
    elif word == "acts":
        info.acts = True
    elif word == "owns":
        info.owns = True
    elif word == "owner_live":
        info.owner_live = name
    elif word == "faces":
        info.faces = _names(operand)
    elif word == "source":
        info.effect_source = name
    elif word == "named_by":
        info.named_by = name
    elif operand is not None:
        info.values[word] = operand
