"""The event pipeline: proposal, forbid, instead, before, body, after.

An event that no rule of the loaded packs can hook never gets here: its line runs directly (`enter`, or the verb itself). Everything else
is an `Event` on the stack, taken one stage further each time it is on top.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel import window
from nemesis.kernel.ending import check_over
from nemesis.kernel.frame import AFTER, BEFORE, BODY, END, FORBID, INSTEAD, Event, Frame, Lasting
from nemesis.kernel.ledger import count_use, used_up
from nemesis.kernel.reading import in_play
from nemesis.kernel.commit import note
from nemesis.kernel.signal import ContentError, Impossible, LoopFound
from nemesis.world.thing import Deed, Ref, Stale
from rulescript.table.declarations import HeadInfo

if TYPE_CHECKING:
    from nemesis.kernel.code import Code
    from nemesis.kernel.rule import HookRule, Variant
    from nemesis.state import State

DEEP = 40


def record(S: State, verb: str, step: str | None, args: dict[str, Any]) -> None:
    """Remember that an event has begun, for `did(…)`."""
    if S.interest:
        S.records.append((verb, step, args))


def push(S: State, frame: Frame) -> None:
    """Put a body on the stack; one nested too often in itself is a loop."""
    frames = S.frames
    if len(frames) > DEEP:
        code = frame.code
        if sum(1 for one in frames if one.kind == 0 and one.code is code and one.shared < 0) >= code.nests:
            cycle = []
            for one in frames:
                if one.kind == 0 and (not cycle or cycle[-1] != one.code.address):
                    cycle.append(one.code.address)
            raise LoopFound(f"{code.address} is nested in itself more than {code.nests} times", tuple(cycle[-12:]))
    frames.append(frame)


def enter(S: State, f: Any, lid: int, head: HeadInfo, values: list[Any]) -> bool:
    """Start a procedure that nothing hooks; no if a needed argument is missing."""
    program = S.program
    run = program.run_of(head)
    if run.operand >= 0 and type(values[run.operand]) is tuple and len(values[run.operand]) != 0:
        return call(S, f, lid, (head,), dict(zip(run.names, values, strict=False)), False)
    for at in run.required:
        value = values[at]
        if value is None or type(value) is Stale or value == ():
            S.done = run.code.done == "none"
            note(S, f, lid, "skip", (head.verb,))
            return False
    code = run.code
    frame = Frame(code, values + [None] * (code.ready() - len(values)), f.this, values[run.you] if run.you >= 0 else None, (lid, f.chain), S.commits)
    if run.interesting and S.interest:
        S.records.append((head.verb, None, dict(zip(run.names, values, strict=False))))
    push(S, frame)
    if code.period is not None:
        begin_period(S, code.period)
    if run.told:
        note(S, f, lid, "call", (head.index, tuple(values)))
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
    for at in run.required:
        value = values[at]
        if value is None or type(value) is Stale or value == ():
            S.done = run.code.done == "none"
            note(S, f, lid, "skip", (head.verb,))
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


def rules_for(S: State, verb: str, step: str | None, args: dict[str, Any]) -> tuple[HookRule, ...]:
    """The rules of the packs that can be about an event at all."""
    program = S.program
    rules = program.hook_list(verb, step)
    if not rules:
        return rules
    about: Any = args.get("object")
    if about is None:
        about = args.get("0")
        if type(about) is tuple and len(about) == 1:
            about = about[0]
        if type(about) is Ref:
            about = program.world.kinds[about]
        elif type(about) is Deed:
            about = about.action
        elif about is not None:
            return tuple([rule for rule in rules if rule.may_fit(args)])
    key = (verb, step, about)
    found = program.fitting.get(key)
    if found is None:
        found = tuple([rule for rule in rules if rule.may_fit(args)])
        program.fitting[key] = found
    return found


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


def propose_write(
    S: State, f: Any, lid: int, verb: str, address: Any, x: Any, name: str, value: Any, length: int
) -> bool:
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


# ---- one stage further ---------------------------------------------------------------------------------------------------
def run_event(S: State, event: Event) -> None:
    """Take the event on top of the stack one stage further."""
    stage = event.stage
    if stage == FORBID:
        if not S.lasting and S.windows != "open":
            for rule in event.rules:
                if rule.timing != "after":
                    break
            else:
                if event.verb == "use" and forbidden(S, event):
                    return
                event.stage = BODY
                _begin(S, event)
                return
        if forbidden(S, event):
            return
        event.stage = INSTEAD
        event.declined = []
        _instead(S, event)
    elif stage == INSTEAD:
        _instead(S, event)
    elif stage == BEFORE:
        _before(S, event)
    elif stage == BODY:
        _begin(S, event)
    elif stage == AFTER:
        _after(S, event)
    else:
        finish(S, event)


def finish(S: State, event: Event) -> None:
    """Take an ended event off the stack and hand its outcome to the line that proposed it."""
    frames = S.frames
    at = len(frames) - 1
    frames.pop()
    if event.interest:
        S.interest -= 1
        if S.interest == 0:
            S.records.clear()
    if S.lasting:
        S.lasting = [one for one in S.lasting if one.event != at and one.depth < at]
    if not event.quiet:
        S.done = event.done
        S.result = event.result
    if event.usual >= 0 and event.usual < len(frames):
        hooked = frames[event.usual]
        if hooked.kind == 1:
            hooked.result = event.result
    if S.dirty and (S.trial is None or not S.trial.quick):
        check_over(S)


def hits(S: State, event: Event, timing: str, may: bool) -> list[tuple[Any, ...]]:
    """(rule, this, you, locals, subject, variant) of every live rule of a timing that fits the event now, outermost order not applied."""
    program = S.program
    found: list[tuple[Any, ...]] = []
    for rule in event.rules:
        if rule.timing == timing and rule.may is may:
            if timing == "forbid" and rule.label is not None and label_banned(S, rule.label):
                continue
            for this in rule.holder.live(program, S):
                you = rule.you(S, this, event.you)
                if rule.guarded(S, this, you):
                    _try_rule(S, event, rule, this, you, None, None, found)
    for lasting in S.lasting:
        if lasting.event >= 0 and len(S.frames) - 1 < lasting.event:
            continue
        for rule in program.untils[lasting.until][1]:
            if rule.verb == event.verb and rule.step == event.step and rule.timing == timing and rule.may is may:
                _try_rule(S, event, rule, lasting.this, lasting.you, lasting.locals, lasting, found)
    return found


def _try_rule(
    S: State, event: Event, rule: HookRule, this: Any, you: Any, captured: list[Any] | None, lasting: Lasting | None, found: list[tuple[Any, ...]]
) -> None:
    outer = outer_code(S, event)
    variant = rule.variant(outer, S.trial is not None)
    args = event.args
    if event.subjects is None or rule.batch:
        subject = args.get("0")
        if event.subjects is not None:
            subject = event.subjects
        _fit(S, event, rule, variant, this, you, captured, args, subject, None, found)
        return
    if rule.node.pattern.operand is None and not event.subjects:
        _fit(S, event, rule, variant, this, you, captured, args, None, None, found)
    for x in event.subjects:
        _fit(S, event, rule, variant, this, you, captured, args, x, x, found)


def _fit(
    S: State, event: Event, rule: HookRule, variant: Variant, this: Any, you: Any, captured: list[Any] | None, args: dict[str, Any], x: Any,
    subject: Any, found: list[tuple[Any, ...]],
) -> None:  # fmt: skip
    if (rule.index, this, subject) in event.applied:
        return
    if rule.node.notes.once and used_up(S, rule, this, you):
        return
    locals_ = variant.match(S, event, args, x, you, this, captured)
    if locals_ is None:
        return
    if variant.condition is not None and not variant.condition(S, event, locals_, you, this):
        return
    found.append((rule, this, you, locals_, subject, variant))


def outer_code(S: State, event: Event) -> Code | None:
    """The code whose locals rules on this step may read."""
    if event.step is None or event.link < 0:
        return None
    code: Code = S.frames[event.link].code
    return code


def label_banned(S: State, label: str) -> bool:
    """Whether a live ban names the label."""
    for lasting in S.lasting:
        for rule in S.program.untils[lasting.until][1]:
            if rule.verb == label and rule.timing == "forbid" and rule.variant(None, False).condition is None:
                return True
    group = S.program.hooks.get((label, None))
    if group is None:
        return False
    for rule in group.get("forbid", ()):
        for this in rule.holder.live(S.program, S):
            you = rule.you(S, this, None)
            if rule.guarded(S, this, you):
                variant = rule.variant(None, S.trial is not None)
                if variant.condition is None or variant.condition(S, None, [None] * 8, you, this):
                    return True
    return False


def forbidden(S: State, event: Event) -> bool:
    """4.2: live bans; a batch loses the subjects that a ban names."""
    if event.verb == "use":
        from nemesis.kernel.offer import ability_barred

        reason = ability_barred(S, event)
        if reason is not None:
            return _ban(S, event, reason, ())
    banned = hits(S, event, "forbid", False)
    if not banned:
        return False
    for rule, _this, _you, _locals, subject, _variant in banned:
        if rule.strict and S.trial is not None:
            raise Impossible(rule.because, rule.node.notes.cites)
        if subject is None or (event.subjects is not None and len(event.subjects) == 1):
            return _ban(S, event, rule.because, rule.node.notes.cites)
    dropped = {int(hit[4]) for hit in banned}
    assert event.subjects is not None
    event.subjects = tuple([x for x in event.subjects if int(x) not in dropped])
    event.args["0"] = event.subjects
    if "n" in event.args:
        event.args["n"] = len(event.subjects)
    if not event.subjects:
        return _ban(S, event, banned[0][0].because, banned[0][0].node.notes.cites)
    return False


def _ban(S: State, event: Event, because: str, cites: tuple[str, ...]) -> bool:
    if event.strict and S.trial is not None:
        raise Impossible(because, cites)
    note(S, event, event.lid, "forbid", (event.verb, because))
    event.done = event.body[0] == "call" and event.body[1].done == "none"
    event.stage = END
    return True


def sort_hits(S: State, found: list[tuple[Any, ...]], outer_first: bool) -> list[tuple[Any, ...]]:
    """Packs as onion skins, then the asking order of the holder's seat, then the place in the file."""
    if len(found) < 2:
        return found

    def key(hit: tuple[Any, ...]) -> tuple[int, ...]:
        rule = hit[0]
        rank = rule.source.rank
        seat = window.place_in_order(S, S.program.seat_of_thing(S, hit[2]) if type(hit[2]) is Ref and hit[1] is not None else -1)
        subject = int(hit[4]) if type(hit[4]) is Ref else -1
        return (-rank if outer_first else rank, seat, rule.source.order, rule.index, subject)

    return sorted(found, key=key)


