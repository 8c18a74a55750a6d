"""Procedure heads: which one a call means, the slots of its parameters, the code of its body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import attrs

from nemesis.kernel.code import Code
from nemesis.lower.scope import Scope
from nemesis.world.world import World
from rulescript import tree as t
from rulescript.table.declarations import Declarations, HeadInfo

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State


@attrs.define(eq=False)
class HeadRun:
    """What running a head needs at hand."""

    program: Program
    code: Code
    names: tuple[str, ...]
    required: tuple[int, ...]
    you: int
    interesting: bool
    event: bool
    told: bool
    tests: tuple[tuple[str, str, str], ...]
    operand: int

    def takes(self, S: State, args: dict[str, Any]) -> bool:
        """Whether the arguments are of the kinds that the parameters want."""
        from nemesis.kernel.property import is_kind
        from nemesis.world.thing import Deed, Ref

        for name in args:
            if name not in self.names and args[name] is not None and name not in ("by", "end"):
                return False
        for name, kind, mark in self.tests:
            value = args.get(name)
            if value is None:
                if mark == "?" or name == "by":
                    continue
                return False
            if kind == "ability":
                if type(value) is not Deed:
                    return False
            elif kind in self.program.table.kinds:
                if mark in ("*", "[]"):
                    if type(value) is not tuple or not all(is_kind(S, x, kind) for x in value):
                        return False
                elif type(value) is tuple:
                    if len(value) != 1 or not is_kind(S, value[0], kind):
                        return False
                elif not is_kind(S, value, kind):
                    return False
            elif type(value) is Ref and kind in ("number", "word", "flag"):
                return False
        return True


class HeadTable:
    """Heads by verb, object word and kinds."""

    world: World
    table: Declarations
    head_codes: dict[int, Code]
    head_runs: dict[int, HeadRun]
    namespace: dict[str, Any]
    _head_groups: dict[tuple[int, ...], str]

    def _program(self) -> Program:
        program: Any = self
        found: Program = program
        return found

    # ---- heads -------------------------------------------------------------------------------------------------------
    def heads_for(self, verb: str, word: str | None) -> tuple[HeadInfo, ...]:
        """The heads that a call may mean; those with the object word first, the most specific first."""
        heads = self.table.verbs[verb]
        if word is not None:
            fitting = [
                head
                for head in heads
                if head.head.object is not None and self._program().word_below(word, self.table.singular(head.head.object))
            ]
            if fitting:
                return tuple(sorted(fitting, key=lambda head: (self._depth(head.head.object or ""), *self._specific(head)), reverse=True))
        return tuple(heads) if len(heads) == 1 else tuple(sorted(heads, key=self._specific, reverse=True))

    def _depth(self, kind: str) -> int:
        return len(self.table.ancestors(self.table.singular(kind)))

    def _specific(self, head: HeadInfo) -> tuple[int, ...]:
        shape = head.head
        depths = [self._depth(shape.operand.type.name) if shape.operand is not None else 0]
        depths += [self._depth(binder.type.name) for _, binder in shape.binders]
        return tuple(depths)

    def slots_of(self, head: HeadInfo) -> tuple[str, ...]:
        """Argument names in slot order: n, object, 0, then prepositions."""
        names: list[str] = []
        shape = head.head
        if shape.amount is not None:
            names += ["n", "object"]
        if shape.operand is not None:
            names.append("0")
        names += [word for word, _ in shape.binders]
        return tuple(names)

    def use_head(self, head: HeadInfo) -> str:
        return self._program().use(f"H_{head.index}", head)

    def use_heads(self, heads: tuple[HeadInfo, ...]) -> str:
        key = tuple(head.index for head in heads)
        if key not in self._head_groups:
            name = f"HG_{len(self._head_groups)}"
            self._head_groups[key] = name
            self.namespace[name] = heads
        return self._head_groups[key]

    def wants_word(self, heads: Iterable[Any], name: str) -> str | None:
        for head in heads:
            for word, binder in self._binders(head):
                if word == name and (binder.type.name == "word" or binder.type.name in self.table.words):
                    return "word"
        return None

    def wants_set(self, heads: Iterable[Any], name: str) -> bool:
        return all(any(word == name and binder.type.mark in ("*", "[]") for word, binder in self._binders(head)) for head in heads)

    def takes_by(self, heads: Iterable[Any]) -> bool:
        return any(word == "by" for head in heads for word, _ in head.head.binders)

    @staticmethod
    def _binders(head: HeadInfo) -> list[tuple[str, t.Binder]]:
        found = list(head.head.binders)
        if head.head.operand is not None:
            found.append(("0", head.head.operand))
        return found

    def head_code(self, head: HeadInfo) -> Code:
        code = self.head_codes.get(head.index)
        if code is None:
            program: Any = self
            scope = Scope()
            shape = head.head
            slots: list[tuple[str, int]] = []
            if shape.amount is not None:
                slots.append(("n", scope.add(shape.amount)))
                word = shape.object or "object"
                slots.append(("object", scope.add(word if word in self.table.kinds else f"object {word}")))
                scope.objects.add(word)
            if shape.operand is not None:
                slots.append(("0", scope.add(shape.operand.name, shape.operand.type)))
            for word, binder in shape.binders:
                slots.append((word, scope.add(binder.name, binder.type)))
            code = Code(
                program,
                f"{head.source.pack}:procedure/{self.table.step_name(head)}",
                head.node.block,
                scope,
                strict=head.strict or head.verb == program.ruleset.pay,
                done=head.done,
                verb=head.verb,
                step_verb=self.table.step_name(head),
                cites=head.node.notes.cites,
                arg_slots=tuple(slots),
                nests=head.nests,
                period=head.period,
                key=("head", head.index),
                item=head.source.hash,
            )
            self.head_codes[head.index] = code
        return code

    def run_of(self, head: HeadInfo) -> HeadRun:
        run = self.head_runs.get(head.index)
        if run is None:
            run = self._run_of(head)
            self.head_runs[head.index] = run
        return run

    def _run_of(self, head: HeadInfo) -> HeadRun:
        names = self.slots_of(head)
        shape = head.head
        required: list[int] = []
        tests: list[tuple[str, str, str]] = []
        you = by = -1
        acting = False
        for name, binder in self._binders(head):
            at = names.index(name)
            kind = self.table.singular(binder.type.name)
            tests.append((name, kind, binder.type.mark))
            if binder.type.mark not in ("?",) and binder.type.name not in ("flag", "number", "word"):
                required.append(at)
            if binder.name == "you":
                you = at
            if name == "by":
                by = at
                acting = True
        if you < 0 and acting:
            you = by
        if shape.amount is not None and shape.object is not None and self.table.singular(shape.object) in self.table.kinds:
            tests.append(("object", "", "?"))
        program: Any = self
        operand = shape.operand
        single = operand is not None and operand.type.mark not in ("*", "[]") and operand.type.name != "ability"
        return HeadRun(
            program, self.head_code(head), names, tuple(required), you, program.interesting(head.verb, None), program.needs_event(head),
            head.text is not None, tuple(one for one in tests if one[0] != "object"),
            names.index("0") if single else -1,
        )  # fmt: skip
