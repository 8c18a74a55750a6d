"""Faults that programs of such games are known for, and that no single rule's test would notice: content that is there, but empty."""

from __future__ import annotations

import pytest

from rulescript.lookup import CardEntry, look_up
from rulescript.pack.load import load_packs
from rulescript.pack.roots import known_packs
from rulescript.table.declarations import Declarations, declare
from tests.proof.playing import ROOT

CONTENT = [ROOT / "content"]
PACK = "retaliation/base"
SPEAKING = {"action_card", "event_card", "attack_card", "item", "support_item", "character_item", "exploration_card", "queen_card",
            "private_objective", "mission_objective", "mission_task", "serious_wound", "room"}  # fmt: skip


@pytest.fixture(scope="module")
def cards() -> dict[str, list[CardEntry]]:
    found: dict[str, list[CardEntry]] = {}
    for card in look_up([PACK], CONTENT).cards:
        found.setdefault(card.kind, []).append(card)
    return found


@pytest.fixture(scope="module")
def table() -> Declarations:
    return declare(load_packs([PACK], CONTENT).nodes())


def does_something(card: CardEntry, table: Declarations) -> bool:
    """Whether a card, or a trait of it, has more than values: an action, a rule, a row, a question."""
    made = table.definitions[card.id]
    speaking = {action.kind for action in table.actions} | {rule.kind for rule in table.rules}
    if speaking & set(made.kinds[1:]):
        return True
    values = set(made.values) | {"id"}
    lines = made.node.block.lines if made.node.block else ()
    return any(getattr(line, "word", None) not in values for line in lines) or bool(made.rows)


def test_every_card_that_should_speak_does(cards: dict[str, list[CardEntry]], table: Declarations) -> None:
    empty = [f"{card.title} ({kind})" for kind in SPEAKING - {"room"} for card in cards[kind] if not card.text]
    mute = [card.title for kind in ("action_card", "event_card", "attack_card", "queen_card", "serious_wound") for card in cards[kind]
            if not does_something(card, table)]  # fmt: skip
    assert not empty and not mute


def test_every_objective_can_be_checked(cards: dict[str, list[CardEntry]], table: Declarations) -> None:
    """No Objective and no Task is fulfilled, or not, for want of a check."""
    for kind in ("private_objective", "mission_objective", "mission_task"):
        assert [card.title for card in cards[kind] if not does_something(card, table)] == []


def test_no_deck_is_made_of_stand_ins(cards: dict[str, list[CardEntry]]) -> None:
    assert [card.title for kind in SPEAKING for card in cards[kind] if card.certainty not in ("printed", "reported")] == []


def test_there_are_three_colours_of_items(table: Declarations) -> None:
    assert list(table.words["colours"]) == ["red", "green", "yellow"]


@pytest.mark.parametrize("pack", known_packs(CONTENT))
def test_no_card_is_called_like_an_action(pack: str) -> None:
    table = declare(load_packs([pack], CONTENT).nodes())
    everybodys = {action.name for action in table.actions if action.definition is None}
    assert everybodys & set(table.definitions) == set()


def test_components_are_the_printed_ones() -> None:
    components = load_packs([PACK], CONTENT).packs[-1].manifest.components
    assert components["adult"] == 36 and components["intruder_token"] == 40 and components["room"] == 25
