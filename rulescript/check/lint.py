"""From paths to findings: which packs a path means, and the checks of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import attrs

from rulescript import tree as t
from rulescript.check.lock import fix_lock
from rulescript.check.report import Report
from rulescript.check.run import check_packs, check_test_file, game_pool
from rulescript.check.unread import list_house
from rulescript.check.vocabulary import Vocabulary
from rulescript.check.wordpool import WordPool
from rulescript.diagnostic import Diagnostic, sorted_findings
from rulescript.pack.load import LoadedPack, LoadedPacks, PackFile, load_packs
from rulescript.pack.manifest import Manifest, PackError
from rulescript.pack.roots import content_roots, known_packs, shown
from rulescript.syntax.parse import parse_file
from rulescript.table.declarations import declare
from rulescript.table.definition import Source
from rulescript.table.survey import walk


@attrs.frozen
class Linted:
    """Findings, and the files that were looked at."""

    findings: tuple[Diagnostic, ...]
    files: tuple[str, ...]


def lint_paths(paths: Sequence[Path], roots: Sequence[Path] = (), *, house: bool = False) -> Linted:
    """Checks files, packs and whole content folders; with `house` everything that is a stand-in is listed as well.

    Raises PackError for a path that is none of them.
    """
    findings: list[Diagnostic] = []
    files: set[str] = set()
    for path in paths:
        for folder, only in targets(path):
            found = lint_pack(folder, roots) if (folder / "pack.yaml").is_file() else lint_loose(folder)
            if house:
                found = [*found, *_stand_ins(folder)]
            beside = [folder / name for name in ("pack.yaml", "present.yaml", "ids.lock")]
            here = {shown(file) for file in (*folder.glob("*.nrs"), *beside) if file.is_file()}
            wanted = here if only is None else {shown(only)}
            files |= wanted
            findings += [finding for finding in found if finding.span.file in wanted]
        if path.is_dir():
            findings += lint_together(path)
    return Linted(tuple(sorted_findings(findings)), tuple(sorted(files)))


def fix_ids(paths: Sequence[Path], roots: Sequence[Path] = ()) -> int:
    """Adds new ids to the lock files of packs; the number of new rows."""
    count = 0
    for path in paths:
        for folder, _ in targets(path):
            if (folder / "pack.yaml").is_file():
                root, name = root_of(folder)
                loaded = load_packs([name], [root, *roots])
                words = Vocabulary(declare(loaded.nodes()), loaded.modes)
                count += sum(fix_lock(pack, words) for pack in loaded.packs if pack.id == name)
    return count


def _stand_ins(folder: Path) -> list[Diagnostic]:
    report = Report()
    for path in sorted(folder.glob("*.nrs")):
        if path.name.endswith("_test.nrs"):
            continue
        report.add_text(shown(path), path.read_text(encoding="utf-8"))
        list_house([(item.node, Source("", path.name, 0, 0)) for item in parse_file(path, name=shown(path)).items], report)
    return report.findings


def targets(path: Path) -> list[tuple[Path, Path | None]]:
    """The folders that a path means, each perhaps for one file only. Raises PackError if there is nothing of the kind."""
    if not path.exists():
        raise PackError(f"{path}: there is no such file or folder", misuse=True)
    if path.is_file() and path.suffix not in (".nrs", ".yaml"):
        raise PackError(f"{path}: this is no .nrs file", misuse=True)
    if path.is_file():
        return [(path.parent, path)]
    if (path / "pack.yaml").is_file():
        return [(path, None)]
    folders = sorted({file.parent for file in path.rglob("*.nrs")} | {file.parent for file in path.rglob("pack.yaml")})
    if not folders:
        raise PackError(f"{path}: no .nrs files here", misuse=True)
    return [(folder, None) for folder in folders]


def root_of(folder: Path) -> tuple[Path, str]:
    """The content root of a pack's folder, and the pack's id below it."""
    full = folder.resolve()
    for depth in (2, 1):
        root = full.parents[depth - 1]
        pack = full.relative_to(root).as_posix()
        try:
            said = (full / "pack.yaml").read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if any(line.strip() in (f"id: {pack}", f'id: "{pack}"') for line in said.splitlines()):
            return root, pack
    root = full.parents[1]
    return root, full.relative_to(root).as_posix()


def lint_pack(folder: Path, roots: Sequence[Path] = ()) -> list[Diagnostic]:
    """The findings of one pack, its base packs loaded with it; a broken manifest is a finding too."""
    root, pack = root_of(folder)
    all_roots = [root, *roots]
    try:
        loaded = load_packs([pack], all_roots)
        guests = [name for manifest in loaded.manifests if manifest.id == pack for needs in manifest.files.values() for name in needs]
        known = known_packs(content_roots(all_roots))
        wanted = [name for name in guests if name in known]
        if wanted:
            loaded = load_packs([pack, *wanted], all_roots)
    except PackError as error:
        if error.misuse or not error.findings:
            raise
        return list(error.findings)
    findings = check_packs(loaded, tests=False)
    own = next(one for one in loaded.packs if one.id == pack)
    pools: dict[tuple[str, ...], WordPool] = {}
    for file in own.files:
        if file.test:
            findings += _lint_test(loaded, own, file, all_roots, pools)
    return findings


def _with_packs(node: t.Node) -> tuple[str, ...]:
    """The packs that a test asks for."""
    found: list[str] = []
    for part in walk(node):
        if isinstance(part, t.Line) and part.word == "with_packs" and isinstance(part.operand, t.ListOf):
            found += [
                item.value if isinstance(item, t.Text) else item.name for item in part.operand.items if isinstance(item, t.Text | t.Name)
            ]
    return tuple(found)


def _lint_test(
    loaded: LoadedPacks, pack: LoadedPack, file: PackFile, roots: Sequence[Path], pools: dict[tuple[str, ...], WordPool]
) -> list[Diagnostic]:
    """Each test is checked with the packs that it asks for."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for item in file.parsed.items:
        if isinstance(item.node, t.Test):
            groups.setdefault(_with_packs(item.node), []).append(item.hash)
    findings: list[Diagnostic] = []
    for names, hashes in sorted(groups.items()) or [((), [])]:
        here = loaded
        if names:
            try:
                here = load_packs([pack.id, *names], roots)
            except PackError as error:
                span = next(item.span for item in file.parsed.items if item.hash in hashes)
                findings.append(Diagnostic("E-PACK", error.message, span))
                continue
        if names not in pools:
            pools[names] = game_pool(here)
        findings += check_test_file(here, pack, file, set(hashes), pools[names])
    return findings


