"""Manifests, roots, rank, what belongs together."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript.pack import PackError, load_packs, read_manifest


def make(root: Path, pack: str, manifest: str = "", **files: str) -> None:
    folder = root / pack
    folder.mkdir(parents=True)
    (folder / "pack.yaml").write_text(f"id: {pack}\n{manifest}", encoding="utf-8")
    for name, text in files.items():
        (folder / f"{name}.nrs").write_text(text, encoding="utf-8")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("RULESCRIPT_PATH", raising=False)
    monkeypatch.chdir(tmp_path)
    make(
        tmp_path,
        "toy/base",
        "kind: base\ndefault: yes\nruleset: {main: play, harm: harms}\nmodes: {hard: off}\n",
        world="kind a\n",
        a_test="kind t\n",
    )
    make(tmp_path, "toy/red", "requires: [base]\nafter: [blue]\nfiles: {both.nrs: blue}\n", world="kind b\n", both="kind c\n")
    make(tmp_path, "toy/blue", "requires: [base]\nruleset: {main: other}\n", world="kind d\n")
    make(tmp_path, "toy/grey", "requires: [base]\nexcludes: [red]\n")
    return tmp_path


def test_rank_follows_requires_then_after(root: Path) -> None:
    loaded = load_packs(["toy/red,blue"], [root])
    assert [manifest.id for manifest in loaded.manifests] == ["toy/base", "toy/blue", "toy/red"]
    assert loaded.ruleset.main == "other" and loaded.ruleset.harm == "harms"
    assert loaded.modes == {"hard": False}


def test_files_that_need_another_pack(root: Path) -> None:
    names = [source.file for _, source in load_packs(["toy/red"], [root]).nodes()]
    assert names == ["world.nrs", "world.nrs"]
    assert "both.nrs" in [source.file for _, source in load_packs(["toy/red", "blue"], [root]).nodes()]


def test_tests_are_no_part_of_a_game(root: Path) -> None:
    loaded = load_packs(["toy/base"], [root])
    assert len(list(loaded.nodes())) == 1 and len(list(loaded.nodes(tests=True))) == 1


def test_a_kept_set_is_renewed_when_a_file_changes(root: Path) -> None:
    before = load_packs(["toy/base"], [root])
    assert load_packs(["toy/base"], [root]).packs[0].hash == before.packs[0].hash
    (root / "toy/base/world.nrs").write_text("kind a { limit 2 }\n", encoding="utf-8")
    assert load_packs(["toy/base"], [root]).packs[0].hash != before.packs[0].hash


def test_unknown_pack_is_misuse_with_the_nearest(root: Path) -> None:
    with pytest.raises(PackError) as caught:
        load_packs(["toy/bas"], [root])
    assert caught.value.misuse and "did you mean 'toy/base'?" in str(caught.value)


def test_packs_that_exclude_each_other(root: Path) -> None:
    with pytest.raises(PackError, match="cannot be played together"):
        load_packs(["toy/red", "grey"], [root])


def test_a_circle_is_told(root: Path) -> None:
    make(root, "toy/egg", "requires: [hen]\n")
    make(root, "toy/hen", "requires: [egg]\n")
    with pytest.raises(PackError, match="circle"):
        load_packs(["toy/egg"], [root])


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("titel: x\n", "did you mean 'title'?"),
        ("players: [4]\n", "the least and the greatest number"),
        ("language: 9\n", "newer than this program"),
        ("ruleset: {mian: x}\n", "did you mean 'main'?"),
        ("components: {fire: many}\n", "is a whole number"),
        ("kind: [\n", "expected"),
        ("ruleset: {policy: worts}\n", "did you mean 'worst'?"),
    ],
)
def test_faults_of_a_manifest(tmp_path: Path, manifest: str, message: str) -> None:
    make(tmp_path, "toy/bad", manifest)
    with pytest.raises(PackError) as caught:
        read_manifest(tmp_path / "toy/bad", "toy/bad")
    assert message in str(caught.value)


def test_the_id_is_the_path(tmp_path: Path) -> None:
    make(tmp_path, "toy/one")
    with pytest.raises(PackError, match="here 'toy/two'"):
        read_manifest(tmp_path / "toy/one", "toy/two")
