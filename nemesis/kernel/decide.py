"""Decisions: narrowing by orders, who is asked, what an answer does."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nemesis.kernel import chance, offer, trial, window
from nemesis.kernel import look as looking
from nemesis.kernel.commit import note
from nemesis.kernel.frame import Frame, Pending
from nemesis.kernel.picking import Cut, choice_seats, note_pick
from nemesis.kernel.reading import seq
from nemesis.kernel.signal import ContentError, Impossible, Unknown
from nemesis.kernel.verdict import MAYBE, NO
from nemesis.world.thing import Deed, Ref, Stale
from rulescript.table.declarations import slug

if TYPE_CHECKING:
    from nemesis.state import State

EMPTY, ASKED, TAKEN = 0, 1, 2


def seat_for(S: State, f: Any, decider: Any) -> int:
    """The seat that answers for a decider; an order (`use … by mate for boss`) maps the ordered one's choices to the orderer."""
    if type(decider) is tuple and len(decider) == 1:
        decider = decider[0]
    if type(decider) is not Ref:
        return -1
    for frame in reversed(S.frames):
        if frame.kind == 1 and frame.boss is not None and frame.args.get("by") == decider and type(frame.boss) is Ref:
            decider = frame.boss
    return S.program.seat_of_thing(S, decider)


def fail(S: State, f: Any, lid: int, because: str) -> None:
    """A strict line that could not be done: impossible in a trial; in play (after chance) the rest is lenient.

    An ability that fails before it is paid for was refused by another seat: its result says so.
    """
    if S.trial is not None:
        raise Impossible(because, S.program.line(lid)[1])
    if f.pay is not None:
        f.result = "refused"
    note(S, f, lid, "skip", (because,))


def choose(
    S: State, f: Any, lid: int, slot: int, candidates: tuple[Any, ...], keys: tuple[Callable[[Any], Any], ...], decider: Any, low: int,
    high: int | None, single: bool, name: str, strict: bool, secret: bool, kind: str, look: tuple[int, int, tuple[Any, ...]] | None = None,
) -> int:  # fmt: skip
    """Choose into a local. Returns EMPTY (nothing to choose from), ASKED (a decision is open) or TAKEN."""
    L = f.locals
    found = [x for x in candidates if x is not None and type(x) is not Stale]
    asked = decider not in ("policy", "chance", "order")
    dropped: tuple[Any, ...] = ()
    if strict and found and S.trial is None and (f.code.fails_after(f.pc) or S.lasting):
        able = possible(S, f, slot, found, decider, single, look)
        dropped = tuple(x for x in found if x not in able)
        found = able
    elif look is not None and strict and len(found) > 1 and S.trial is not None and S.trial.quick:
        found = not_impossible(S, f, found, decider, look)
    n = len(found)
    most = n if high is None else min(high, n)
    if n == 0 or most == 0:
        if low == 0:
            L[slot] = None if single else ()
            return TAKEN
        return EMPTY
    if low > n:
        if strict:
            return EMPTY
        low = n
        f.ok = False
    everyone = tuple(found)
    cuts: list[Cut] = []
    told = S.undo is None
    taken: list[Any] = []
    for key in keys:
        if len(found) <= most - len(taken) and not single:
            break
        if single and len(found) == 1:
            break
        groups: dict[Any, list[Any]] = {}
        for x in found:
            groups.setdefault(key(x), []).append(x)
        rest: list[Any] = []
        ranked = [groups[value] for value in sorted(groups)]
        for group in ranked:
            room = most - len(taken)
            if len(group) <= room and (len(group) < room or len(group) == room) and not (single and len(group) > 1):
                if single:
                    rest = group
                    break
                taken.extend(group)
                if len(taken) == most:
                    break
            else:
                rest = group
                break
        if told:
            cuts.append((ranked, next((at for at, group in enumerate(ranked) if group is rest), -1)))
        found = rest.copy()
        if len(taken) == most:
            break
    want = most - len(taken)
    if want == 0:
        return take(S, f, lid, slot, taken, single, "order", name, everyone, cuts)
    if not asked:
        if decider == "chance":
            for _ in range(want):
                one = chance.pick(S, f, lid, f"{f.code.address}/{name}", found)
                found.remove(one)
                taken.append(one)
            return take(S, f, lid, slot, taken, single, "chance", name, everyone, cuts)
        if len(found) > want:
            if decider == "order" and "W-TIE" not in S.warnings and S.trial is None:
                S.warnings.append("W-TIE")
            return take_by_policy(S, f, lid, slot, found, single, taken, want, name, everyone, cuts)
        return take(S, f, lid, slot, [*taken, *found], single, "order" if n > most else "forced", name, everyone, cuts)
    if low >= most and len(found) == want:
        taken.extend(found)
        if S.trial is None:
            S.forced += 1
            if S.program.forced_hook is not None:
                seat = seat_for(S, f, decider)
                for x in taken:
                    S.program.forced_hook(S, seat, value_id(S, x))
        return take(S, f, lid, slot, taken, single, "order" if n > most else "forced", name, everyone, cuts)
    seat = seat_for(S, f, decider)
    if seat < 0:
        return take_by_policy(S, f, lid, slot, found, single, taken, want if low > 0 else 0, name, everyone, cuts)
    if S.trial is not None and S.trial.view != seat:
        raise Unknown
    if told and len(found) < n:
        note_pick(S, f, lid, name, "narrow", (*taken, *found), everyone, cuts)
    sort = "secret_batch" if kind == "batch" else "amount" if kind == "amount" else "choose_one" if single else "choose_some"
    pending = Pending(sort, seat, tuple(found), ("local", slot, single, tuple(taken)), name, lid, min(low, want), want, secret)
    pending.extra = dropped
    if single and low == 0:
        pending.options = (*found, None)
    S.pending = pending
    return ASKED


