"""Which lines cannot fail: strict ones that are always done, lenient ones behind which nothing strict stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript import tree as t
from rulescript.table.survey import walk

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from rulescript.table.declarations import Declarations, HeadInfo

QUIET = ("set", "note", "shuffle", "renew", "hide", "roll", "win", "rows", "end_game")


class SureLines:
    """What a writer of looks knows of lines without looking; `chosen` are the names of things that were chosen before."""

    program: Program
    table: Declarations
    chosen: set[str]

    def only_adds(self, node: t.Until) -> bool:
        """Whether an `until` block bans, bends and replaces nothing: what follows can be looked at as if it were not there."""
        return not self.program.strict_bans and all(
            isinstance(line, t.Hook) and (line.may or line.timing != "instead") for line in node.block.lines
        )

    def moves(self, node: t.Line) -> bool:
        """Whether `move x to zone` is sure: x was chosen before, nothing bans moving it, and the zone has no limit."""
        operand, to = node.operand, node.arg("to")
        table = self.table
        if not isinstance(operand, t.Name) or operand.name not in self.chosen or not isinstance(to, t.Your | t.Get):
            return False
        zone = table.zones.get(to.member)
        rules = self.program.hook_list("move", None)
        return zone is not None and zone.limit is None and not any(rule.timing in ("forbid", "instead", "before") for rule in rules)

    def sure(self, node: t.Node | None, moved: object = None) -> bool:
        """Whether a strict line can never turn out impossible."""
        program = self.program
        if program.strict_bans:
            return False  # a strict ban may be met in any consequence
        if node is None or isinstance(node, t.Let | t.Stop | t.Cancel | t.Expect):
            return True
        if isinstance(node, t.Until):
            return not any(isinstance(line, t.Forbid) and line.strict for line in node.block.lines)
        if isinstance(node, t.Block):
            return all(self.sure(line) for line in node.lines)
        if isinstance(node, t.If):
            return self.sure(node.then) and self.sure(node.otherwise)
        if isinstance(node, t.May):
            return self.sure(node.body) and self.sure(node.otherwise)
        if isinstance(node, t.Each | t.Repeat | t.Step):
            return self.sure(node.body if not isinstance(node, t.Step) else node.block)
        if isinstance(node, t.Choose):
            return (node.how in ("up_to", "any") and (node.otherwise is None or self.sure(node.otherwise))) or (
                node.otherwise is not None and self.sure(node.otherwise)
            )
        if isinstance(node, t.Line):
            if node.otherwise is not None:
                return self.sure(node.otherwise) and self.never_fails(node)  # what is strict inside is not caught by an `else`
            if node.word == "move" and moved is not None:
                return self.moves(node)
            if node.word in program.table.verbs:
                return all(head.done == "none" and self.head_never_fails(head, set()) for head in program.table.verbs[node.word])
            return node.word in QUIET
        return False

    def sure_done(self, node: t.Node) -> bool:
        """Whether a lenient line is always done in full."""
        return isinstance(node, t.Line) and node.otherwise is None and self.sure(node) and self.never_fails(node)

    def never_fails(self, node: t.Node, seen: set[int] | None = None) -> bool:
        """Whether nothing that a lenient line calls is strict, so that it cannot make the whole impossible."""
        known: set[int] = set() if seen is None else seen
        for one in walk(node):
            if isinstance(one, t.Try):
                return False
            if not isinstance(one, t.Line):
                continue
            if one.word in ("use", "act"):
                return False
            for head in self.table.verbs.get(one.word, ()):
                if head.index not in known:
                    known.add(head.index)
                    if not self.head_never_fails(head, known):
                        return False
        return True

    def head_never_fails(self, head: HeadInfo, known: set[int]) -> bool:
        if head.strict or head.verb == self.program.ruleset.pay:
            return False
        return head.node.block is None or self.never_fails(head.node.block, known)
