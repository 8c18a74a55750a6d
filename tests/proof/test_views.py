"""What lies hidden is in no view but its owner's; what is public is in every view, in its order. Cites RET-GOLD-17, RET-CARD-16."""

from __future__ import annotations

import random

import pytest

from nemesis.kernel.sight import seen_by

from .playing import RETALIATION_3, answers

FACE_DOWN = ("robot_deck", "event_deck", "exploration_deck", "attack_deck", "bag", "support_deck", "queen_deck", "contamination_deck")
OWN = ("hand", "backpack", "objectives")


@pytest.mark.parametrize("seed", [5, 6])
def test_views(seed: int) -> None:
    game = RETALIATION_3.begin(seed)
    rng = random.Random(f"views/{seed}")
    seen_own = shown_discards = 0
    for _ in answers(game, seed):
        if rng.random() > 0.1:
            continue
        state = game.state
        world = state.program.world
        for seat, name in enumerate(RETALIATION_3.names):
            zones = game.view(name)["zones"]
            for zone in FACE_DOWN:
                assert not zones[zone]["things"], (zone, name)
            for x in world.refs:
                title = world.zone_name.get(x)
                if title is None or state.name(x) not in zones:
                    continue
                inside, view = state.inside[x], zones[state.name(x)]
                assert view["count"] == len(inside)
                if title in OWN:
                    mine = state.program.holder_bit(state, x) == 1 << seat
                    known = {state.name(y) for y in inside if seen_by(state, y, seat)}
                    assert set(view["things"]) == known
                    assert not mine or len(known) == len(inside)
                    shown = {state.name(y) for y in inside if state.known[y] >> seat & 1}
                    assert mine or known <= shown, "only what was shown before is known to others"
                    seen_own += mine
                if title == "discards":
                    assert view["things"] == [state.name(y) for y in inside]
                    shown_discards += len(inside) > 1
    assert seen_own > 10 and shown_discards > 10