def run_rule(S: State, event: Event, hit: tuple[Any, ...], labelled: bool = False) -> None:
    """Push a rule's body on its event."""
    rule, this, you, locals_, _subject, variant = hit
    if rule.label is not None and S.program.step_hooked(rule.label, None) and not labelled:
        inner = Event(rule.label, None, ("rule", hit), {"by": you}, event.lid, event.chain)
        inner.you, inner.this, inner.link = you, this, event.link
        start(S, inner)
        return
    code = variant.code
    assert code is not None
    cites = rule.node.notes.cites
    lid = S.program.add_line(rule.address, cites, rule.node.span)
    frame = Frame(code, locals_ + [None] * (code.ready() - len(locals_)), this, you, (lid, event.chain), S.commits)
    frame.link = event.link
    push(S, frame)
    count_use(S, rule, this, you)
    note(S, event, lid, "rule", (rule.address,))


def vanished(S: State, event: Event) -> bool:
    """Whether what an event is about was in play when it was proposed and is not any more: then it ends, cancelled."""
    if event.subjects is not None:
        left = tuple([x for x in event.subjects if type(x) is Ref and (not event.existed or in_play(S, x))])
        gone = bool(event.subjects) and not left
        event.subjects = left
        event.args["0"] = left
    else:
        operand = event.args.get("0")
        gone = type(operand) is Stale or (event.existed and type(operand) is Ref and not in_play(S, operand))
    if gone:
        event.stage = END
        event.done = False
        note(S, event, event.lid, "skip", (event.verb,))
    return gone


