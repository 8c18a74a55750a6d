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
kind hero is figure { acts; owns; has health: health = 5; has dozing: flag = no }
kind beast is figure
kind armor
kind wound is card
kind tool is card { has slots: word[] }
kind coin is token { has worth: number }
kind cave is place { has glow: word[] = []; has dark: flag = no }
zone hand for hero { holds tool }
zone purse for hero { holds coin }
words hues with [red, blue]
words heads with [nw, se]
die fate_die with [0, 1, 2]
query hero.in_combat: flag { give no }
query hero.caves: cave* { give all cave }
query hero.safe_from(x: beast): flag { give no }
query hero.ahead_of(x: beast): flag { give no }
query hero.answers(x: hero): word[] { give [agreed, refused] }
query hero.allies: hero* { give all hero }
query hero.asleep: flag { give no }
query hero.purse_cards: coin* { give this.purse.cards }
procedure lose n health by hero { text "{you} {lose|loses} {n} Health"; lower your health by n }
procedure gain n wound by hero { text "{you} {gain|gains} {n} Wound{s}" }
procedure bite on you: hero by x: beast { text "{x} {bite|bites} {you}" }
procedure paint n coin for hue: word by hero { text "{you} {paint|paints} {n} Coin{s} ({hue})" }
procedure visit cave by hero { text "{you} {visit|visits} {cave}" }
procedure luck by hero { done some; text "{you} {try|tries} your luck"; give yes }
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
         "Go: Choose one: (a) you lose 1 Health; (b) you gain 2 Wounds."),
        ("after bite { each hero by seating { lose 1 health by hero } }",
         "After a Beast biting you, for each Hero: that Hero loses 1 Health."),
    ],
)  # fmt: skip
def test_phrases(body: str, wanted: str) -> None:
    assert text(body) == wanted


def test_traits_and_fields() -> None:
    assert text("slots [armor]", 'tool "Thing" is armor') == "Armor. Slots: Armor."


