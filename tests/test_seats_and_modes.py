"""How many seats Retaliation has, which modes it takes, and that nothing shows an Objective before the end."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from cli.present import load_present
from cli.scene import Scene
from nemesis.bots import make_bot
from nemesis.game import Game
from nemesis.position import PositionWriter
from rulescript.pack.load import load_packs

ROOT = Path(__file__).resolve().parent.parent
PACK = "retaliation/base"
LEAST, MOST = load_packs([PACK]).players


def begun(seats: int, options: dict[str, object] | None = None) -> Game:
    """A game in which everybody has drafted."""
    game, bot = Game.new([PACK], [f"p{n + 1}" for n in range(seats)], 5, options), make_bot("random", 5)
    while (decision := game.decision) is not None and decision.kind != "action":
        game.answer(bot.choose(game, decision), decision.id)
    return game


def row(game: Game, zone: str) -> list[str]:
    found: list[str] = game.view(None)["zones"][zone]["things"]
    return found


@pytest.mark.parametrize("seats", range(LEAST, MOST + 1))
def test_every_number_of_seats_begins(seats: int) -> None:
    """RET-SETUP-41: all that the pack says; one seat alone plays for Tasks (RET-SOLO-01)."""
    game = begun(seats)
    assert game.view(None)["fields"]["cooperative"] is (seats == 1)
    assert len(row(game, "task_row")) == 1


@pytest.mark.parametrize("seats", [LEAST - 1, MOST + 1])
def test_other_numbers_are_refused(seats: int) -> None:
    """RET-SETUP-41"""
    with pytest.raises(ValueError, match=f"for {LEAST} to {MOST} seats, not {seats}"):
        Game.new([PACK], [f"p{n + 1}" for n in range(seats)], 5)


@pytest.mark.parametrize(("deadly", "coop"), list(itertools.product([False, True], repeat=2)))
def test_modes_go_together(deadly: bool, coop: bool) -> None:
    """RET-DEADLY-05, RET-SOLO-01"""
    game = begun(2, {"deadly": deadly, "coop": coop})
    view = game.view(None)
    assert view["fields"]["cooperative"] is coop
    assert len(row(game, "task_row")) == (2 if coop else 1)
    held = [zone["count"] for name, zone in view["zones"].items() if name.endswith(".objectives")]
    assert sum(held) == (0 if coop else 4)


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="no option or mode 'dedly': did you mean 'deadly'"):
        Game.new([PACK], ["p1", "p2"], 5, {"dedly": True})


def test_an_objective_is_seen_by_its_seat_alone() -> None:
    """RET-OBJ-15, RET-SETUP-27: nobody else's view names it, and no option shows it, in a game up to its last decision."""
    game, bot = begun(2), make_bot("random", 6)
    steps = 0
    while (decision := game.decision) is not None and steps < 200:
        for seat, other in (("p1", "p2"), ("p2", "p1")):
            own, theirs = objectives(game, seat, seat), objectives(game, seat, other)
            assert own["count"] >= 1 and len(own["things"]) == own["count"]
            assert theirs["count"] >= 1 and theirs["things"] == []
            assert objectives(game, None, seat)["things"] == []
        assert not any("reveal" in option.id for option in decision.options)
        game.answer(bot.choose(game, decision), decision.id)
        steps += 1


def objectives(game: Game, eyes: str | None, whose: str) -> dict[str, Any]:
    view = game.view(eyes)
    (name,) = (thing for thing, seat in view["seats"].items() if seat == whose)
    found: dict[str, Any] = view["zones"][f"{name}.objectives"]
    return found


def test_the_map_tells_whose_model_lies_there() -> None:
    """RET-SOLO-05"""
    game = begun(2, {"coop": True})
    things = game.view(None)["things"]
    first, second = sorted(name for name, thing in things.items() if thing["kind"] == "character" and thing["fields"].get("seat"))
    PositionWriter(game.state).write(f"in landing_zone: casualty#1 who {first}, casualty#2 who {second}")
    told = Scene(game.view(None), load_present([PACK], [ROOT / "content"]), None).map()
    wanted = ", ".join(f"1 knocked-over model (who {things[name]['title']})" for name in (first, second))
    assert any(wanted in line for line in told), told
