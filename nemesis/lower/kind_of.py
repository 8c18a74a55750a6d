"""What a set is made of, told from its text alone: the kind of its members, the name they are compared with."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.lower.scope import Scope


def kind_of(program: Program, source: t.Expression) -> str | None:
    """The kind of all in a set, as far as texts say: by what it picks, what a zone holds, what a query picks or is declared to give."""
    table = program.table
    if isinstance(source, t.Arithmetic) and source.op == "except":
        return kind_of(program, source.left)
    if isinstance(source, t.Select):
        return kind_of(program, source.source)
    if isinstance(source, t.At):
        return kind_of(program, source.source)
    if isinstance(source, t.Name | t.AllOf):
        kind = table.singular(source.name if isinstance(source, t.Name) else source.kind)
        return kind if kind in table.kinds else None
    if not isinstance(source, t.Your | t.Get):
        return None
    zone, infos = table.zones.get(source.member), table.queries.get(source.member, ())
    if zone is not None and not infos:
        return table.singular(zone.holds) if zone.holds is not None else None
    if len(infos) != 1 or zone is not None:
        return None
    lines = infos[0].node.block.lines
    given = None
    if len(lines) == 1 and isinstance(lines[0], t.Give) and not isinstance(lines[0].value, t.Usual):
        given = kind_of(program, lines[0].value)
    declared = infos[0].node.type.name
    return given or (declared if declared in table.kinds else None)


def picked_kind(program: Program, source: t.Expression, bound: Callable[[str], bool]) -> str | None:
    """The kind that a set picks by itself, whatever anything is declared to give: certain. A `bound` name says nothing."""
    if isinstance(source, t.Arithmetic) and source.op == "except":
        return picked_kind(program, source.left, bound)
    if isinstance(source, t.Select | t.At):
        return picked_kind(program, source.source, bound)
    if isinstance(source, t.AllOf) or (isinstance(source, t.Name) and not bound(source.name)):
        return kind_of(program, source)
    return None


def wanted_local(scope: Scope, where: t.Expression | None) -> str | None:
    """Python text of the bound name that all members are compared with, in `where it is NAME`; None for any other test."""
    if not isinstance(where, t.Is) or where.negated or not isinstance(where.left, t.Name) or where.left.name != "it":
        return None
    return scope.code(where.right.name) if isinstance(where.right, t.Name) else None
