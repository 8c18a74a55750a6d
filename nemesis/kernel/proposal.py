"""Proposing events: calls of procedures, primitive verbs, steps.

A line whose event no rule of the loaded packs can hook runs directly; everything else becomes an `Event` on the stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.commit import note, note_call
from nemesis.kernel.frame import Event, Frame
from nemesis.kernel.matching import rules_for
from nemesis.kernel.reading import in_play
from nemesis.kernel.signal import ContentError, LoopFound
from nemesis.world.thing import Deed, Ref, Stale
from rulescript.table.declarations import HeadInfo

if TYPE_CHECKING:
    from nemesis.state import State


PARAMETERS = {"0": "things", "n": "n", "object": "kind_word", "end": "end"}
"""What the functions of the verbs call an argument; a preposition is called by its name and `_`."""

DEEP = 40
NESTS = 8


def record(S: State, verb: str, step: str | None, args: dict[str, Any]) -> None:
    """Remember that an event has begun, for `did(…)`."""
    if S.interest:
        S.records.append((verb, step, args))


def push(S: State, frame: Frame) -> None:
    """Put a body on the stack; one nested too often in itself is a loop."""
    frames = S.frames
    size = len(frames)
    if size > DEEP and (size < 4 * DEEP or not size & 255):
        # Counting is as long as the stack: one that is deep is counted now and then only.
        code = frame.code
        allowed = code.nests if code.nests != NESTS else int(S.options.get("nesting", NESTS))
        if sum(1 for one in frames if one.kind == 0 and one.code is code and one.shared < 0) >= allowed:
            cycle: list[str] = []
            for one in frames:
                if one.kind == 0 and (not cycle or cycle[-1] != one.code.address):
                    cycle.append(one.code.address)
            raise LoopFound(f"{code.address} is nested in itself more than {allowed} times", tuple(cycle[-12:]))
    frames.append(frame)


def lacks(S: State, f: Any, lid: int, head: HeadInfo, run: Any, values: list[Any]) -> bool:
    """Whether a needed argument is missing; the call is skipped then, with a note."""
    for at in run.required:
        value = values[at]
        if value is None or type(value) is Stale or value == ():
            S.done = run.code.done == "none"
            note(S, f, lid, "skip", (head.verb,))
            return True
    return False


def enter(S: State, f: Any, lid: int, head: HeadInfo, values: list[Any]) -> bool:
    """Start a procedure that nothing hooks; no if a needed argument is missing."""
    program = S.program
    run = program.run_of(head)
    if run.operand >= 0 and type(values[run.operand]) is tuple and len(values[run.operand]) != 0:
        return call(S, f, lid, (head,), dict(zip(run.names, values, strict=False)), False)
    if run.required and lacks(S, f, lid, head, run, values):
        return False
    code = run.code
    frame = Frame(
        code, values + [None] * (code.ready() - len(values)), f.this, values[run.you] if run.you >= 0 else None, (lid, f.chain), S.commits
    )
    if run.interesting and S.interest:
        S.records.append((head.verb, None, dict(zip(run.names, values, strict=False))))
    push(S, frame)
    if code.period is not None:
        begin_period(S, code.period)
    if run.told:
        note_call(S, f, lid, head.index, tuple(values))
    return True


def begin_period(S: State, name: str) -> None:
    """A new period of that name; what was counted in the last one is forgotten."""
    S.periods[name] = S.periods.get(name, 0) + 1
    if S.ledger:
        for key in [key for key in S.ledger if key[3] == name]:
            S.put_new(S.ledger, key, 0)
            if S.undo is None:
                del S.ledger[key]


def dispatch(S: State, heads: tuple[HeadInfo, ...], args: dict[str, Any]) -> HeadInfo | None:
    """The most specific head whose parameters take the arguments."""
    if len(heads) == 1:
        return heads[0]
    program = S.program
    kinds = program.world.kinds
    sorts: list[tuple[str, Any]] = []
    for name, value in args.items():
        if program.modified_kinds or (type(value) is tuple and value):
            return _dispatch(S, heads, args)  # a set may be of several kinds
        sorts.append((name, kinds[value] if type(value) is Ref else value if name == "object" else type(value)))
    key: tuple[Any, ...] = (heads[0].index, heads[-1].index, len(heads), *sorts)
    if key in program.dispatched:
        return program.dispatched[key]
    found = _dispatch(S, heads, args)
    if all(
        program.only_a_kind(kind, checked=False)
        for head in heads
        for _, kind, _ in program.run_of(head).tests
        if kind in program.table.kinds
    ):
        program.dispatched[key] = found
    return found


def _dispatch(S: State, heads: tuple[HeadInfo, ...], args: dict[str, Any]) -> HeadInfo | None:
    named = args.get("object")
    for head in heads:
        object_ = head.head.object
        if type(named) is str and object_ is not None and named != f"{object_}s" and not S.program.word_below(named, object_):
            continue
        if S.program.run_of(head).takes(S, args):
            return head
    return None


def call(S: State, f: Any, lid: int, heads: tuple[HeadInfo, ...], args: dict[str, Any], strict: bool) -> bool:
    """Propose a call that may have several heads or hooks; no if nothing was put on the stack."""
    program = S.program
    operand = args.get("0")
    if type(operand) is tuple and operand and not isinstance(operand, Deed | Stale) and not program.wants_set(heads, "0"):
        if len(operand) == 1:
            args = {**args, "0": operand[0]}
        else:
            return call_each(S, f, lid, heads, args, strict)
    head = dispatch(S, heads, args)
    if head is None:
        S.done = False
        note(S, f, lid, "skip", (heads[0].verb,))
        return False
    run = program.run_of(head)
    values = [args.get(name) for name in run.names]
    if run.required and lacks(S, f, lid, head, run, values):
        return False
    times = 1
    if head.one_by_one and "n" in args:
        times = int(args["n"] or 0)
        args = {**args, "n": 1}
        values[0] = 1
        if times <= 0:
            S.done = False
            return False
    pushed = False
    rules = rules_for(S, head.verb, None, args) if run.event else ()
    for turn in range(times):
        if rules or (run.event and S.lasting):
            event = Event(head.verb, None, ("call", head), dict(args), lid, (lid, f.chain))
            event.you = values[run.you] if run.you >= 0 else None
            event.this = f.this
            event.strict = strict
            event.rules = rules
            start(S, event)
            event.quiet = turn > 0
            pushed = True
        else:
            pushed = enter(S, f, lid, head, list(values))
            if pushed:
                S.frames[-1].quiet = turn > 0
    return pushed


def call_each(S: State, f: Any, lid: int, heads: tuple[HeadInfo, ...], args: dict[str, Any], strict: bool) -> bool:
    """Several things where a procedure takes one: a call for each, in their order."""
    pushed = False
    for x in reversed(args["0"]):
        if call(S, f, lid, heads, {**args, "0": x}, strict):
            S.frames[-1].quiet = S.frames[-1].quiet or pushed
            pushed = True
    return pushed


def start(S: State, event: Event) -> None:
    if not event.rules:
        event.rules = rules_for(S, event.verb, event.step, event.args)
    event.commits = S.commits
    if S.program.asks_did(event.verb, event.step):
        event.interest = 1
        S.interest += 1
    event.records = len(S.records)
    operand = event.subjects[0] if event.subjects else event.args.get("0")
    event.existed = type(operand) is Ref and in_play(S, operand)
    S.frames.append(event)


def propose(S: State, f: Any, lid: int, verb: str, args: dict[str, Any]) -> bool:
    """Propose a primitive verb that some rule may hook; its instances are named first."""
    event = Event(verb, None, ("verb", verb), args, lid, (lid, f.chain))
    event.you = args.get("by", f.you)
    event.this = f.this
    if verb == "place" and args.get("object") is not None:
        kind = str(args["object"])
        pool = S.program.world.pools.get(kind)
        if pool is None:
            raise ContentError(f"there is no pool of {kind}: the kind has no limit")
        event.subjects = tuple(sorted(S.inside[pool])[: int(args.get("n") or 0)])
        args["0"] = event.subjects
    elif verb not in ("draw", "roll", "set", "raise", "lower") and "0" in args:
        things = args["0"]
        event.subjects = tuple([x for x in (things if type(things) is tuple else (things,)) if type(x) is Ref])
        if not event.subjects:
            S.done = False
            return False
    event.rules = rules_for(S, verb, None, args)
    if not event.rules and not S.lasting:
        if S.interest and (verb, None) in S.program.dids:
            S.records.append((verb, None, args))
        return do_verb(S, event)
    start(S, event)
    return True


def propose_write(S: State, f: Any, lid: int, verb: str, address: Any, x: Any, name: str, value: Any, length: int) -> bool:
    event = Event(verb, None, ("write", verb, address, name, length), {"0": name, "on": x, "n": value}, lid, (lid, f.chain))
    event.you = f.you
    event.this = f.this
    start(S, event)
    return True


def step_event(S: State, f: Any, verb: str, step: str, pc: int, args: dict[str, Any], lid: int) -> int:
    """A named step that some rule hooks."""
    event = Event(verb, step, ("step", pc), args, lid, (lid, f.chain))
    event.link = f.shared if f.shared >= 0 else len(S.frames) - 1
    event.you = f.you
    event.this = f.this
    start(S, event)
    return -1


def do_verb(S: State, event: Event) -> bool:
    """Carry out a primitive verb with the arguments that are left; yes if a run-out procedure was pushed."""
    verb = event.verb
    given: dict[str, Any] = {}
    for name, value in event.args.items():
        given[PARAMETERS.get(name) or f"{name}_"] = value
    if verb == "place" and event.args.get("object") is not None:
        given["chosen"] = event.subjects
        given.pop("things", None)
    elif event.subjects is not None:
        given["things"] = event.subjects
    if S.program.namespace[f"do_{verb}"](S, event, event.lid, **given):
        S.frames[-1].quiet = True
        return True
    return False
