"""Questions about the map alone: which tiles lie where, and what is printed on them. Their answers hold until a tile moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript import tree as t
from rulescript.table.declarations import QueryInfo
from rulescript.table.survey import children

if TYPE_CHECKING:
    from nemesis.kernel.program import Program

OF_A_TILE = frozenset({"spot", "links", "ends", "labels", "tile", "number", "type"})
OF_A_SET = frozenset({"first", "last", "count"})
PLAIN = (
    t.Number, t.Flag, t.Count, t.Any, t.No, t.Compare, t.Is, t.Not, t.And, t.Or, t.Select, t.Range, t.Block, t.Give, t.If, t.SortKey,
)  # fmt: skip


class MapQuestions:
    """Tells by their texts which questions read nothing but tiles on the map and fields that nothing ever writes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.known: dict[int, bool] = {}

    @classmethod
    def of(cls, program: Program) -> MapQuestions:
        if program.map_questions is None:
            program.map_questions = cls(program)
        found: MapQuestions = program.map_questions
        return found

    def only_map(self, info: QueryInfo) -> bool:
        """Whether a question is about the map alone."""
        number = id(info)
        if number not in self.known:
            self.known[number] = False  # one that asks itself is not
            names = {name: type_.name for name, type_ in info.node.params}
            self.known[number] = (
                info.definition is None and self.is_tile(info.receiver) and not self.program.is_modified(info.name)
                and all(self.is_tile(kind) or kind in ("word", "number") or kind in self.program.table.words for kind in names.values())
                and self.reads_map(info.node.block, {**names, "this": info.receiver, "it": None})
            )  # fmt: skip
        return self.known[number]

    def is_tile(self, kind: str | None) -> bool:
        """Whether all things of a kind are tiles of the map (what stands on them moves without a change of the map)."""
        table = self.program.table
        return kind is not None and kind in table.kinds and table.is_kind(kind, "place") and kind not in self.program.modified_kinds

    def reads_map(self, node: t.Node, names: dict[str, str | None]) -> bool:
        """Whether a piece of text reads nothing but the map."""
        if isinstance(node, t.Name):
            kind = names.get(node.name)
            if node.name in names:
                return True
            table = self.program.table
            return kind is None and node.name not in table.kinds and node.name not in table.tracks and not self.program.is_thing(node.name)
        if isinstance(node, t.At):
            source = node.source
            kind = source.name if isinstance(source, t.Name) else source.kind if isinstance(source, t.AllOf) else None
            return kind not in names and self.is_tile(self.program.table.singular(kind or "")) and self.reads_map(node.place, names)
        if isinstance(node, t.Get | t.Ask):
            return self.reads_member(node, names) and all(self.reads_map(arg, names) for arg in getattr(node, "args", None) or ())
        if isinstance(node, t.Arithmetic):
            return self.reads_map(node.left, names) and self.reads_map(node.right, names)
        return isinstance(node, PLAIN) and all(self.reads_map(inner, names) for inner in children(node))

    def reads_member(self, node: t.Get | t.Ask, names: dict[str, str | None]) -> bool:
        program, member = self.program, node.member
        if not self.reads_map(node.base, names) or program.is_modified(member):
            return False
        sorts = program.member_sorts(member)
        if not sorts:
            return member in OF_A_SET or member in OF_A_TILE
        if sorts == ("field",):
            return member not in program.writes and member not in ("face", "facing") and member not in program.world.hidden_fields
        return sorts == ("query",) and all(self.only_map(info) for info in program.table.queries[member])
