"""A ban on acting: who may not act is not asked."""

from __future__ import annotations

from pathlib import Path

from nemesis.game import Game

PACK = """id: toys/nap
title: "Nap"
version: 0.1.0
language: 1
kind: base
requires: []
players: [2, 2]
ruleset:
  main: day
  asks: seating
  policy: lowest_id
  chance_period: day
"""
TEXT = """
kind seat { acts; has tired: flag = no }
procedure day {
  each (all seat by seating) as s { act by s }
  each (all seat by seating) as s { act by s }
  end_game because "it is dark"
}
forbid act by s: seat if s.tired because "asleep"
action lie_down "Lie down" { set your tired to yes }
action hum "Hum" { note "a tune" }
"""


def test_who_may_not_act_is_not_asked(tmp_path: Path) -> None:
    home = tmp_path / "toys" / "nap"
    home.mkdir(parents=True)
    (home / "pack.yaml").write_text(PACK, encoding="utf-8")
    (home / "nap.nrs").write_text(TEXT, encoding="utf-8")
    game = Game.new(["toys/nap"], ["a", "b"], 1, content=[tmp_path])
    asked = []
    for answer in ("lie_down", "hum", "hum"):
        assert game.decision is not None
        asked.append(game.decision.chooser)
        game.answer(answer)
    assert asked == ["a", "b", "b"] and game.decision is None