def take_by_policy(
    S: State, f: Any, lid: int, slot: int, found: list[Any], single: bool, taken: list[Any], want: int, name: str,
    everyone: tuple[Any, ...], cuts: list[Cut],
) -> int:  # fmt: skip
    """So many that nobody chooses between, each the policy's choice given those before."""
    from nemesis.kernel.policy import choose_by_policy

    while want > 0:
        one = choose_by_policy(S, f, lid, slot, found, single, taken, want)
        if S.pending is not None:
            return ASKED
        found.remove(one)
        taken.append(one)
        want -= 1
    return take(S, f, lid, slot, taken, single, "policy", name, everyone, cuts)


def take(
    S: State, f: Any, lid: int, slot: int, taken: list[Any], single: bool, how: str, name: str, everyone: tuple[Any, ...], cuts: list[Cut]
) -> int:
    f.locals[slot] = (taken[0] if taken else None) if single else tuple(taken)
    if S.undo is None:
        note_pick(S, f, lid, name, how, taken, everyone, cuts)
    return TAKEN


def possible(S: State, f: Frame, slot: int, candidates: list[Any], decider: Any, single: bool, look: Any) -> list[Any]:
    """Those candidates whose trial to the end of the ability is not `no`; where a look can tell, there is no trial."""
    seat = seat_for(S, f, decider) if type(decider) is Ref else -1
    if not single or (f.pay is not None and seat not in (-1, seat_for(S, f, f.you))):
        return candidates  # before anything is paid another seat may make it impossible: so it refuses
    if look is not None and not S.lasting and not S.program.strict_bans and type(f.you) is Ref:
        return [
            x for x in candidates
            if (seen := looking.look_on(S, look, f, x, seat)) != NO and (seen != MAYBE or trial.try_local(S, slot, x, f.pc, seat) != "no")
        ]  # fmt: skip
    return [x for x in candidates if trial.try_local(S, slot, x, f.pc, seat) != "no"]


