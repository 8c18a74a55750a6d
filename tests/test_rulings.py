"""The page of rulings says what the packs say, and every ruling is about something."""

from __future__ import annotations

import pytest

from rulescript.lookup import look_up
from rulescript.lookup.index import RULINGS
from rulescript.lookup.ruling import read_rulings
from tests.rulings import PAGE, ROOT, packs_with_rulings, page

PACKS = packs_with_rulings()


def test_the_page_is_made_from_the_packs() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "write it anew: python -m tests.rulings"


@pytest.mark.parametrize("pack", PACKS)
def test_each_ruling_is_decided_by_content_and_tested(pack: str) -> None:
    """A rule that the pack holds and that was open is cited where it is decided, and by a test; a ruling names cards that there are."""
    index = look_up([pack], [ROOT / "content"])
    cards = {card.id for card in index.cards}
    for ruling in read_rulings(PACKS[pack] / RULINGS):
        assert set(ruling.cards) <= cards, ruling.question
        if any(index.rules[rule].content for rule in ruling.rules):
            assert any(index.rules[rule].tests for rule in ruling.rules), f"no test cites {', '.join(ruling.rules)}: {ruling.question}"


@pytest.mark.parametrize("pack", PACKS)
def test_each_question_is_answered_once(pack: str) -> None:
    rulings = read_rulings(PACKS[pack] / RULINGS)
    questions = [ruling.question for ruling in rulings]
    assert len(set(questions)) == len(questions)
    for ruling in rulings:
        assert ruling.choice not in ruling.others and len(set(ruling.others)) == len(ruling.others), ruling.question