def _instead(S: State, event: Event) -> None:
    running = event.running
    if running is not None:
        event.running = None
        subject = running[0]
        if subject is not None and event.subjects is not None and len(event.subjects) > 1:
            event.subjects = tuple([x for x in event.subjects if x is not subject and not (type(x) is Stale)])
            event.args["0"] = event.subjects
            if "n" in event.args:
                event.args["n"] = len(event.subjects)
        else:
            event.done = S.commits > event.commits
            if event.body[0] == "call" and event.body[1].done == "none":
                event.done = True
            event.stage = END
            return
    if event.applied and vanished(S, event):
        return
    if len(event.applied) > 16:
        raise LoopFound(f"{event.verb} was replaced more than 16 times", tuple(dict.fromkeys(str(one[0]) for one in event.applied)))
    forced = sort_hits(S, hits(S, event, "instead", False), True)
    if forced:
        hit = forced[0]
        event.applied.append((hit[0].index, hit[1], hit[4]))
        event.running = (hit[4],)
        run_rule(S, event, hit)
        return
    if window.ask(S, event, "instead"):
        return
    event.stage = BEFORE
    event.queue = None
    event.declined = []
    _before(S, event)


def _before(S: State, event: Event) -> None:
    if event.queue is None:
        event.queue = [(hit[0], hit[1], hit[2], hit[4]) for hit in sort_hits(S, hits(S, event, "before", False), True)]
    elif vanished(S, event):
        return
    if _next_in_queue(S, event):
        return
    if window.ask(S, event, "before"):
        return
    if event.commits != S.commits and event.applied and forbidden(S, event):
        return
    event.stage = BODY
    event.queue = None
    event.declined = []
    _begin(S, event)


