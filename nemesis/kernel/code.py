"""A code unit: the body of a procedure, ability, rule, row or test line, lowered when it first runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from nemesis.lower.scope import Scope

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from rulescript import tree as t

Block = Callable[[Any, Any, list[Any]], int]
_USES = {name: re.compile(rf"(?<![\w.'\"]){name}(?![\w'\"])") for name in ("you", "this", "O")}


# How generated code names the block it goes on to; the lines that pick one of several name them among their arguments.
_GOES_ON = re.compile(r"\b(?:return|else|f\.pc =) (\d+)\b")
_PICKS = re.compile(r"\b(?:either|may|can_do|step_event)\(S, f, ")
_NUMBER = re.compile(r"\d+")


def _targets(lines: list[str], blocks: Iterable[int]) -> set[int]:
    """The blocks that a block may go on to (of a line that picks one: every number in it that is one of a block)."""
    found = {number for line in lines for number in (_NUMBER if _PICKS.search(line) else _GOES_ON).findall(line)}
    return {int(number) for number in found} & set(blocks)


class Code:
    """Numbered blocks, in two variants with the same numbers and slots: the plain one, and the checked one that trials run."""

    __slots__ = (
        "program", "address", "block", "base", "scope", "strict", "done", "verb", "step_verb", "cites", "arg_slots", "nests", "period",
        "plain", "checked", "size", "number", "names", "source", "action", "risky", "beyond", "fails", "after_lead", "after_use", "key",
        "item",
    )  # fmt: skip

    def __init__(
        self,
        program: Program,
        address: str,
        block: t.Block | None,
        scope: Scope,
        *,
        strict: bool = False,
        done: str = "some",
        verb: str | None = None,
        step_verb: str | None = None,
        cites: tuple[str, ...] = (),
        arg_slots: tuple[tuple[str, int], ...] = (),
        nests: int = 8,
        period: str | None = None,
        action: int = -1,
        key: tuple[Any, ...] = (),
        item: str = "",
    ) -> None:
        self.program = program
        self.address = address
        self.block = block
        self.base = scope
        self.scope = scope
        self.strict = strict
        self.done = done
        self.verb = verb
        self.step_verb = step_verb
        self.cites = cites
        self.arg_slots = arg_slots
        self.nests = nests
        self.period = period
        self.action = action
        self.key = key
        self.item = item
        self.plain: dict[int, Block] | None = None
        self.checked: dict[int, Block] | None = None
        self.size = 0
        self.number = program.register_code(self)
        self.names: dict[str, int] = {}
        self.source = ""
        self.risky: dict[int, bool] = {}
        self.beyond: dict[int, bool] = {}
        self.fails: dict[int, bool] = {}
        self.after_lead = 0
        self.after_use = 0

    def lower(self, checked: bool) -> dict[int, Block]:
        """Write, compile and keep one variant."""
        from nemesis.lower.block import BlockWriter

        base = self.base
        self.scope = Scope(dict(base.slots), dict(base.types), base.outer, dict(base.python), base.size, set(base.objects))
        writer = BlockWriter(self.program, self, checked=checked)
        if self.action >= 0:
            writer.action_body(self.block)
            self.after_lead = writer.after_lead
            self.after_use = writer.after_use
        else:
            writer.body(self.block)
        blocks = {label: lines for label, lines in writer.blocks.items()}
        self.size = max(self.size, self.scope.size)
        self.names = dict(self.scope.slots)
        self.weigh(blocks)
        text: list[str] = []
        for label, lines in blocks.items():
            body = "\n".join(lines)
            text.append(f"def b{label}(S, f, L):")
            if _USES["you"].search(body):
                text.append("    you = f.you")
            if _USES["this"].search(body):
                text.append("    this = f.this")
            if _USES["O"].search(body):
                text.append("    O = S.frames[f.link].locals")
            text.extend(lines)
            if not lines or not lines[-1].startswith("    return "):
                text.append("    return leave(S, f)")
        source = "\n".join(text)
        if not checked:
            self.source = source
        made: dict[str, Any] = {}
        exec(self.program.compiled(source, self.address), self.program.namespace, made)
        found = {label: made[f"b{label}"] for label in blocks}
        if checked:
            self.checked = found
        else:
            self.plain = found
        return found

    def weigh(self, blocks: dict[int, list[str]]) -> None:
        """For each block: whether a strict line there or further on may still turn out impossible, by what can be reached from it."""
        targets = {label: _targets(lines, blocks) for label, lines in blocks.items()}
        strict = {label: [line for line in lines if "fail(" in line or "check_paid(" in line] for label, lines in blocks.items()}
        loose = "return -1" if self.program.strict_bans else "fail("  # a strict ban may be met in whatever a line causes
        failing = {label for label, lines in blocks.items() if any("fail(" in line or loose in line for line in lines)}
        for label, lines in blocks.items():
            onward: set[int] = set()
            todo = list(targets[label])
            while todo:
                at = todo.pop()
                if at not in onward:
                    onward.add(at)
                    todo.extend(targets[at])
            later = any(strict[at] for at in onward)
            first = lines[0].strip() if lines else ""
            own = first.startswith(("if not S.done: fail(", "check_paid("))
            self.beyond[label] = later or len(strict[label]) > own
            self.risky[label] = later or bool(strict[label])
            self.fails[label] = label in failing or not failing.isdisjoint(onward)

    def ready(self) -> int:
        """Lower if that has not happened yet; the number of locals a frame needs."""
        if self.plain is None:
            self.lower(False)
        return self.size

    def fails_after(self, label: int) -> bool:
        """Whether a strict line at or after a block may turn out impossible (the payment apart)."""
        return self.fails.get(label, True)
