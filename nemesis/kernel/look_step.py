"""What looks ask when they run: whether one step, with the things it would be about, would be done.

Each function mirrors the verb it is named for, without a change; the verdicts are those of `look`. They are called by generated code only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel import matching, offer
from nemesis.kernel.frame import Event
from nemesis.kernel.ledger import ability_used_up
from nemesis.kernel.reading import seq
from nemesis.kernel.sight import seen_by
from nemesis.kernel.verb_things import living, room_for, room_for_one, target
from nemesis.kernel.verdict import MAYBE, NO, OPEN, YES
from nemesis.world.thing import Deed, Ref, Stale

if TYPE_CHECKING:
    from nemesis.kernel.look import Look
    from nemesis.state import State
    from rulescript.table.declarations import HeadInfo


def look_use(S: State, deed: Any, you: Any) -> int:
    """The look at an ability that an action would use."""
    if type(deed) is not Deed or type(you) is not Ref:
        return NO
    program = S.program
    action = program.actions[deed.action]
    if action.node.notes.once and ability_used_up(S, action, deed.card, you):
        return NO
    if action.node.head.binders:
        return MAYBE
    look = program.looks.of_action(deed.action)
    trial = S.trial
    assert trial is not None
    if look.touches_payment() and trial.deed is not None and offer.deed_cost(S, trial.deed) > 0:
        return MAYBE
    key = ("look", deed.action, deed.card, you, trial.view)
    found: int | None = S.memo.get(key)
    if found is None:
        if key in trial.looking:
            return MAYBE  # an ability that uses another which uses it: the loop shows in a trial
        before, trial.brief = trial.brief, min(trial.brief, 1)
        trial.looking.append(key)
        found = look_moved(S, look, deed, you)
        trial.looking.pop()
        if trial.brief != 2:
            S.memo[key] = found
        trial.brief = max(before, trial.brief)
    return found


def look_moved(S: State, look: Look, deed: Deed, you: Ref) -> int:
    """The look at an ability written in a card that a rule may move before its use: as if it lay there already."""
    card, program = deed.card, S.program
    if card is None or not program.looks.used_cards_move() or not look.touches_itself():
        return int(look.function(S, you, card))
    found = int(look.blind()(S, you, card))
    to = program.looks.moved_by_use(card) if found == MAYBE else None
    if to is None:
        return found
    if to < 0:
        return int(look.function(S, you, card))
    if S.trial is not None and S.trial.brief:
        S.trial.brief = 2  # this takes longer: the other cards first, perhaps one of them settles it
        return MAYBE
    memo, source = S.memo, S.place[card]
    S.memo = {}
    here, there = S.inside[source], S.inside[to]
    S.inside[source] = tuple([x for x in here if x != card])
    S.inside[to] = (*there, card)
    S.place[card] = to
    try:
        return int(look.function(S, you, card))
    finally:
        S.memo, S.place[card], S.inside[source], S.inside[to] = memo, source, here, there


def look_call(S: State, head: HeadInfo, you: Any, this: Any, values: list[Any]) -> int:
    """The look at a call of a procedure."""
    look = S.program.looks.of_call(head)
    run = look.run
    if run.operand >= 0 and type(values[run.operand]) is tuple:
        if len(values[run.operand]) != 1:
            return MAYBE if values[run.operand] else NO if head.done != "none" else YES
        values[run.operand] = values[run.operand][0]
    for at in run.required:
        value = values[at]
        if value is None or type(value) is Stale or value == ():
            return YES if head.done == "none" else NO
    if look.asking or S.lasting:
        return MAYBE
    doer = values[run.you] if run.you >= 0 else None
    look.asking = True
    try:
        found = int(look.function(S, doer, this, *values))
    finally:
        look.asking = False
    return MAYBE if found == NO and doer is not None and doer != you else found  # a choice of somebody else's is not ruled out


def look_choice(S: State, decider: Any, candidates: tuple[Any, ...]) -> int:
    """What a choice of somebody named says by itself: OPEN for one of another seat, NO (go on) where there is none to make."""
    if len(candidates) < 2:
        return NO
    if type(decider) is tuple and len(decider) == 1:
        decider = decider[0]
    seat = S.program.seat_of_thing(S, decider) if type(decider) is Ref else -1
    trial = S.trial
    return MAYBE if seat < 0 or trial is None or trial.view < 0 else NO if seat == trial.view else OPEN


def look_place(S: State, kind: str, n: Any, to: Any, you: Any, this: Any) -> int:
    """The look at a placing: room in the place, a thing in the pool, no live ban; MAYBE if something would replace it."""
    program = S.program
    pool = program.world.pools.get(kind)
    if type(to) is not Ref or pool is None or (room := room_for(S, (kind,), to)) == 0:
        return NO
    things = tuple(sorted(S.inside[pool])[: n or 0])
    if not things:
        return MAYBE if kind in program.runs_out else NO
    args = {"n": n, "object": kind, "in": to, "0": things}
    event = Event("place", None, ("verb", "place"), args, -1, None)
    event.subjects, event.you, event.this = things, you, this
    event.rules = matching.rules_for(S, "place", None, args)
    if S.lasting:
        return MAYBE
    if any(matching.hits(S, event, rule.timing, rule.may) for rule in event.rules if rule.timing in ("instead", "before")):
        return MAYBE
    banned = {int(hit[4]) for hit in matching.hits(S, event, "forbid", False) if hit[4] is not None}
    return NO if len(banned) == len(things) else YES if room is None or room > 0 else NO


def look_some(things: Any) -> int:
    """Verbs that are done if there is something to do them to (return, remove)."""
    return YES if living(things) else NO


def look_move(S: State, things: Any, to: Any, end: bool = False) -> int:
    """Whether some of the things would really move."""
    to = target(to)
    if to is None:
        return NO
    for x in living(things):
        if S.place[x] == to and not end and len(S.inside[to]) == 1:
            continue
        room = room_for(S, S.program.world.kinds[x], to)
        if room is None or room > 0 or S.place[x] == to:
            return YES
    return NO


def look_draw(S: State, n: Any, zone: Any, to: Any) -> int:
    """A draw that the seat does not see ends a trial; an empty deck is left to the trial."""
    zone, to = target(zone), target(to)
    if zone is None or to is None or not n or room_for_one(S, to) is False:
        return NO
    inside = S.inside[zone]
    if not inside:
        return MAYBE
    program = S.program
    info = program.zone_info.get(zone)
    view = S.trial.view if S.trial is not None else -1
    mixed = info is not None and info.order == "mixed"
    return OPEN if mixed or (program.shows[zone] != 0 and not seen_by(S, inside[-1], view)) else YES


def look_set(S: State, address: Any, things: Any, value: Any) -> int:
    """Whether writing a field would change something."""
    if type(address) is int:
        return MAYBE
    value = None if type(value) is Stale else tuple(value) if type(value) is list else value
    changes = [one for one in seq(things) if type(one) is Ref and S.v[address[one]] != value]
    return YES if changes else NO


def look_shift(S: State, address: Any, things: Any, by: int, length: int) -> int:
    """Whether raising or lowering would change something: tracks stop at their ends, plain numbers at 0."""
    if type(address) is int:
        old = S.v[address]
        return YES if isinstance(old, int) and max(1, min(length, old + by)) != old else NO
    for one in seq(things):
        if type(one) is Ref and address[one] >= 0:
            value = S.v[address[one]]
            old = value if isinstance(value, int) else 0
            if (max(1, min(length, old + by)) if length else max(0, old + by)) != old:
                return YES
    return NO


def look_cap(found: int) -> int:
    """The verdict on a step behind which strict lines may still fail: sure only where it ends the trial."""
    return found if found == OPEN else min(found, MAYBE)