def _next_in_queue(S: State, event: Event) -> bool:
    """Run the next rule of the queue whose tests still hold."""
    queue = event.queue
    while queue:
        rule, this, you, subject = queue.pop(0)
        args = event.args
        outer = outer_code(S, event)
        variant = rule.variant(outer, S.trial is not None)
        captured = None
        if rule.captured is not None:
            captured = next((one.locals for one in S.lasting if rule in S.program.untils[one.until][1]), None)
            if captured is None:
                continue
        x = subject if subject is not None else (event.subjects if event.subjects is not None else args.get("0"))
        found: list[tuple[Any, ...]] = []
        _fit(S, event, rule, variant, this, you, captured, args, x, subject, found)
        if found:
            event.applied.append((rule.index, this, subject))
            run_rule(S, event, found[0])
            return True
    return False


def _begin(S: State, event: Event) -> None:
    """The event begins: its body runs."""
    if event.ran:
        event.done, event.result = S.done, S.result
        event.stage = AFTER
        event.queue = None
        event.ran = False
        _after(S, event)
        return
    program = S.program
    at = len(S.frames) - 1
    for lasting in S.lasting:
        if lasting.event < 0 and lasting.depth < at:
            anchor = program.untils[lasting.until][0]
            if anchor.verb == event.verb and anchor.step == event.step:
                variant = anchor.variant(outer_code(S, event), S.trial is not None)
                x = event.subjects[0] if event.subjects else event.args.get("0")
                if variant.match(S, event, event.args, x, lasting.you, lasting.this, lasting.locals) is not None:
                    lasting.event = at
    if S.interest and (event.verb, event.step) in program.dids:
        S.records.append((event.verb, event.step, dict(event.args)))
    event.ran = True
    sort = event.body[0]
    if sort == "call":
        head: HeadInfo = event.body[1]
        run = program.run_of(head)
        values = [event.args.get(name) for name in run.names]
        code = run.code
        you = values[run.you] if run.you >= 0 else None
        event.you = you
        frame = Frame(code, values + [None] * (code.ready() - len(values)), event.this, you, event.chain, event.commits)
        push(S, frame)
        if code.period is not None:
            begin_period(S, code.period)
        if run.told:
            note(S, event, event.lid, "call", (head.index, tuple(values)))
    elif sort == "verb":
        do_verb(S, event)
    elif sort == "write":
        _, verb, address, name, length = event.body
        program.namespace[f"do_{verb}"](S, event, event.lid, address, event.args.get("on"), name, event.args.get("n"), length)
    elif sort == "step":
        owner_frame = S.frames[event.link]
        frame = Frame(owner_frame.code, owner_frame.locals, event.this, event.you, event.chain, S.commits)
        frame.pc = event.body[1]
        frame.shared = event.link
        frame.link = owner_frame.link
        push(S, frame)
    elif sort == "rule":
        run_rule(S, event, event.body[1], labelled=True)
    elif sort == "use":
        from nemesis.kernel.offer import begin_ability

        begin_ability(S, event)


