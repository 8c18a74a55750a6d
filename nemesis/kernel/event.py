"""The event pipeline: forbid, instead, before, body, after.

Each time an event is on top of the stack it is taken one stage further. What runs in between (a rule's body, the event's own body) is
pushed on top of it and gone when its turn comes again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel import offer, window
from nemesis.kernel.commit import note, note_call
from nemesis.kernel.ending import check_over
from nemesis.kernel.frame import AFTER, BEFORE, BODY, END, FORBID, INSTEAD, Event, Frame
from nemesis.kernel.ledger import count_use
from nemesis.kernel.matching import fit, hits, outer_code, sort_hits
from nemesis.kernel.proposal import begin_period, do_verb, push, start
from nemesis.kernel.reading import in_play
from nemesis.kernel.signal import Impossible, LoopFound
from nemesis.world.thing import Ref, Stale
from rulescript.table.declarations import HeadInfo

if TYPE_CHECKING:
    from nemesis.state import State


def run_event(S: State, event: Event) -> None:
    """Take the event on top of the stack one stage further."""
    stage = event.stage
    if stage == FORBID:
        all_stages = bool(S.lasting) or S.windows == "open"
        stages = S.program.stages_of(event.rules)
        if (event.verb == "use" or all_stages or ("forbid", False) in stages.rules) and forbidden(S, event):
            return
        if not all_stages and not stages.early:
            event.stage = BODY
            _begin(S, event)
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
        S.memo.clear()
    if not event.quiet:
        S.done = event.done
        S.result = event.result
    if event.usual >= 0 and event.usual < len(frames):
        hooked = frames[event.usual]
        if hooked.kind == 1:
            hooked.result = event.result
    if S.dirty and (S.trial is None or not S.trial.quick):
        check_over(S)


def forbidden(S: State, event: Event) -> bool:
    """4.2: live bans; a batch loses the subjects that a ban names."""
    if event.verb == "use":
        reason = offer.ability_barred(S, event)
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
    dropped = {hit[4] for hit in banned}
    assert event.subjects is not None
    event.subjects = tuple([x for x in event.subjects if x not in dropped])
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
            event.subjects = tuple([x for x in event.subjects if x is not subject and type(x) is not Stale])
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
        fit(S, event, rule, variant, this, you, captured, args, x, subject, found)
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
            note_call(S, event, event.lid, head.index, tuple(values))
    elif sort == "verb":
        do_verb(S, event)
    elif sort == "write":
        _, verb, address, name, length = event.body
        program.namespace[f"do_{verb}"](S, event, event.lid, address, event.args.get("on"), name, event.args.get("n"), length)
    elif sort == "step":
        owner_frame: Any = S.frames[event.link]
        frame = Frame(owner_frame.code, owner_frame.locals, event.this, event.you, event.chain, S.commits)
        frame.pc = event.body[1]
        frame.shared = event.link
        frame.link = owner_frame.link
        push(S, frame)
    elif sort == "rule":
        run_rule(S, event, event.body[1], labelled=True)
    elif sort == "use":
        offer.begin_ability(S, event)


def _after(S: State, event: Event) -> None:
    if event.queue is None:
        if not S.lasting and S.windows != "open" and not S.program.stages_of(event.rules).late:
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
