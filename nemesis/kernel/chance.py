"""Chance keyed by what it is for: a die, a bag, a deck's shuffle. There is no shared stream.

A key is hashed together with the seed; the same key always gives the same outcome, on any machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from nemesis.kernel.commit import note
from nemesis.kernel.signal import ContentError, Unknown
from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from nemesis.state import State

SPAN = 1 << 64


def draw_number(seed: int, *key: object) -> int:
    """A number below 2**64 that depends on the seed and the key only.

    >>> draw_number(7, "die", 1) == draw_number(7, "die", 1), draw_number(7, "die", 1) == draw_number(8, "die", 1)
    (True, False)
    """
    text = "|".join([str(seed), *map(str, key)])
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def below(seed: int, n: int, *key: object) -> int:
    """A number below n, every one equally likely (rejection sampling)."""
    limit = SPAN - SPAN % n
    turn = 0
    while True:
        value = draw_number(seed, *key, turn)
        if value < limit:
            return value % n
        turn += 1


def period(S: State) -> int:
    name = S.program.ruleset.chance_period
    return S.periods.get(name, 0) if name else 0


def next_in(S: State, *key: Any) -> int:
    """Counts the uses of a key."""
    count = S.chance.get(key, 0)
    S.chance[key] = count + 1
    return count


def roll(S: State, f: Any, lid: int, die: str, by: Any) -> Any:
    """A face of a die."""
    if S.trial is not None:
        raise Unknown
    faces = S.program.table.dice[die]
    seat = S.program.seat_of_thing(S, by) + 1 if type(by) is Ref else 0
    now = period(S)
    scripted = S.script.get(die)
    if scripted:
        face = scripted.pop(0)
        if face not in faces:
            raise ContentError(f"the {die} has no face {face}; it has {', '.join(map(str, dict.fromkeys(faces)))}")
    else:
        count = next_in(S, "die", die, now, seat)
        face = faces[below(S.seed, len(faces), "die", die, now, seat, count)]
    S.barrier += 1
    note(S, f, lid, "roll", (die, face, by))
    return face


def shuffled(S: State, zone: Ref, cards: Sequence[Ref], name: str) -> tuple[Ref, ...]:
    """The order of a zone at its next shuffle: ascending hash of (seed, zone, shuffle number, card), the top last."""
    number = next_in(S, "shuffle", name)
    keys = S.program.card_keys
    prefix = f"{S.seed}|deck|{name}|{number}|"

    def rank(x: Ref) -> bytes:
        return blake2b(f"{prefix}{keys[x]}".encode(), digest_size=8).digest()

    return tuple(sorted(cards, key=rank, reverse=True))


def from_bag(S: State, f: Any, zone: Ref, things: Sequence[Ref], by: Any, name: str) -> Ref:
    """One thing of a mixed zone."""
    now = period(S)
    seat = S.program.seat_of_thing(S, by) + 1 if type(by) is Ref else 0
    count = next_in(S, "bag", name, now, seat)
    return min(things, key=lambda x: draw_number(S.seed, "bag", name, now, seat, count, S.program.card_keys[x]))


def pick(S: State, f: Any, lid: int, stream: str, options: Sequence[Any]) -> Any:
    """`by chance`: one of several, all equally likely."""
    if S.trial is not None:
        raise Unknown
    now = period(S)
    count = next_in(S, "pick", stream, now)
    S.barrier += 1
    return options[below(S.seed, len(options), "pick", stream, now, count)]