def do_verb(S: State, event: Event) -> bool:
    """Carry out a primitive verb with the arguments that are left; yes if a run-out procedure was pushed."""
    verb = event.verb
    given: dict[str, Any] = {}
    for name, value in event.args.items():
        given[{"0": "things", "n": "n", "object": "kind_word", "end": "end"}.get(name, name + "_")] = value
    if verb == "place" and event.args.get("object") is not None:
        given["chosen"] = event.subjects
        given.pop("things", None)
    elif event.subjects is not None:
        given["things"] = event.subjects
    if S.program.namespace[f"do_{verb}"](S, event, event.lid, **given):
        S.frames[-1].quiet = True
        return True
    return False


def _after(S: State, event: Event) -> None:
    if event.queue is None:
        if not S.lasting and S.windows != "open" and not any(rule.timing == "after" for rule in event.rules):
            event.stage = END
            finish(S, event)
            return
        _bind_placed(event)
        event.queue = [(hit[0], hit[1], hit[2], hit[4]) for hit in sort_hits(S, hits(S, event, "after", False), False)]
    if _next_in_queue(S, event):
        return
    if window.ask(S, event, "after"):
        return
    event.stage = END
    finish(S, event)


def _bind_placed(event: Event) -> None:
    """After a placing, its subjects are the things that were really placed."""
    if event.verb in ("place", "draw") and event.body[0] == "verb":
        result = event.result
        found = () if result is None else result if type(result) is tuple else (result,)
        event.subjects = tuple([x for x in found if type(x) is Ref])
        event.args["0"] = event.subjects


# ---- ways out ------------------------------------------------------------------------------------------------------------
def leave(S: State, f: Frame) -> int:
    """The body on top has ended."""
    frames = S.frames
    frames.pop()
    if not f.quiet:
        done = f.code.done
        S.done = S.commits > f.commits if done == "some" else f.ok if done == "all" else True
        S.result = f.result
    at = len(frames)
    if S.lasting:
        S.lasting = [one for one in S.lasting if one.depth < at]
    if S.dirty and (S.trial is None or not S.trial.quick):
        check_over(S)
    return -1


def stop_unit(S: State, f: Frame) -> int:
    """`stop`: end the running procedure, ability, rule or row, also from inside one of its steps."""
    frames = S.frames
    if f.shared >= 0:
        cut(S, f.shared + 1)
        f = frames[-1]
    return leave(S, f)