def not_impossible(S: State, f: Frame, candidates: list[Any], decider: Any, look: Any) -> list[Any]:
    """In a trial that only wants a verdict: those candidates that a look does not rule out, so that the trial need not go that way."""
    if S.lasting or S.program.strict_bans or type(f.you) is not Ref or decider != f.you or f.code.action < 0:
        return candidates
    return [x for x in candidates if looking.look_on(S, look, f, x, -1) != NO]


def either(S: State, f: Frame, lid: int, options: list[tuple[str, bool, int]], decider: Any, strict: bool, end: int) -> int:
    """One of several blocks: its block number, -1 if there is none, -2 if a decision is open."""
    open_ = [(label, pc) for label, holds, pc in options if holds]
    seat = -1 if decider == "policy" else seat_for(S, f, decider)
    if strict and S.trial is None:
        open_ = [(label, pc) for label, pc in open_ if not f.code.fails_after(pc) or trial.try_block(S, pc, seat) != "no"]
    if not open_:
        return -1
    if len(open_) == 1:
        if S.trial is None:
            S.forced += 1
            if S.program.forced_hook is not None:
                S.program.forced_hook(S, seat, slug(open_[0][0]))
        note(S, f, lid, "take", (open_[0][0], "forced", ()))
        return open_[0][1]
    if seat < 0:
        from nemesis.kernel.policy import choose_block

        return choose_block(S, f, lid, open_)
    if S.trial is not None and S.trial.view != seat:
        raise Unknown
    pending = Pending("choose_one", seat, tuple(pc for _, pc in open_), ("jump",), "choose", lid)
    pending.labels = tuple(slug(label) for label, _ in open_)
    pending.extra = tuple(label for label, _ in open_)
    S.pending = pending
    return -2


def may(S: State, f: Frame, lid: int, label: str, decider: Any, yes: int, no: int, secret: bool) -> int:
    """Yes or no: the block number, or -1 if a decision is open."""
    if decider == "policy":
        from nemesis.kernel.policy import choose_block

        return choose_block(S, f, lid, [("yes", yes), ("no", no)])
    seat = seat_for(S, f, decider)
    if seat < 0:
        return no
    if S.trial is not None and S.trial.view != seat:
        raise Unknown
    pending = Pending("may", seat, (yes, no), ("jump",), label, lid, secret=secret)
    pending.labels = ("yes", "no")
    pending.extra = (label, f"do not {label}")
    S.pending = pending
    return -1


def ask_order(S: State, f: Frame, items: int, decider: Any, lid: int) -> bool:
    """Let a seat put the things of a loop in an order."""
    things = f.locals[items]
    if len(things) < 2:
        return False
    seat = seat_for(S, f, decider)
    if seat < 0:
        return False
    if S.trial is not None:
        if S.trial.view != seat:
            raise Unknown
        return False
    S.pending = Pending("order", seat, tuple(things), ("order", items), "order", lid, len(things), len(things))
    return True


# ---- divide ----------------------------------------------------------------------------------------------------------------
def start_divide(S: State, amount: Any, things: Any, shares: Callable[[Any], Any], rank: Callable[[Any], Any]) -> list[Any]:
    """[what is left, targets in asking order, their shares, their ranks, amounts so far]."""
    found = sorted(seq(things), key=lambda x: rank(x) or 0)
    return [amount or 0, tuple(found), [tuple(sorted(shares(x))) for x in found], [rank(x) or 0 for x in found], []]


