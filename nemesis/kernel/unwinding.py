"""Ways out of running code: the end of a body, `stop`, `cancel`, `usual`, and `until` blocks that end with their ability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.ending import check_over
from nemesis.kernel.frame import AFTER, BODY, END, FORBID, Frame, Lasting
from nemesis.kernel.proposal import start
from nemesis.kernel.signal import ContentError
from nemesis.world.thing import Deed, Ref
from rulescript.table.declarations import HeadInfo

if TYPE_CHECKING:
    from nemesis.state import State


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
        S.memo.clear()
    if S.dirty and (S.trial is None or not S.trial.quick):
        check_over(S)
    return -1


def stop_unit(S: State, f: Frame) -> int:
    """`stop`: end the running procedure, ability, rule or row, also from inside one of its steps."""
    frames = S.frames
    if f.shared >= 0:
        cut(S, f.shared + 1)
        owner: Any = frames[-1]
        return leave(S, owner)
    return leave(S, f)


def cut(S: State, size: int) -> None:
    """Drop everything above; no `after` rule of what is dropped runs."""
    for frame in S.frames[size:]:
        if frame.kind == 1 and frame.interest:
            S.interest -= 1
    del S.frames[size:]
    if S.lasting:
        S.lasting = [one for one in S.lasting if one.depth < size and one.event < size]
        S.memo.clear()


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
    S.memo.clear()
