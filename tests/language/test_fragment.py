"""The text form of positions."""

from __future__ import annotations

import pytest

from rulescript.syntax import FragmentError, parse_fragment
from rulescript.tree.fragment import PutGame, PutHere, PutInside, PutPlace, PutPool


def test_a_whole_position() -> None:
    found = parse_fragment(
        "place room 12 b2: fire, secure 2; recon health 3 hand [rest, flinch] hands rifle[ammo full]; adult#2 hits 1"
        "; place gap 406 b2-b3 face plain: adult 2; in recon.hand: rest; in round.10: lander; game round 5"
        "; pool fire 0; in table: skill claw"
    )
    assert [type(one) for one in found] == [PutPlace, PutHere, PutHere, PutPlace, PutInside, PutInside, PutGame, PutPool, PutInside]
    place, figure, _, gap, *_ = found
    assert isinstance(place, PutPlace) and (place.kind, place.number, place.where, place.to) == ("room", 12, "b2", None)
    assert isinstance(gap, PutPlace) and (gap.where, gap.to) == ("b2", "b3")
    assert isinstance(figure, PutHere)
    health, hand, hands = figure.things[0].pairs
    assert health.value == 3
    assert isinstance(hand.value, tuple) and [thing.name for thing in hand.value] == ["rest", "flinch"]
    assert not isinstance(hands.value, int | tuple) and hands.value.inner[0].word == "full"


@pytest.mark.parametrize(
    ("text", "column"), [("place room", 11), ("in bag token", 8), ("pool fire x", 11), ("recon [a", 9), ("game round", 11), ("A", 1)]
)
def test_faults_carry_their_column(text: str, column: int) -> None:
    with pytest.raises(FragmentError) as caught:
        parse_fragment(text)
    assert caught.value.column == column
