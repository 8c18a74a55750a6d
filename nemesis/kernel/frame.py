"""What stands on the stack: block frames, event frames; and what hangs beside it: the pending decision, lasting rules.

All are flat records of plain values. A step's frame shares the locals of its procedure's frame (`shared` is that frame's index); a rule's
body reads the locals of the procedure whose step it hooks through `link`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from nemesis.world.thing import Deed, Ref, Stale, Value

if TYPE_CHECKING:
    from nemesis.kernel.code import Code
    from nemesis.kernel.rule import HookRule

BLOCK: Literal[0] = 0
EVENT: Literal[1] = 1

Chain = tuple[Any, ...] | None
"""Causes from the inside out: (address, cites, rest)."""


class Frame:
    """A running piece of code: a procedure's or ability's body, a step, a rule's body, a row."""

    __slots__ = (
        "code", "pc", "locals", "this", "you", "link", "shared", "chain", "commits", "ok", "quiet", "result", "pay", "sure",
        "deed",
    )  # fmt: skip
    kind: ClassVar[Literal[0]] = BLOCK

    def __init__(self, code: Code, locals_: list[Any], this: Value, you: Value, chain: Chain, commits: int) -> None:
        self.code = code
        self.pc = 0
        self.locals = locals_
        self.this = this
        self.you = you
        self.link = -1
        self.shared = -1
        self.chain = chain
        self.commits = commits
        self.ok = True
        self.quiet = False
        self.result: Value = None
        self.pay: Deed | None = None
        self.sure = False
        self.deed: Deed | None = None

    def copy(self) -> Frame:
        new = Frame.__new__(Frame)
        new.code = self.code
        new.pc = self.pc
        new.locals = self.locals.copy()
        new.this = self.this
        new.you = self.you
        new.link = self.link
        new.shared = self.shared
        new.chain = self.chain
        new.commits = self.commits
        new.ok = self.ok
        new.quiet = self.quiet
        new.result = self.result
        new.pay = self.pay
        new.sure = self.sure
        new.deed = self.deed
        return new


FORBID, INSTEAD, BEFORE, BODY, AFTER, END = range(6)


class Event:
    """A proposed event on its way through the pipeline.

    `body` says what happens at the body stage: ("call", head), ("verb", primitive), ("step", pc), ("use", deed), ("rule", rule index).
    `args` holds the arguments by preposition; the operand is "0", the amount "n", the object word "object".
    """

    __slots__ = (
        "verb", "step", "body", "args", "subjects", "stage", "applied", "declined", "queue", "running", "locals", "this", "you", "link",
        "chain", "commits", "records", "done", "result", "lid", "strict", "quiet", "pay", "usual", "boss", "interest", "ran", "existed",
        "rules",
    )  # fmt: skip
    kind: ClassVar[Literal[1]] = EVENT

    def __init__(self, verb: str, step: str | None, body: tuple[Any, ...], args: dict[str, Value], lid: int, chain: Chain) -> None:
        self.verb = verb
        self.step = step
        self.body = body
        self.args = args
        self.subjects: tuple[Ref | Stale, ...] | None = None
        self.stage = FORBID
        self.applied: list[tuple[int, Value, Value]] = []
        self.declined: list[int] = []
        self.queue: list[tuple[Any, ...]] | None = None
        self.running: tuple[Any, ...] | None = None
        self.locals: list[Any] = []
        self.this: Value = None
        self.you: Value = None
        self.link = -1
        self.chain = chain
        self.commits = 0
        self.records = 0
        self.done = False
        self.result: Value = None
        self.lid = lid
        self.strict = False
        self.quiet = False
        self.pay: Deed | None = None
        self.usual = -1
        self.boss: Value = None
        self.interest = 0
        self.ran = False
        self.existed = False
        self.rules: tuple[HookRule, ...] = ()

    def copy(self) -> Event:
        new = Event.__new__(Event)
        new.verb = self.verb
        new.step = self.step
        new.body = self.body
        new.subjects = self.subjects
        new.stage = self.stage
        new.running = self.running
        new.this = self.this
        new.you = self.you
        new.link = self.link
        new.chain = self.chain
        new.commits = self.commits
        new.records = self.records
        new.done = self.done
        new.result = self.result
        new.lid = self.lid
        new.strict = self.strict
        new.quiet = self.quiet
        new.pay = self.pay
        new.usual = self.usual
        new.boss = self.boss
        new.interest = self.interest
        new.ran = self.ran
        new.existed = self.existed
        new.rules = self.rules
        new.args = self.args.copy()
        new.applied = self.applied.copy()
        new.declined = self.declined.copy()
        new.queue = None if self.queue is None else self.queue.copy()
        new.locals = self.locals.copy()
        return new

    shared = -1


class Lasting:
    """Rules of an `until` block from where it was written to the end of its event."""

    __slots__ = ("until", "locals", "this", "you", "depth", "event", "chain", "unit")

    def __init__(self, until: int, locals_: list[Any], this: Value, you: Value, depth: int, chain: Chain) -> None:
        self.until = until
        self.locals = locals_
        self.this = this
        self.you = you
        self.depth = depth
        self.event = -1
        self.chain = chain
        self.unit: tuple[Any, ...] = ()

    def copy(self) -> Lasting:
        new = Lasting(self.until, self.locals.copy(), self.this, self.you, self.depth, self.chain)
        new.event = self.event
        new.unit = self.unit
        return new


class Pending:
    """The open decision: what is asked, of whom, and where the answer goes (`target` in the top frame, or in the top event)."""

    __slots__ = ("kind", "seat", "options", "minimum", "maximum", "target", "prompt", "lid", "labels", "secret", "viewers", "extra")

    def __init__(
        self,
        kind: str,
        seat: int,
        options: tuple[Any, ...],
        target: tuple[Any, ...],
        prompt: str,
        lid: int,
        minimum: int = 1,
        maximum: int = 1,
        secret: bool = False,
        extra: Any = None,
    ) -> None:
        self.kind = kind
        self.seat = seat
        self.options = options
        self.minimum = minimum
        self.maximum = maximum
        self.target = target
        self.prompt = prompt
        self.lid = lid
        self.labels: tuple[str, ...] | None = None
        self.secret = secret
        self.extra = extra


Running = Frame | Event

RuleHit = tuple["HookRule", Value, list[Any], Value]
