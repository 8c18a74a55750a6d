"""Chance is keyed: a card more in one deck moves no other deck's order, and its own deck only by that card."""

from __future__ import annotations

from pathlib import Path

from nemesis.game import Game
from nemesis.world.thing import Ref

MANIFEST = """id: retaliation/extra
title: "One more card"
version: 0.1.0
language: 1
kind: module
requires: [retaliation/base]
excludes: []
after: []
components: {}
files: {}
"""
CARD = 'event_card "Nothing at all" house "test card" { row main { } }\n'


def orders(game: Game) -> dict[str, list[str]]:
    """What lies in each container, by fixed names; top last."""
    world = game.program.world
    found = {}
    for container, inside in enumerate(game.state.inside):
        if inside:
            found[world.name_of(container)] = [world.name_of(Ref(x)) for x in inside]
    return found


def test_a_card_more_moves_no_other_deck(tmp_path: Path) -> None:
    folder = tmp_path / "retaliation/extra"
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(MANIFEST, encoding="utf-8")
    (folder / "extra.nrs").write_text(CARD, encoding="utf-8")
    seats = ["anna", "ben", "cleo"]
    for seed in range(1, 6):
        plain = orders(Game.new(["retaliation/base"], seats, seed))
        more = orders(Game.new(["retaliation/base", "retaliation/extra"], seats, seed, content=[tmp_path]))
        deck = more["event_deck"]
        assert [card for card in deck if not card.startswith("nothing_at_all")] == plain["event_deck"]
        assert len(deck) == len(plain["event_deck"]) + 1
        del more["event_deck"], plain["event_deck"]
        assert more == plain, f"seed {seed}"


def test_another_seed_orders_otherwise() -> None:
    first, second = (orders(Game.new(["retaliation/base"], ["anna", "ben"], seed)) for seed in (1, 2))
    assert first["event_deck"] != second["event_deck"]
    assert first["attack_deck"] != second["attack_deck"]