def cut(S: State, size: int) -> None:
    """Drop everything above; no `after` rule of what is dropped runs."""
    for frame in S.frames[size:]:
        if frame.kind == 1 and frame.interest:
            S.interest -= 1
    del S.frames[size:]
    if S.lasting:
        S.lasting = [one for one in S.lasting if one.depth < size and one.event < size]


def _named(S: State, frame: Any, name: str) -> bool:
    if frame.kind == 1:
        if frame.step is not None:
            return False
        if frame.verb == "use":
            deed = frame.args.get("0")
            if type(deed) is Deed and S.program.actions[deed.action].name == name:
                return True
        return bool(frame.verb == name or (frame.body[0] == "call" and frame.body[1].name == name))
    code = frame.code
    return frame.shared < 0 and code.verb is not None and name in (code.verb, code.step_verb)


def stop_event(S: State, f: Frame, name: str) -> int:
    """`stop p`: the nearest running p ends early; its `after` rules run."""
    frames = S.frames
    for at in range(len(frames) - 1, -1, -1):
        frame = frames[at]
        if not _named(S, frame, name):
            continue
        if frame.kind == 1:
            if frame.stage < BODY:
                continue
            cut(S, at + 1)
            frame.ran = False
            frame.stage = AFTER
            frame.queue = None
            frame.done = S.commits > frame.commits
            return -1
        cut(S, at + 1)
        return leave(S, frame)
    raise ContentError(f"stop {name}: no {name} is running")


def cancel(S: State, f: Frame, name: str | None) -> int:
    """`cancel`: the hooked event (or the nearest one of that name that has not begun) never happened."""
    frames = S.frames
    for at in range(len(frames) - 1, -1, -1):
        frame = frames[at]
        if frame.kind == 1 and frame.stage < BODY and (name is None or _named(S, frame, name)):
            cut(S, at + 1)
            frame.stage = END
            frame.done = frame.body[0] == "call" and frame.body[1].done == "none"
            frame.result = None
            return -1
    raise ContentError("cancel: no event is waiting to begin")


def usual(S: State, f: Frame, changed: dict[str, Any]) -> int:
    """Do what was replaced, perhaps with other arguments."""
    frames = S.frames
    at = len(frames) - 1
    if f.shared >= 0:
        at = f.shared
    hooked = frames[at - 1]
    if hooked.kind != 1:
        raise ContentError("usual stands outside an instead rule")
    event = hooked.copy()
    event.applied = list(hooked.applied)
    event.stage = FORBID
    event.running = None
    event.queue = None
    event.declined = []
    event.ran = False
    event.quiet = False
    event.interest = 0
    event.usual = at - 1
    event.done = False
    event.args.update(changed)
    subject = hooked.running[0] if hooked.running else None
    if "0" in changed:
        things = changed["0"]
        if event.subjects is not None:
            event.subjects = tuple([x for x in (things if type(things) is tuple else (things,)) if type(x) is Ref])
            event.args["0"] = event.subjects
    elif subject is not None and event.subjects is not None:
        event.subjects = (subject,)
        event.args["0"] = event.subjects
    if event.subjects is not None:
        if not event.subjects:
            S.done = False
            return f.pc
        if "n" in event.args and event.verb == "place":
            event.args["n"] = len(event.subjects)
            event.args.pop("object", None) if "0" in changed else None
    if event.body[0] == "call":
        head: HeadInfo = event.body[1]
        run = S.program.run_of(head)
        event.you = event.args.get(run.names[run.you]) if run.you >= 0 else None
    start(S, event)
    return -1


def add_lasting(S: State, f: Frame, index: int) -> None:
    """An `until` block: its rules live from now to the end of its event."""
    depth = f.shared if f.shared >= 0 else len(S.frames) - 1
    lasting = Lasting(index, list(f.locals), f.this, f.you, depth, f.chain)
    lasting.unit = f.code.key
    S.lasting.append(lasting)
