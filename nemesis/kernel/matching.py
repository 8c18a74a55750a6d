"""Which live rules fit an event at one of its stages, and in which order they come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel import window
from nemesis.kernel.frame import Event, Lasting
from nemesis.kernel.ledger import used_up
from nemesis.world.thing import Deed, Ref

if TYPE_CHECKING:
    from nemesis.kernel.code import Code
    from nemesis.kernel.rule import HookRule, Variant
    from nemesis.state import State


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


def hits(S: State, event: Event, timing: str, may: bool) -> list[tuple[Any, ...]]:
    """(rule, this, you, locals, subject, variant) of every live rule of a timing that fits the event now, outermost order not applied."""
    program = S.program
    found: list[tuple[Any, ...]] = []
    for rule in program.stages_of(event.rules).rules.get((timing, may), ()):
        if timing == "forbid" and rule.label is not None and label_banned(S, rule.label):
            continue
        for this in rule.holders(program, S, event):
            you = rule.you(S, this, event.you)
            if not rule.guards or rule.guarded(S, this, you):
                _try_rule(S, event, rule, this, you, None, None, found)
    for lasting in S.lasting:
        if lasting.event >= 0 and len(S.frames) - 1 < lasting.event:
            continue
        for rule in program.untils[lasting.until][1]:
            if rule.verb == event.verb and rule.step == event.step and rule.timing == timing and rule.may is may:
                _try_rule(S, event, rule, lasting.this, lasting.you, lasting.locals, lasting, found)
    return found


def _try_rule(
    S: State,
    event: Event,
    rule: HookRule,
    this: Any,
    you: Any,
    captured: list[Any] | None,
    lasting: Lasting | None,
    found: list[tuple[Any, ...]],
) -> None:
    outer = outer_code(S, event)
    variant = rule.variant(outer, S.trial is not None)
    args = event.args
    if event.subjects is None or rule.batch:
        subject = args.get("0")
        if event.subjects is not None:
            subject = event.subjects
        fit(S, event, rule, variant, this, you, captured, args, subject, None, found)
        return
    if rule.node.pattern.operand is None and not event.subjects:
        fit(S, event, rule, variant, this, you, captured, args, None, None, found)
    for x in event.subjects:
        fit(S, event, rule, variant, this, you, captured, args, x, x, found)


def fit(
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
    frame: Any = S.frames[event.link]
    code: Code = frame.code
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
