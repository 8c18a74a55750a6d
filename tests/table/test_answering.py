"""Typed choices: numbers, ids, unique beginnings; what is unclear chooses nothing."""

from __future__ import annotations

from typing import Any, cast

import pytest

from cli.answering import Unclear, Unknown, number_options, read_answer, split_answer

from .fake_game import Decision, Option


def decision(kind: str, *options: tuple[str, str], least: int = 1, most: int = 1) -> Any:
    return cast(Any, Decision("d1", 1, kind, "anna", "choose", tuple(Option(*option) for option in options), least, most))


THINGS = (("adult#1", "adult 1"), ("adult#10", "adult 10"), ("drone#1", "drone 1"), ("link#406", "Long Hall"))


@pytest.mark.parametrize(
    ("typed", "means"),
    [("1", "adult#1"), ("2", "adult#10"), ("adult#1", "adult#1"), ("ADULT 1", "adult#1"), ("adult 10", "adult#10"), ("dr", "drone#1"),
     ("406", "link#406"), ("hall", "link#406"), ("lo ha", "link#406"), ("long", "link#406")],
)  # fmt: skip
def test_one_of_several(typed: str, means: str) -> None:
    asked = decision("choose_one", *THINGS)
    assert read_answer(typed, asked, number_options(asked)) == means


def test_several_meanings_are_listed_and_nothing_is_chosen() -> None:
    asked = decision("choose_one", *THINGS)
    with pytest.raises(Unclear, match=r"`adult 1` \(1\) or `adult 10` \(2\)"):
        read_answer("ad", asked, number_options(asked))


def test_an_unknown_word_names_the_nearest() -> None:
    asked = decision("action", ("burst", "burst"), ("move", "move"))
    with pytest.raises(Unknown, match="Did you mean `burst`"):
        read_answer("brust", asked, number_options(asked))


@pytest.mark.parametrize(
    ("typed", "means"),
    [("1 3", ["adult#1", "drone#1"]), ("3,1", ["drone#1", "adult#1"]), ("drone; adult 1", ["drone#1", "adult#1"]), ("none", []),
     ("adult 10", ["adult#10"]), ("406", ["link#406"])],
)  # fmt: skip
def test_several_things(typed: str, means: list[str]) -> None:
    asked = decision("choose_some", *THINGS, least=0, most=2)
    assert read_answer(typed, asked, number_options(asked)) == means


@pytest.mark.parametrize("typed", ["1 1", "1 2 3", "7", "zebra", ""])
def test_wrong_sets_choose_nothing(typed: str) -> None:
    asked = decision("choose_some", *THINGS, least=1, most=2)
    with pytest.raises(Unclear):
        read_answer(typed, asked, number_options(asked))


def test_amounts_and_orders() -> None:
    amount = decision("amount", ("0", "0"), ("2", "2"), least=0, most=2)
    assert read_answer("2", amount, number_options(amount)) == 2
    for typed in ("1", "x", "-1"):
        with pytest.raises(Unclear):
            read_answer(typed, amount, number_options(amount))
    order = decision("order", ("red", "red"), ("blue", "blue"))
    assert read_answer("2 1", order, number_options(order)) == ["blue", "red"]
    with pytest.raises(Unclear):
        read_answer("2", order, number_options(order))


def test_fixed_places_do_not_move() -> None:
    fixed = ("move", "shoot", "burst", "pass")
    asked = decision("action", ("pass", "pass"), ("burst", "burst"), ("extra", "extra"))
    assert [(number, option.id) for number, option in number_options(asked, fixed)] == [(3, "burst"), (4, "extra"), (0, "pass")]


def test_words_beyond_one_choice_are_kept_for_the_next() -> None:
    asked = decision("action", ("move", "move"), ("burst", "burst"))
    found = split_answer("move b2 x", number_options(asked))
    assert found is not None and (found[0].id, found[1]) == ("move", "b2 x")


def test_numbers_are_choices_and_never_a_price() -> None:
    """`1 1` is the first choice and then the first of the next; the price of another choice does not count as its words."""
    asked = cast(Any, Decision("d1", 1, "action", "anna", "choose", (Option("play", "play"), Option("fly", "fly", cost=1)), 1, 1))
    numbered = number_options(asked, (), lambda option: f"{option.text}, costs {option.cost}" if option.cost else option.text)
    with pytest.raises(Unknown):
        read_answer("1 1", asked, numbered)
    first = split_answer("1 1", numbered)
    assert first is not None and (first[0].id, first[1]) == ("play", "1")
    with pytest.raises(Unknown):
        read_answer("costs", asked, numbered)
