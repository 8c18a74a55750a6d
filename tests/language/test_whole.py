"""Checks that look at packs as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.check.lint import fix_ids, lint_paths

WORLD = """
words units with [health]
kind hero { acts; has health: health = 3 }
kind coin is marker { limit 4 }
kind gem is card
gem "Ruby" x2 printed cites TOY-GEM-01
gem "Opal" printed cites TOY-GEM-02
procedure play { step open { note "x" } step shut { note "y" } }
""".replace("} step", "}; step")


def make(root: Path, pack: str, manifest: str, text: str) -> None:
    folder = root / pack
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(f"id: {pack}\n{manifest}", encoding="utf-8")
    (folder / "all.nrs").write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def codes(path: Path) -> list[tuple[str, str]]:
    return [(finding.code, finding.span.where) for finding in lint_paths([path]).findings]


def test_counts_against_components(root: Path) -> None:
    make(root, "toy/base", "components:\n  coin: 5\n  gem: 3\n", WORLD)
    assert codes(root / "toy/base") == [("E-COUNT", "toy/base/pack.yaml:3:3")]


def test_a_value_that_each_definition_says_itself(root: Path) -> None:
    stone = "kind stone is card { has weight: number; has hue: word?; has rank: number = 1; weight 2 }"
    text = WORLD.replace("kind gem is card", f"{stone}\nkind gem is stone {{ has price: number }}")
    text = text.replace("cites TOY-GEM-01", "cites TOY-GEM-01 { price 3 }")
    make(root, "toy/base", "", text)
    assert codes(root / "toy/base") == [("E-FIELD", "toy/base/all.nrs:8:1")]


def test_a_game_needs_an_end_and_its_procedures(root: Path) -> None:
    make(root, "toy/base", "ruleset:\n  main: play\n  ending: finish\n", WORLD)
    assert codes(root / "toy/base") == [("E-ENDLESS", "toy/base/all.nrs:8:11"), ("E-PACK", "toy/base/pack.yaml:4:11")]


def test_packs_that_replace_one_step(root: Path) -> None:
    make(root, "toy/base", "", WORLD)
    make(root, "toy/left", "requires: [base]\n", "instead of play.open { }\n")
    make(root, "toy/right", "requires: [base]\n", "instead of play.open { usual }\n")
    assert codes(root / "toy") == [("E-CLASH", "toy/right/all.nrs:1:1")]
    (root / "toy/right/pack.yaml").write_text("id: toy/right\nrequires: [base]\nafter: [left]\n", encoding="utf-8")
    assert codes(root / "toy") == []


def test_rule_ids(root: Path) -> None:
    text = WORLD.replace("TOY-GEM-02", "TOY-GEM-02, TOY-GEM-02") + 'gem "Jade" cites TOY-GME-03\ngem "Onyx" cites TOY-GEM-B\n'
    make(root, "toy/base", "", text)
    assert [code for code, _ in codes(root / "toy/base")] == ["E-CITE", "E-CITE", "E-CITE"]


def test_locked_ids_stay(root: Path) -> None:
    make(root, "toy/base", "", WORLD)
    assert fix_ids([root / "toy/base"]) == 2
    assert (root / "toy/base/ids.lock").read_text(encoding="utf-8") == "opal\tgem\tOpal\nruby\tgem\tRuby\n"
    assert codes(root / "toy/base") == []
    text = root / "toy/base/all.nrs"
    text.write_text(text.read_text(encoding="utf-8").replace('"Opal"', '"White Opal"'), encoding="utf-8")
    assert codes(root / "toy/base") == [("E-DUP", "toy/base/ids.lock:1:1")]
    text.write_text(text.read_text(encoding="utf-8").replace("TOY-GEM-02", "TOY-GEM-02 { id opal }"), encoding="utf-8")
    assert codes(root / "toy/base") == []


def test_names_in_present_yaml(root: Path) -> None:
    make(root, "toy/base", "", WORLD)
    (root / "toy/base/present.yaml").write_text("kinds:\n  coin: {sgin: c}\n  gme: {sign: g}\nseat: [helth]\n", encoding="utf-8")
    assert codes(root / "toy/base") == [
        ("E-WORD", "toy/base/present.yaml:2:10"),
        ("E-WORD", "toy/base/present.yaml:3:3"),
        ("E-WORD", "toy/base/present.yaml:4:8"),
    ]


def test_what_follows_from_a_broken_item_is_not_reported(root: Path) -> None:
    make(root, "toy/base", "", WORLD + "procedure shine by hero { lower your by 1 }\nprocedure dance by hero { shine; shnie }\n")
    assert codes(root / "toy/base") == [("E-SYNTAX", "toy/base/all.nrs:9:41"), ("E-WORD", "toy/base/all.nrs:10:34")]