def lint_loose(folder: Path) -> list[Diagnostic]:
    """Files without a manifest are checked together as if they were a pack."""
    files = tuple(
        PackFile(path.name, path, path.name.endswith("_test.nrs"), parse_file(path, name=shown(path)))
        for path in sorted(folder.glob("*.nrs"))
    )
    manifest = Manifest(id=folder.name, folder=folder, file=shown(folder / "pack.yaml"))
    return check_packs(LoadedPacks((LoadedPack(manifest, 0, files, ""),)))


def lint_together(folder: Path) -> list[Diagnostic]:
    """Clashes between packs of one game that may be played together."""
    findings: list[Diagnostic] = []
    packs = {root_of(file.parent) for file in folder.rglob("pack.yaml")}
    games: dict[tuple[Path, str], list[str]] = {}
    for root, pack in packs:
        games.setdefault((root, pack.rsplit("/", 1)[0] if "/" in pack else pack), []).append(pack)
    for (root, _), names in sorted(games.items()):
        for chosen in _compatible(sorted(names), root):
            try:
                loaded = load_packs(chosen, [root])
            except PackError:
                continue  # reported where that pack itself is checked
            findings += [finding for finding in check_packs(loaded, tests=False) if finding.code == "E-CLASH"]
    return findings


def _compatible(names: Iterable[str], root: Path) -> list[list[str]]:
    """Pairs of packs; what excludes each other fails to load and is left out."""
    listed = list(names)
    return [[left, right] for index, left in enumerate(listed) for right in listed[index + 1 :]]
