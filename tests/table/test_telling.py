"""What the table tells of the shipped games: short names, placings, picks, reasons, ends."""

from __future__ import annotations

import pytest

from cli.present import Present, load_present
from cli.scene import Scene
from nemesis.bots import make_bot
from nemesis.entry import entries
from nemesis.explanation import cause_text
from nemesis.game import Game
from nemesis.pack_tests import FileRunner, TestRun
from nemesis.position import PositionWriter
from rulescript import tree as t
from rulescript.pack.load import load_packs
from rulescript.syntax.parse import parse_text

from .conftest import ROOT, run_process
from .test_content import command

PACK = "retaliation/base"


def present() -> Present:
    return load_present([PACK], [ROOT / "content"])


def story(body: str) -> list[str]:
    """The lines of the story of a test of the language."""
    parsed = parse_text(f'test "told" {{\n{body}\n}}\n', "told_test.nrs", cached=False)
    (node,) = [item.node for item in parsed.items if isinstance(item.node, t.Test)]
    problems: list[str] = []
    run = TestRun(FileRunner(load_packs([PACK]), PACK, ["robot_cards_test.nrs"], ()), node, problems)
    begun = run.S.seq
    run.run()
    assert not problems, problems
    return [entry.text for entry in entries(run.S, None, begun, "story")]


def test_a_place_is_known_by_a_unique_beginning_of_its_words() -> None:
    game = Game.new([PACK], ["p1", "p2"], 5)
    PositionWriter(game.state).write("place room 5 b2; place room 8 c3")
    scene = Scene(game.view("p1"), present(), "p1")
    for words in ("hib", "hibernatorium", "18"):
        assert "18 Hibernatorium" in scene.route(words)[0], words
    for words in ("zone", "land zo", "landing"):
        assert "14 Landing Zone" in scene.route(words)[0], words
    assert scene.where("hib")[0].startswith("18 Hibernatorium:")
    assert scene.route("nowhere")[0].startswith("No place is called")


def test_a_direction_is_looked_in() -> None:
    game, bot = Game.new([PACK], ["p1", "p2"], 5), make_bot("random", 5)
    while (decision := game.decision) is not None and decision.kind != "action":
        game.answer(bot.choose(game, decision))
    assert decision is not None
    scene = Scene(game.view(decision.chooser), present(), decision.chooser)
    ways = scene.ways("")
    for way in ways:
        assert scene.where(way.partition(":")[0].lower()) == [way]
    assert scene.where("e") == [way for way in ways if way.startswith("East")]


def test_a_thing_is_known_by_a_beginning_of_any_of_its_words() -> None:
    game = Game.new([PACK], ["p1", "p2"], 5)
    bot = make_bot("random", 5)
    while (decision := game.decision) is not None and decision.kind != "action":
        game.answer(bot.choose(game, decision))
    scene = Scene(game.view("p1"), present(), "p1")
    title = next(thing["title"] for thing in scene.things.values() if thing["kind"] == "character" and len(thing["title"].split()) > 1)
    assert any(line.startswith(title) for line in scene.where(title.split()[1][:4].lower()))


def test_alike_things_are_counted_behind_their_title() -> None:
    things = {f"c#{n}": {"kind": "card", "title": "Big Card", "place": "me.hand", "fields": {}} for n in (1, 2)}
    view = {"things": things, "zones": {"me.hand": {"count": 2, "things": ["c#1", "c#2"]}}, "seats": {"me": "me"}}
    assert Scene(view, Present(), "me").hand() == ["Hand, 2: Big Card x2."]


def test_what_an_exploration_places_is_told() -> None:
    told = story(
        """  given "place room 14 lz: recon; place corridor 404 lz-c2"
  place 1 fire in landing_zone
  place 2 adult in corridor#404
  place 1 malfunction in landing_zone"""
    )
    assert "fire 1 is placed in Landing Zone" in told
    assert "adult 1 is placed in Corridor 404" in told and "adult 2 is placed in Corridor 404" in told


def test_a_trade_that_fails_says_so() -> None:
    told = story(
        """  given "place room 21 b2: recon belt medpack, officer belt grenade"
  answer recon with [["medpack#1"]]
  answer officer with [["grenade#1"], no]
  trade_with officer by recon"""
    )
    assert "no exchange" in told and not any("trades with" in line for line in told)


def test_an_ability_is_told_by_its_label() -> None:
    told = story(
        """  given "place room 21 b2: recon; place room 15 b1: robot; place room 5 c4: fire; in robot_slot: server_robot"
  answer recon with [link_up, extinguish]
  choose_deed by recon"""
    )
    assert any("chooses: Server Robot: use the computer Room of the Robot" in line for line in told), told
    assert not any("link up" in line for line in told)


def test_a_robot_that_is_known_is_not_turned_up_again() -> None:
    told = story(
        """  given "place room 21 b2: recon hand [rest_recon] hands supporting_robot_controller"
  given "place room 5 e1: robot; in robot_slot: technical_robot"
  answer recon with [use_item, bring_it_here]
  act by recon"""
    )
    assert not any("face up" in line for line in told), told


def test_coop_knows_no_objective_to_choose() -> None:
    """The action is neither offered nor refused where nobody has an Objective."""
    for options, there in (({"coop": True}, False), ({}, True)):
        game, bot = Game.new([PACK], ["p1", "p2"], 5, options), make_bot("random", 5)
        while (decision := game.decision) is not None and decision.kind != "action":
            game.answer(bot.choose(game, decision))
        assert decision is not None
        named = {option.id for option in decision.options} | {str(row["id"]) for row in game.why_not("", decision.chooser)}
        assert ("choose_objective" in named) is there


@pytest.mark.parametrize("seed", [3])
def test_the_end_says_why_somebody_died(seed: int) -> None:
    done = run_process(command("play", "--pack", PACK, "--seats", "bot:greedy,bot:greedy", "--seed", str(seed)))
    end = done.stdout.decode().partition("At the end:")[2].splitlines()
    dead = [at for at, line in enumerate(end) if line.startswith("Line ") and line.endswith(" dies")]
    assert dead, end
    for at in dead:
        assert end[at + 1].startswith("  because of ") and ".nrs:" in end[at + 1]


def test_why_alone_is_about_the_last_line_that_was_told() -> None:
    game, bot = Game.new([PACK], ["p1", "p2"], 5), make_bot("random", 5)
    from cli.seats import Seat
    from cli.session import Session
    from cli.table_linear import LinearTable

    session = Session(game, (Seat("p1", None), Seat("p2", "random")), 5)
    table = LinearTable(session, present())
    while (decision := game.decision) is not None and decision.kind != "action":
        game.answer(bot.choose(game, decision))
    assert decision is not None
    last = [entry for entry in game.journal(decision.chooser, 0, "story") if entry.text][-1]
    assert table.why("", decision.chooser)[0].startswith(f"Line {last.seq}. ")


def test_a_lost_task_is_told_at_the_end() -> None:
    told = story(
        """  given "game cooperative yes; in task_row: no_corner_uncovered"
  end_of_game"""
    )
    assert "No Corner Uncovered is not fulfilled" in told


def test_a_way_is_told_by_what_it_joins_and_a_row_by_its_keys() -> None:
    game = Game.new([PACK], ["p1", "p2"], 5)
    laid = [entry.text for entry in game.journal("table", 0, "story") if "is drawn to" in entry.text]
    assert laid and all("the way between " in text for text in laid), laid
    assert cause_text(game.state, "retaliation/base:attack_card/bite.adult,drone,queen:7").lower() == "bite, adult, drone or queen"
