"""Two things whose abilities may use each other's: a look must not go round between them for ever."""

from __future__ import annotations

from pathlib import Path

from nemesis.game import Game

PACK = """id: toys/mirrors
title: "Mirrors"
version: 0.1.0
language: 1
kind: base
requires: []
players: [1, 1]
ruleset:
  main: shine_all
  ending: weigh
  asks: seating
  policy: lowest_id
  chance_period: day
"""
TEXT = """
kind mirror is card { shows all }
kind seat { acts; has light: number = 0 }
zone wall { holds mirror; shows all }
mirror "Left" house "made up" {
  action shine "Shine" {
    either {
      option "across" { choose deed from (mirror at wall where it is right).first.abilities; use deed }
      option "catch it" if your light is less than 1 { raise your light by 1 }
    }
  }
}
mirror "Right" house "made up" {
  action shine "Shine" { choose deed from (mirror at wall where it is left).first.abilities; use deed }
}
procedure shine_all {
  move mirror at box to wall
  each (all seat by seating) as s { act by s }
  end_game because "it is dark"
}
procedure weigh { win by (all seat where it.light is more than 0) }
action look_up "Look up" { choose deed from (mirror at wall where it is right).first.abilities; use deed }
action pass "Pass" { note "nothing" }
"""


def game(folder: Path) -> Game:
    home = folder / "toys" / "mirrors"
    home.mkdir(parents=True)
    (home / "pack.yaml").write_text(PACK, encoding="utf-8")
    (home / "mirrors.nrs").write_text(TEXT, encoding="utf-8")
    return Game.new(["toys/mirrors"], ["a"], 1, content=[folder])


def test_a_circle_with_a_way_out_is_offered_and_ends(tmp_path: Path) -> None:
    played = game(tmp_path)
    assert played.decision is not None and [option.id for option in played.decision.options] == ["look_up", "pass"]
    played.answer("look_up")
    while played.decision is not None:
        played.answer(played.decision.options[-1].id)
    assert played.state.winners
