"""What an option would lead to, as far as a seat can foresee; and why candidates were left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel import decide
from nemesis.kernel.offer import abilities, deed_cost, deed_ids, menu, push_use
from nemesis.kernel.policy import forecast
from nemesis.kernel.sight import seen_by
from nemesis.kernel.trial import Trial, ability_floor, run_trial, try_ability
from nemesis.wording import deed_text, thing_text

if TYPE_CHECKING:
    from nemesis.kernel.frame import Pending
    from nemesis.state import State
    from nemesis.world.thing import Deed, Ref


def foresee(S: State, index: int, seat: int) -> tuple[int, ...] | None:
    """The harm after an option, run on in a trial with the seat's view to its next decision, chance or hidden fact."""
    pending = S.pending

    def begin() -> None:
        S.pending = pending
        decide.apply(S, (index,) if pending is not None and pending.kind in ("choose_some", "order") else index)

    return forecast(S, begin, seat)


def refused_actions(S: State, pending: Pending, option: str) -> list[dict[str, Any]]:
    """Actions of the menu that are not offered, each with the first line that fails; nothing may be open while this runs."""
    who = pending.extra
    offered = set(pending.labels or ())
    deeds = menu(S, who)
    rows = []
    for name, deed in zip(deed_ids(S, deeds), deeds, strict=True):
        if name in offered or (option and not (name.startswith(option) or option in name)):
            continue
        verdict, because = try_ability(S, deed, who, pending.seat)
        if verdict == "no":
            rows.append(_refused(S, name, deed_text(S, deed), deed, because))
    listed = {thing_text(S, deed.card) for deed in deeds if deed.card is not None}
    return rows + [row for row in refused_cards(S, who, pending.seat, option) if row["text"] not in listed]


def refused_cards(S: State, who: Ref, seat: int, option: str) -> list[dict[str, Any]]:
    """Cards in the zones of the doer and of its seat, seen by it, none of whose abilities can be done; copies of one card once.

    Discards are left out: what lies in a stack waits to be renewed and is nobody's to use.
    """
    program = S.program
    wanted = option.strip().lower()
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for zone in dict.fromkeys((*program.zones_of[who], *program.zones_of[program.world.seats[seat]])):
        info = program.zone_info.get(zone)
        if info is not None and info.order == "stack":
            continue
        for card in S.inside[zone]:
            name, title = S.name(card), thing_text(S, card)
            if not seen_by(S, card, seat) or wanted and not (title.lower().startswith(wanted) or name.startswith(wanted)):
                continue
            tried = [(deed, *_try_whole(S, deed._replace(doer=who), who, seat)) for deed in _written(S, card)]
            if tried and all(verdict == "no" for _, verdict, _ in tried):
                deed, _, because = tried[0]
                row = _refused(S, name, title, deed, because)
                rows.setdefault((title, row["because"]), row)
    return list(rows.values())


def _try_whole(S: State, deed: Deed, who: Ref, seat: int) -> tuple[str, str]:
    """As `try_ability`, but past its first step: rules may move a card before its text is read."""

    def begin() -> None:
        push_use(S, deed, who, None, 0, S.frames[-1].chain, None, True)

    return run_trial(S, Trial(seat, len(S.frames)), begin)


def _written(S: State, card: Ref) -> tuple[Deed, ...]:
    """The abilities that a card offers; a thing that acts itself is no card."""
    return () if S.program.acts[card] else abilities(S, card)


def _refused(S: State, name: str, text: str, deed: Deed, because: str) -> dict[str, Any]:
    lacking = "it cannot be done in full, or its cost cannot be paid" if deed_cost(S, deed) else "it cannot be done in full"
    return {"id": name, "text": text, "because": because or lacking, "cites": list(S.program.actions[deed.action].node.notes.cites)}


def refused_candidates(S: State, option: str) -> list[dict[str, Any]]:
    """Candidates of the open choice that its trial left out, with the first line that fails."""
    pending = S.pending
    if pending is None or pending.target[0] != "local" or not pending.extra:
        return []
    _, slot, _single, _taken = pending.target
    rows = []
    for x in pending.extra:
        name = decide.value_id(S, x)
        if option and not (name.startswith(option) or option in name):
            continue

        def begin(x: Any = x) -> None:
            S.pending = None
            S.frames[-1].locals[slot] = x

        verdict, because = run_trial(S, Trial(pending.seat, ability_floor(S)), begin)
        if verdict == "no":
            rows.append({
                "id": name, "text": thing_text(S, x), "because": because or "the rest cannot be done",
                "cites": list(S.program.line(pending.lid)[1]),
            })  # fmt: skip
    return rows
