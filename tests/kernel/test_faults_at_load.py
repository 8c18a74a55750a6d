"""Content whose rules hook nothing, and saves with odd numbers, are refused in words before anything is played."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import pytest

from nemesis.game import Game, SaveError
from nemesis.programs import ContentFault, program_of

PACK = """
id: small/{name}
title: "{name}"
version: 0.1.0
language: 1
kind: test
requires: [retaliation/base]
"""


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("step", 'after movement.noize { note "hm" }', "movement has no step noize"),
        ("verb", 'before mouvement { note "hm" }', "no verb, procedure, action or label mouvement"),
    ],
)
def test_rules_that_hook_nothing(tmp_path: Path, name: str, text: str, said: str) -> None:
    folder = tmp_path / "small" / name
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(PACK.format(name=name).lstrip())
    (folder / "rules.nrs").write_text(text + "\n")
    with pytest.raises(ContentFault, match=said) as caught:
        program_of((f"small/{name}",), 2, (tmp_path,))
    assert "rules.nrs:1:" in str(caught.value)


def test_a_save_with_one_odd_value_is_refused() -> None:
    game = Game.new(["retaliation/base"], ["a", "b"], 3)
    for _ in range(12):
        assert game.decision is not None
        game.answer(game.decision.options[0].id if game.decision.kind not in ("choose_some", "order") else
                    [option.id for option in game.decision.options[: game.decision.min]])  # fmt: skip
    good = game.save()
    Game.load(copy.deepcopy(good))
    rng = random.Random(5)
    for _ in range(60):
        data = copy.deepcopy(good)
        column = rng.choice(["place", "known", "alias", "last", "left", "incarnation"])
        data["state"][column][rng.randrange(len(data["state"][column]))] = rng.choice([1 << 60, None, "x", -7])
        with pytest.raises(SaveError):
            Game.load(data)


@pytest.mark.parametrize("pack", ["retaliation/base", "classic/base"])
def test_a_sound_save_is_never_called_damaged(pack: str) -> None:
    """As the dict that `save` gives, and as text: both give the same game again, all along."""
    game = Game.new([pack], ["a", "b"], 11)
    rng = random.Random(11)
    count = 0
    while (decision := game.decision) is not None:
        if count % 5 == 0:
            saved = game.save()
            for data in (saved, json.loads(json.dumps(saved))):
                assert Game.load(data).hash() == game.hash()
        ids = [option.id for option in decision.options]
        game.answer(rng.sample(ids, decision.min) if decision.kind in ("choose_some", "order") else rng.choice(ids))
        count += 1
    assert count > 25
