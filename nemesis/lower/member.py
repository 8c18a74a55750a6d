"""`x.name`: a declared field, zone, question or action of x, else a built-in property."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.lower.expression import ExpressionWriter

TRACK_MEMBERS = frozenset({"slot", "value", "section", "section_at", "value_at", "full", "left", "low", "last", "at", "here", "behind"})

SIMPLE = re.compile(r"[a-z_]+[0-9]*|[LO]\[[0-9]+\]|R_[0-9]+|[pv]_[a-z_0-9]+")

BUILT_IN = {
    "place": "place_ref(S, {x})",
    "last_place": "last_ref(S, {x})",
    "type": "type_word{c}(S, {x})",
    "title": "title_word{c}(S, {x})",
    "number": "number_of(S, {x})",
    "owner": "owner(S, {x})",
    "position": "position{c}(S, {x})",
    "spot": "spot(S, {x})",
    "abilities": "abilities{c}(S, {x})",
    "cards": "contents(S, {x})",
    "order": "contents(S, {x})",
    "top": "top(S, {x})",
    "bottom": "bottom(S, {x})",
    "first": "bottom(S, {x})",
    "last": "top(S, {x})",
    "count": "count_in(S, {x})",
    "full": "is_full(S, {x})",
    "links": "links(S, {x})",
    "ends": "ends(S, {x})",
    "labels": "labels(S, {x})",
    "tile": "tile(S, {x})",
    "index": "seat_index(S, {x})",
    "next": "next_of(S, {x})",
    "previous": "previous_of(S, {x})",
    "slot": "slot_number(S, {x})",
    "name": "deed_name(S, {x})",
    "card": "deed_card({x})",
    "doer": "deed_doer({x})",
    "cost": "deed_cost(S, {x})",
    "pool": "pool_of(S, {x})",
    "kinds": "kinds_of(S, {x})",
    "revealed_to": "None",
}


def member_code(writer: ExpressionWriter, x: str, member: str, args: tuple[t.Expression, ...] | None, base: t.Expression | None) -> str:
    """Python text of `x.member` or `x.member(args)`."""
    program = writer.program
    sorts = program.member_sorts(member)
    rest = "".join(f", {writer.value(arg, _want(writer, member, place))}" for place, arg in enumerate(args or ()))
    if len(sorts) > 1 or (sorts and (program.is_modified(member) or member in BUILT_IN)):
        return f"{program.member_name(member, writer.checked)}(S, {x}{rest})"
    if "field" in sorts:
        return field_code(writer, x, member)
    if "query" in sorts:
        name = program.member_name(member, writer.checked)
        if SIMPLE.fullmatch(x):
            answers = program.answers_code(name, member)
            call = f"{answers}[{x}](S, {x}{rest})"
            return call if x in writer.it or x == "this" else f"({call} if type({x}) is Ref else {name}(S, {x}{rest}))"
        return f"{name}(S, {x}{rest})"
    if "zone" in sorts:
        return f"{program.holders_code(member)}.get({x})"
    if args is not None:
        if member == "place_of" and isinstance(args[0], t.Name):
            kind = writer.is_kind_name(args[0])
            return f"place_of_kind(S, {x}, {writer.mask(kind or args[0].name)})"
        if member == "is":
            first = args[0]
            if isinstance(first, t.Name) and not writer.bound(first.name) and not program.is_spot(first.name):
                return f"is_word{writer.c}(S, {x}, {first.name!r})"
            return f"is_value(S, {x}{rest})"
        if member == "first":
            return f"nth({x}{rest})"
        if member in ("distance", "toward", "top_cards", "of"):
            return f"{'share_of' if member == 'of' else member if member == 'top_cards' else member + '_of'}(S, {x}{rest})"
    if "action" in sorts:
        return f"deed_of(S, {x}, {member!r}, you)"
    if member in BUILT_IN:
        if member == "cost" and program.is_modified("cost"):
            return f"{program.member_name('cost', writer.checked)}(S, {x})"
        return BUILT_IN[member].format(x=x, c=writer.c)
    return f"unknown_member(S, {x}, {member!r})"


def gives_sets(writer: ExpressionWriter, member: str) -> bool:
    """Whether what a member means is always a tuple, or None for want of an answer."""
    program = writer.program
    sorts = program.member_sorts(member)
    if member == "abilities":
        return not sorts and not program.is_modified(member)
    infos = writer.table.queries.get(member, ())
    words = writer.table.words
    return (
        len(sorts) == 1 and "query" in sorts and member not in BUILT_IN and not program.is_modified(member)
        and member not in program.world.overrides
        and all(info.node.type.mark in ("*", "[]") and info.node.type.name != "word" and info.node.type.name not in words for info in infos)
    )  # fmt: skip


def _want(writer: ExpressionWriter, member: str, place: int) -> str | None:
    """Whether a question's parameter is a word."""
    for info in writer.table.queries.get(member, ()):
        params = info.node.params
        if place < len(params):
            name = params[place][1].name
            return "word" if name == "word" or name in writer.table.words else None
    return None


def field_code(writer: ExpressionWriter, x: str, member: str) -> str:
    program = writer.program
    address = program.field_code(member)
    if writer.checked and member in program.world.hidden_fields:
        return f"hid_c(S, {address}, {x}, {member!r})"
    sure = x in ("you", "this") or x in writer.it
    kind = writer.kinds.get(x)
    if writer.checked and program.field_hideable(member) and (kind is None or program.can_hide(kind)):
        return f"fld_c(S, {address}, {x})"
    if sure and (x in writer.it or x == "this"):
        return f"S.v[{address}[{x}]]"
    return f"fld(S, {address}, {x})"