def divide(S: State, f: Frame, lid: int, state: int, slot: int, decider: Any) -> bool:
    """Ask target by target; True while a decision is open."""
    left, things, shares, ranks, given = f.locals[state]
    while len(given) < len(things):
        at = len(given)
        open_ = [n for n in shares[at] if n <= left]
        for earlier in range(at):
            if ranks[earlier] < ranks[at] and given[earlier] < max(shares[earlier], default=0):
                open_ = [0]
        if not open_:
            open_ = [0]
        if len(open_) == 1:
            given = [*given, open_[0]]
            left -= open_[0]
            f.locals[state] = [left, things, shares, ranks, given]
            continue
        seat = seat_for(S, f, decider)
        if seat < 0:
            raise ContentError("divide: nobody decides")
        if S.trial is not None and S.trial.view != seat:
            raise Unknown
        S.pending = Pending("amount", seat, tuple(open_), ("divide", state), S.name(things[at]) if type(things[at]) is Ref else "part", lid)
        return True
    f.locals[slot] = tuple([x for x, n in zip(things, given, strict=True) if n])
    f.locals[slot + 1] = tuple([n for n in given if n])
    f.locals[state] = [left, things, shares, ranks, given]
    S.done = any(n > 0 for share in shares for n in share)
    S.result = f.locals[slot]
    return False


def share_of(S: State, parts: Any, amounts: Any, x: Any) -> int:
    """How much of a division a thing got."""
    for part, amount in zip(parts or (), amounts or (), strict=False):
        if part == x:
            return int(amount)
    return 0


# ---- answers ---------------------------------------------------------------------------------------------------------------
def apply(S: State, choice: Any) -> None:
    """Take an answer (an index into the options, or several) and go on from where the decision was opened; `advance` does the rest."""
    pending = S.pending
    assert pending is not None
    S.pending = None
    target = pending.target
    f: Any = S.frames[-1]
    if S.trial is None:
        log_answer(S, pending, choice)
    if target[0] == "local":
        _, slot, single, taken = target
        if single:
            f.locals[slot] = pending.options[choice]
        else:
            picked = choice if isinstance(choice, tuple | list) else (choice,)
            f.locals[slot] = (*taken, *(pending.options[i] for i in picked))
    elif target[0] == "jump":
        f.pc = pending.options[choice]
    elif target[0] == "divide":
        left, things, shares, ranks, given = f.locals[target[1]]
        amount = pending.options[choice]
        f.locals[target[1]] = [left - amount, things, shares, ranks, [*given, amount]]
    elif target[0] == "order":
        f.locals[target[1]] = tuple(pending.options[i] for i in choice)
    elif target[0] == "act":
        offer.chosen(S, f, pending.options[choice], pending.extra, target[1])
    elif target[0] == "window":
        if S.program.watch is not None and pending.options[choice] is None:
            S.program.watch.declined(S, (hit[0].node for hit in pending.options if hit is not None))
        window.answered(S, f, target[1], pending.options[choice], pending.seat)


def log_answer(S: State, pending: Pending, choice: Any) -> None:
    picked = choice if isinstance(choice, tuple | list) else (choice,)
    ids = tuple(option_id(S, pending, i) for i in picked)
    things = [pending.options[i] for i in picked]
    deeds = tuple(x for x in things if type(x) is Deed)
    seats = 1 << pending.seat if pending.secret else -1
    if pending.kind == "action":
        seats = choice_seats(S, [things[0][0]])
    elif pending.target[0] in ("local", "order"):
        seats = seats & choice_seats(S, things) if seats != -1 else choice_seats(S, things)
        if seats != -1:
            seats |= 1 << pending.seat
    note(S, S.frames[-1], pending.lid, "choose", (pending.seat, pending.kind, pending.prompt, ids, deeds), seats)


def option_id(S: State, pending: Pending, index: int) -> str:
    """The stable id of an option: a thing's name, a word, a number, a label, or none."""
    if pending.labels is not None:
        return pending.labels[index]
    return value_id(S, pending.options[index])


def value_id(S: State, x: Any) -> str:
    if x is None:
        return "none"
    if type(x) is Ref:
        return S.name(x)
    if type(x) is Deed:
        name = S.program.actions[x.action].name
        return name
    if x is True or x is False:
        return "yes" if x else "no"
    if type(x) is tuple and not isinstance(x, Stale):
        return "+".join(value_id(S, one) for one in x)
    return str(x)
