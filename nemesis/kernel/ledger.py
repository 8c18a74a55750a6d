"""How often a limited rule or ability has been used in its period (`once per …`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from nemesis.state import State


def _key(S: State, period: str, name: str, this: Any, you: Any) -> tuple[Any, ...]:
    seat = S.program.seat_of_thing(S, you) if type(you) is Ref else -1
    number = 0 if period == "game" else S.periods.get(period, 0)
    return (name, int(this) if type(this) is Ref else -1, seat, period, number)


def used_up(S: State, rule: Any, this: Any, you: Any) -> bool:
    """Whether a rule's `once per` notes bar it now."""
    for once in rule.node.notes.once:
        if once.period == "chain":
            for variant in rule.variants.values():
                if variant.code is not None and any(f.kind == 0 and f.code is variant.code for f in S.frames):
                    return True
        elif S.ledger.get(_key(S, once.period, once.key or rule.address, this, you), 0) >= 1:
            return True
    return False


def count_use(S: State, rule: Any, this: Any, you: Any) -> None:
    for once in rule.node.notes.once:
        if once.period != "chain":
            key = _key(S, once.period, once.key or rule.address, this, you)
            S.put_new(S.ledger, key, S.ledger.get(key, 0) + 1)


def ability_used_up(S: State, action: Any, card: Any, doer: Any) -> bool:
    return any(S.ledger.get(_key(S, once.period, once.key or action.address, card, doer), 0) >= 1 for once in action.node.notes.once)


def count_ability(S: State, action: Any, card: Any, doer: Any) -> None:
    for once in action.node.notes.once:
        key = _key(S, once.period, once.key or action.address, card, doer)
        S.put_new(S.ledger, key, S.ledger.get(key, 0) + 1)
