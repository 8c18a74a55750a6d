"""The parsed files of a set of packs, kept as a whole so that a game starts quickly."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from rulescript import collector
from rulescript.diagnostic import Diagnostic
from rulescript.pack.manifest import Manifest, PackError, Ruleset
from rulescript.pack.resolve import resolve
from rulescript.pack.roots import content_roots, known_packs, shown
from rulescript.syntax.grammar import cache_directory
from rulescript.syntax.item import Item, ParsedFile
from rulescript.syntax.parse import parse_file
from rulescript.syntax.store import read_kept, stamp, write_kept
from rulescript.table.definition import Source
from rulescript.tree import Node, Span


@attrs.frozen
class PackFile:
    """One file of a pack. `test` files are no part of a game, and are parsed only when somebody asks for what is in them."""

    name: str
    path: Path
    test: bool
    _parsed: ParsedFile | None
    cache_dir: Path | None = attrs.field(default=None, eq=False)

    @property
    def parsed(self) -> ParsedFile:
        """The items and findings of the file. Raises PackError if it cannot be read."""
        if self._parsed is None:
            object.__setattr__(self, "_parsed", _read(self.path, self.cache_dir))
        assert self._parsed is not None
        return self._parsed


@attrs.frozen
class LoadedPack:
    manifest: Manifest
    rank: int
    files: tuple[PackFile, ...]
    hash: str

    @property
    def id(self) -> str:
        return self.manifest.id


@attrs.frozen
class LoadedPacks:
    """Packs in rank order (inner first) with their parsed files."""

    packs: tuple[LoadedPack, ...]

    @property
    def manifests(self) -> tuple[Manifest, ...]:
        return tuple(pack.manifest for pack in self.packs)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(finding for pack in self.packs for file in pack.files for finding in file.parsed.diagnostics)

    @property
    def ruleset(self) -> Ruleset:
        """What the packs say together; an outer pack wins."""
        said: dict[str, str] = {}
        for manifest in self.manifests:
            said |= {name: value for name, value in attrs.asdict(manifest.ruleset).items() if value is not None}
        return Ruleset(**said)

    @property
    def modes(self) -> dict[str, bool | int | str]:
        return {name: value for manifest in self.manifests for name, value in manifest.modes.items()}

    @property
    def roles(self) -> dict[str, str]:
        return {name: value for manifest in self.manifests for name, value in manifest.roles.items()}

    @property
    def players(self) -> tuple[int, int]:
        """The least and greatest number of players that all packs that say so allow together."""
        spans = [m.players for m in self.manifests if m.players != (1, 1) or m.kind == "base"]
        return (max((low for low, _ in spans), default=1), min((high for _, high in spans), default=1))

    def items(self, tests: bool = False) -> Iterator[tuple[Item, Source]]:
        """Items of games, or those of test files, in the order of rank, file and line."""
        for pack in self.packs:
            order = 0
            for file in pack.files:
                if file.test is not tests:
                    continue
                for item in file.parsed.items:
                    order += 1
                    yield item, Source(pack.id, file.name, pack.rank, order, item.hash)

    def nodes(self, tests: bool = False) -> Iterator[tuple[Node, Source]]:
        """As `items`, with the trees: what `rulescript.table.declarations.declare` reads."""
        for item, source in self.items(tests):
            yield item.node, source


@collector.paused()
def load_packs(names: Sequence[str] = (), roots: Sequence[Path] = (), cache_dir: Path | None = None) -> LoadedPacks:
    """The packs that `names` mean, found in `roots` and then in the usual places. Raises PackError.

    Faults inside `.nrs` files raise nothing: they stand in `.diagnostics`.
    """
    known = known_packs(content_roots(roots))
    path = (cache_dir or cache_directory()) / "packs" / f"{packs_stamp(names, known)}.pickle"
    kept = read_kept(path)
    if isinstance(kept, LoadedPacks):
        return kept
    manifests = resolve(names, known)
    present = {manifest.id for manifest in manifests}
    loaded = LoadedPacks(tuple(_load(manifest, rank, present, cache_dir) for rank, manifest in enumerate(manifests)))
    write_kept(path, loaded)
    return loaded


def packs_stamp(names: Sequence[str], known: dict[str, Path]) -> str:
    """Changes with every file that could matter: times and sizes, not contents, so that it costs next to nothing."""
    parts = [stamp(), "\0".join(names), str(Path.cwd())]
    for pack, folder in known.items():
        for file in sorted((folder / "pack.yaml", *folder.glob("*.nrs"))):
            found = file.stat()
            parts.append(f"{pack}\0{file}\0{found.st_mtime_ns}\0{found.st_size}")
    return hashlib.blake2b("\n".join(parts).encode(), digest_size=16).hexdigest()


def _load(manifest: Manifest, rank: int, present: set[str], cache_dir: Path | None) -> LoadedPack:
    files = []
    digest = hashlib.blake2b(digest_size=16)
    for path in sorted(manifest.folder.glob("*.nrs")):
        if not set(manifest.files.get(path.name, ())) <= present:
            continue
        if path.name.endswith("_test.nrs"):
            files.append(PackFile(path.name, path, True, None, cache_dir))
        else:
            parsed = _read(path, cache_dir)
            files.append(PackFile(path.name, path, False, parsed))
            digest.update("\n".join([path.name, *(item.hash for item in parsed.items)]).encode())
    for name in manifest.files:
        if not (manifest.folder / name).is_file():
            raise PackError(f"{manifest.file}: 'files' names '{name}', which is not there")
    return LoadedPack(manifest, rank, tuple(files), digest.hexdigest())


def _read(path: Path, cache_dir: Path | None) -> ParsedFile:
    try:
        return parse_file(path, cache_dir, name=shown(path))
    except UnicodeDecodeError as error:
        finding = Diagnostic("E-SYNTAX", f"not UTF-8 text: {error.reason}", Span(shown(path), 1, 1, 1, 2))
        return ParsedFile(shown(path), (), (finding,))
    except OSError as error:
        raise PackError(f"{shown(path)}: {error.strerror or error}") from None
