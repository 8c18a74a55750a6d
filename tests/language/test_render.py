"""Card texts from trees."""

from __future__ import annotations

import pytest

from rulescript.render import CardWriter
from rulescript.syntax import parse_text
from rulescript.table.declarations import declare
from rulescript.table.definition import Source

WORLD = """
words units with [health]
kind figure
kind hero is figure { acts; owns; has health: health = 5 }
kind beast is figure
kind armor
kind wound is card
kind tool is card { has slots: word[] }
zone hand for hero { holds tool }
query hero.in_combat: flag { give no }
procedure lose n health by hero { text "{you} {lose|loses} {n} Health"; lower your health by n }
procedure gain n wound by hero { text "{you} {gain|gains} {n} Wound{s}" }
procedure bite on you: hero by x: beast { text "{x} {bite|bites} {you}" }
"""


def text(body: str, head: str = 'tool "Thing"') -> str:
    parsed = parse_text(WORLD + f"\n{head} {{ {body} }}\n", "a.nrs", cached=False)
    assert parsed.diagnostics == ()
    table = declare((item.node, Source("p", "a.nrs", 0, number)) for number, item in enumerate(parsed.items))
    return CardWriter(table).card(table.definitions["thing"])


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("may instead of gain 1 wound by you { lose 2 health }", "Instead of gaining 1 Wound, you may lose 2 Health."),
        ("before lose health by you if your in_combat { gain 1 wound }",
         "Before losing any Health, if you are in combat, you gain 1 Wound."),
        ("may instead of bite on you by beast { }", "Instead of a Beast biting you, you may prevent it."),
        ("modify your hand + 1", "Your hand is 1 more."),
        ("modify your in_combat = no if any beast at this", "You are not in combat if there is any Beast on this card."),
        ('action go "Go" { either { option "a" { lose 1 health } option "b" { gain 2 wound } } }'.replace("} option", "}; option"),
         "Go: Choose one: you lose 1 Health; or you gain 2 Wounds."),
        ("after bite { each hero by seating { lose 1 health by hero } }",
         "After a Beast biting you, for each Hero: that Hero loses 1 Health."),
    ],
)  # fmt: skip
def test_phrases(body: str, wanted: str) -> None:
    assert text(body) == wanted


def test_traits_and_fields() -> None:
    assert text("slots [armor]", 'tool "Thing" is armor') == "Armor. Slots: Armor."
