"""How far a look reaches: which zones its expressions read, and of which kinds are the things that a block moves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from nemesis.lower.kind_of import kind_of
from rulescript import tree as t
from rulescript.table.survey import children, walk

if TYPE_CHECKING:
    from nemesis.kernel.look import BlockLook
    from nemesis.kernel.program import Program
    from rulescript.table.declarations import HeadInfo


class Reach:
    """Whether expressions, looks and procedures read zones that can hold things of some kinds, through questions as well."""

    def __init__(self, program: Program, kinds: Iterable[str]) -> None:
        self.program = program
        self.kinds = tuple(kinds)
        self.asked: set[str] = set()
        self.called: set[int] = set()

    def fits(self, kind: str) -> bool:
        program = self.program
        return any(program.overlap(program.table.singular(kind), own) for own in self.kinds if own in program.table.kinds)

    def reads(self, one: t.Node) -> bool:
        """Whether an expression reads such a zone."""
        table = self.program.table
        if isinstance(one, t.At) and isinstance(one.source, t.Name | t.AllOf):
            name = one.source.name if isinstance(one.source, t.Name) else one.source.kind
            if table.singular(name) in table.kinds and not self.fits(name):
                return self.reads(one.place) if not isinstance(one.place, t.Get | t.Your) else False
            return True
        member = one.member if isinstance(one, t.Get | t.Ask | t.Your) else one.name if isinstance(one, t.Function) else None
        if member is not None:
            zone = table.zones.get(member)
            if zone is not None and (zone.holds is None or self.fits(zone.holds)):
                return True
            if member not in self.asked:
                self.asked.add(member)
                if any(self.reads(info.node.block) for info in table.queries.get(member, ())):
                    return True
        return any(self.reads(inner) for inner in children(one))

    def of_look(self, look: BlockLook, *, paid: bool = False) -> bool:
        """Whether a look reads such a zone (or does so in what comes after the payment)."""
        return any(self.reads(node) for node in (look.late if paid else look.read)) or any(self.of_call(head) for head in look.called)

    def of_call(self, head: HeadInfo) -> bool:
        if head.index in self.called:
            return False
        self.called.add(head.index)
        return self.of_look(self.program.looks.of_call(head))


def moved_kinds(program: Program, block: t.Block | None) -> frozenset[str] | None:
    """The kinds of the things that a block moves, if moving chosen things is all that it does; None if it may do more."""
    chosen: dict[str, str | None] = {}
    found: set[str | None] = set()
    nodes = list(walk(block)) if block is not None else []
    for node in nodes:
        if isinstance(node, t.Choose):
            chosen[node.name] = kind_of(program, node.source)
    for node in nodes:
        if isinstance(node, t.Line) and not program.is_header(node):
            if node.word != "move" or not isinstance(node.operand, t.Name):
                return None
            found.add(chosen.get(node.operand.name))
        elif isinstance(node, t.Each | t.Repeat | t.Either | t.May | t.Try | t.Until | t.Match | t.Let | t.Usual | t.Cancel | t.Step):
            return None
    kinds = frozenset(kind for kind in found if kind is not None)
    if len(kinds) < len(found):
        return None
    masks = [program.world.mask(kind) for kind in kinds]
    for rule in program.hook_list("move", None):
        if rule.mask is None or any(a and b for mask in masks for a, b in zip(rule.mask, mask, strict=True)):
            return None  # a rule may do more when such a thing moves
    return kinds
