"""Reaction windows: who is asked, in which order, for which of their may-rules (SEMANTICS 4.7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel import matching
from nemesis.kernel.frame import Pending
from nemesis.kernel.signal import Unknown
from nemesis.world.thing import Ref
from rulescript.table.declarations import slug

if TYPE_CHECKING:
    from nemesis.kernel.frame import Event
    from nemesis.state import State


def asking_order(S: State) -> list[int]:
    """Seats in the rule set's asking order; seats that it does not name come last, by number."""
    program = S.program
    count = len(program.world.seats)
    name = program.ruleset.asks
    order = program.table.orders.get(name) if name else None
    seats: list[int] = []
    if order is not None:
        key = program.order_key(order)
        for x in sorted(program.world.members(order.kind), key=lambda x: key(S, x)):
            seat = program.seat_of_thing(S, x)
            if seat >= 0 and seat not in seats:
                seats.append(seat)
    return seats + [n for n in range(count) if n not in seats]


def place_in_order(S: State, seat: int) -> int:
    if seat < 0:
        return -1
    order = asking_order(S)
    return order.index(seat) if seat in order else len(order)


def seat_of_hit(S: State, hit: tuple[Any, ...]) -> int:
    you = hit[2]
    return S.program.seat_of_thing(S, you) if type(you) is Ref else -1


def ask(S: State, event: Event, timing: str) -> bool:
    """Ask the first seat that may react and has not declined; yes if a decision is open now."""
    if not S.lasting and S.windows != "open" and (timing, True) not in S.program.stages_of(event.rules).rules:
        return False
    found = matching.sort_hits(S, matching.hits(S, event, timing, True), True)
    if not found and S.windows != "open":
        return False
    by_seat: dict[int, list[tuple[Any, ...]]] = {}
    for hit in found:
        seat = seat_of_hit(S, hit)
        if seat >= 0:
            by_seat.setdefault(seat, []).append(hit)
    seats = set(by_seat)
    if S.windows == "open" and S.trial is None and S.program.has_hidden_may(event.verb, event.step, timing):
        seats |= {n for n in range(len(S.program.world.seats)) if S.program.has_hidden_hand(S, n)}
    for seat in asking_order(S):
        if seat not in seats or seat in event.declined:
            continue
        if S.trial is not None and seat != S.trial.view:
            raise Unknown
        hits_here = by_seat.get(seat, [])
        options = tuple(hits_here) + (None,)
        pending = Pending("may" if len(hits_here) == 1 else "choose_one", seat, options, ("window", timing), "react", event.lid)
        pending.labels = tuple(option_names(S, hits_here)) + ("none",)
        S.pending = pending
        return True
    return False


def option_names(S: State, found: list[tuple[Any, ...]]) -> list[str]:
    """Ids of the rules offered: the holder's name, else the rule's reason as a word."""
    names: list[str] = []
    for hit in found:
        rule, this, subject = hit[0], hit[1], hit[4]
        name = S.name(this) if type(this) is Ref else rule.label or slug(rule.because) or f"rule_{rule.index}"
        if name in names and type(subject) is Ref:
            name = f"{name}.{S.name(subject)}"
        while name in names:
            name += "_"
        names.append(name)
    return names


def answered(S: State, event: Event, timing: str, hit: tuple[Any, ...] | None, seat: int) -> None:
    """Go on after an answer in a window: run the rule and forget all declines, or note the decline."""
    from nemesis.kernel.event import run_rule

    if hit is None:
        event.declined.append(seat)
        return
    event.declined = []
    event.applied.append((hit[0].index, hit[1], hit[4]))
    if timing == "instead":
        event.running = (hit[4],)
    run_rule(S, event, hit)