MENDS = {
    "nothing is said of a part that may fail": (
        'action go "Go" { lose 1 health else { } }', "Go: You lose 1 Health."),
    "what is chosen is called by its kind, two of them are not both `it`": (
        'action go "Go" { choose c from coin at your purse; choose b from all beast; return c; lose 1 health else { gain 1 wound } }',
        "Go: Choose a Coin in your purse. Choose a Beast. Return that Coin. You lose 1 Health; if you cannot, you gain 1 Wound."),
    "or by the word of the set": (
        'action go "Go" { choose c from your caves; visit c }', "Go: Choose one of your caves. You visit that Cave."),
    "one of some words by the name of the choice": (
        'action go "Go" { choose hue from [red, blue]; paint 2 coin for hue }',
        "Go: Choose one of Red and Blue. You paint 2 Coins (that hue)."),
    "the verb goes by its subject": (
        'action go "Go" { each (all beast) as b by printed_order { bite on you by b } }',
        "Go: For each Beast: that Beast bites you."),
    "a set by any other name": (
        'action go "Go" { let foes = (beast where it is not none); each foes as b by printed_order { bite on you by b } }',
        "Go: For each Beast that is not nothing: that Beast bites you."),
    "up to one": (
        'action go "Go" { choose up to 1 c from coin at your purse; if c is not none { return c } }',
        "Go: Choose up to 1 Coin in your purse. If there is one, return that Coin."),
    "the roll is the result, as an amount it is that many": (
        'action go "Go" { roll fate_die as face; lose face health; if face = 2 { gain 1 wound } }',
        "Go: Roll the fate die. You lose that many Health. If the result is 2, you gain 1 Wound."),
    "a long amount stands in brackets": (
        'action go "Go" { lose (2 * count coin at your purse) health }',
        "Go: You lose (2 times the number of Coins in your purse) Health."),
    "a flag that is set": ('action go "Go" { set your dozing to yes }', "Go: From now on you are dozing."),
    "consent is told by its reason": (
        'action go "Go" { choose who from hero; choose answer from who.answers(you) by who; require answer is agreed because "must agree"; '
        "lose 1 health by who }", "Go [must agree]: Choose a Hero. That Hero loses 1 Health."),
    "what a question is about": (
        'action go "Go" { choose h from hero where it.safe_from(beast#1) and not it.ahead_of(beast#1); lose 1 health by h }',
        "Go: Choose a Hero that is safe from Beast 1 and that is not ahead of Beast 1. That Hero loses 1 Health."),
    "clauses on what something has": (
        'action go "Go" { choose c from cave where it.glow has red and not it.dark; visit c }',
        "Go: Choose a Cave whose glow include Red and that is not dark. You visit that Cave."),
    "clauses on how many": (
        'action go "Go" { choose h from hero where count it.purse_cards is less than 3 and any coin at it.purse; lose 1 health by h }',
        "Go: Choose a Hero with fewer than 3 purse cards and with any Coin in its purse. That Hero loses 1 Health."),
    "the lowest of some": (
        'action go "Go" { choose c from coin where it.worth = lowest(all coin, it.worth); return c }',
        "Go: Choose a Coin whose worth is the lowest worth of Coins. Return that Coin."),
    "a forced rule in the content's own words": (
        'after gain wound by you because "a wound smarts" { lose 1 health }', "A wound smarts."),
    "a label that says it all": ('action go "You lose 1 Health" { lose 1 health }', "You lose 1 Health."),
    "who may": (
        'action go "Go" { choose h from hero; may "hurt" by h { lose 1 health by h } }',
        "Go: Choose a Hero. That Hero may decide on this: that Hero loses 1 Health."),
    "you or others": (
        'action go "Go" { choose h from (you | your allies); lose 1 health by h }',
        "Go: Choose you or one of your allies. It loses 1 Health."),
    "nothing to tell": ('action go "Go" { note "x" }', "Go."),
    "on this card": ('action go "Go" { place 1 coin in this }', "Go: Place 1 Coin on this card."),
    "during the next": (
        'action go "Go" { until bite { before lose health by you { gain 1 wound } }; lose 1 health }',
        "Go: When next a Beast biting you: Before losing any Health, you gain 1 Wound. You lose 1 Health."),
}  # fmt: skip


@pytest.mark.parametrize("what", MENDS)
def test_mends(what: str) -> None:
    body, wanted = MENDS[what]
    assert text(body) == wanted


def test_words_of_two_letters_and_words_that_nothing_declares() -> None:
    assert text("slots [nw, se]; id thing") == "Slots: NW, SE."


def test_a_single_row_is_told_with_its_key_unless_all_have_it() -> None:
    """A row for one face of a die must not read as if it happened always."""
    mine = "row lost { gain 1 wound by hero#1 }"
    assert text(mine, 'tool "Other" { row won { gain 1 wound by hero#1 } }\ntool "Thing"') == "Lost: Hero 1 gains 1 Wound."
    assert text(mine, 'tool "Other" { row lost { lose 1 health by hero#1 } }\ntool "Thing"') == "Hero 1 gains 1 Wound."


def test_a_question_of_the_game_reads_as_a_clause_if_its_name_has_a_verb() -> None:
    asked = 'kind game { has cave_is_open: flag = no; has coin_has_luck: flag = no; has old: flag = no }\ntool "Thing"'
    for condition, wanted in (
        ("game.cave_is_open", "If the Cave is open, you lose 1 Health."),
        ("not game.cave_is_open", "If the Cave is not open, you lose 1 Health."),
        ("not game.coin_has_luck", "If the Coin does not have luck, you lose 1 Health."),
        ("game.old", "If 'old' holds, you lose 1 Health."),
    ):
        assert text(f'action go "Go" {{ if {condition} {{ lose 1 health }} }}', asked) == f"Go: {wanted}"
