"""`pack.yaml`: what a pack is called, what it needs, and which procedures make it a game."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping
from pathlib import Path

import attrs

from rulescript.diagnostic import Diagnostic, format_findings
from rulescript.nearest import did_you_mean
from rulescript.tree import Span

LANGUAGE: typing.Final = 1
KINDS: typing.Final = ("base", "race", "module", "characters", "test")
POLICIES: typing.Final = ("worst", "ask_in_turn_order", "lowest_id")


class PackError(Exception):
    """Packs that cannot be loaded. `findings` say where; `misuse` is set if only the request was wrong (exit code 2)."""

    def __init__(self, message: str, findings: tuple[Diagnostic, ...] = (), misuse: bool = False) -> None:
        super().__init__(message if not findings else format_findings(findings))
        self.message = message
        self.findings = findings
        self.misuse = misuse


@attrs.frozen
class Ruleset:
    """Which names of the packs play which part in the kernel; None where no pack says so."""

    main: str | None = None
    ending: str | None = None
    over: str | None = None
    policy: str | None = None
    harm: str | None = None
    hope: str | None = None
    asks: str | None = None
    chance_period: str | None = None
    pay: str | None = None


@attrs.frozen
class Manifest:
    """A `pack.yaml`. Pack names in `requires`, `excludes`, `after` and `files` are whole ids (`game/pack`)."""

    id: str
    folder: Path
    file: str
    title: str = ""
    version: str = "0"
    language: int = LANGUAGE
    kind: str = "module"
    default: bool = False
    requires: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    players: tuple[int, int] = (1, 1)
    roles: Mapping[str, str] = attrs.field(factory=dict)
    ruleset: Ruleset = Ruleset()
    modes: Mapping[str, bool | int | str] = attrs.field(factory=dict)
    components: Mapping[str, int] = attrs.field(factory=dict)
    files: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)

    @property
    def game(self) -> str:
        """`retaliation` of `retaliation/base`; empty for a pack that stands alone."""
        return self.id.rsplit("/", 1)[0] if "/" in self.id else ""


def whole_name(name: str, game: str) -> str:
    """
    >>> whole_name("base", "chess"), whole_name("go/base", "chess")
    ('chess/base', 'go/base')
    """
    return name if "/" in name or not game else f"{game}/{name}"


class _Reader:
    """Takes typed values out of a YAML document and remembers what was wrong and where."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.findings: list[Diagnostic] = []

    def report(self, node: typing.Any, message: str, hint: str | None = None) -> None:
        start, end = node.start_mark, node.end_mark
        end_column = end.column + 1 if end.line == start.line else start.column + 2
        span = Span(self.file, start.line + 1, start.column + 1, start.line + 1, max(end_column, start.column + 2))
        self.findings.append(Diagnostic("E-PACK", message, span, hint=hint))

    def pairs(self, node: typing.Any, what: str) -> list[tuple[str, typing.Any, typing.Any]]:
        if not hasattr(node, "value") or not isinstance(node.value, list) or (node.value and not isinstance(node.value[0], tuple)):
            self.report(node, f"{what} is a list of 'name: value' pairs")
            return []
        return [(str(key.value), key, value) for key, value in node.value]

    def plain(self, node: typing.Any) -> typing.Any:
        import yaml

        return yaml.SafeLoader("").construct_object(node, deep=True)

    def text(self, node: typing.Any, what: str) -> str:
        if isinstance(node.value, str):
            return node.value
        self.report(node, f"{what} is one word or text")
        return ""

    def word_of(self, words: tuple[str, ...]) -> Callable[[typing.Any, str], str]:
        def take(node: typing.Any, what: str) -> str:
            found = self.text(node, what)
            if found and found not in words:
                self.report(node, f"{what} is one of {', '.join(words)}", did_you_mean(found, words))
            return found

        return take

    def flag(self, node: typing.Any, what: str) -> bool:
        found = self.plain(node)
        if not isinstance(found, bool):
            self.report(node, f"{what} is yes or no")
        return found is True

    def number(self, node: typing.Any, what: str) -> int:
        found = self.plain(node)
        if isinstance(found, int) and not isinstance(found, bool):
            return found
        self.report(node, f"{what} is a whole number")
        return 0

    def names(self, node: typing.Any, what: str) -> tuple[str, ...]:
        found = self.plain(node)
        if isinstance(found, str):
            return (found,)
        if isinstance(found, list) and all(isinstance(item, str) for item in found):
            return tuple(found)
        self.report(node, f"{what} is a list of names such as [base, other]")
        return ()

    def span_of_players(self, node: typing.Any, what: str) -> tuple[int, int]:
        found = self.plain(node)
        if isinstance(found, list) and len(found) == 2 and all(type(item) is int for item in found) and 1 <= found[0] <= found[1]:
            return (found[0], found[1])
        self.report(node, f"{what} is the least and the greatest number, such as [1, 5]")
        return (1, 1)

    def table(self, take: Callable[[typing.Any, str], typing.Any]) -> Callable[[typing.Any, str], dict[str, typing.Any]]:
        def read(node: typing.Any, what: str) -> dict[str, typing.Any]:
            return {name: take(value, f"{what}.{name}") for name, _, value in self.pairs(node, what)}

        return read

    def switch(self, node: typing.Any, what: str) -> bool | int | str:
        found = self.plain(node)
        if isinstance(found, bool | int | str):
            return found
        self.report(node, f"{what} is on, off, a number or a word")
        return False

    def ruleset(self, node: typing.Any, what: str) -> Ruleset:
        known = tuple(field.name for field in attrs.fields(Ruleset))
        said: dict[str, str] = {}
        for name, key, value in self.pairs(node, what):
            if name not in known:
                self.report(key, f"a rule set has no '{name}'", did_you_mean(name, known))
            elif name == "policy":
                said[name] = self.word_of(POLICIES)(value, "policy")
            else:
                said[name] = self.text(value, f"{what}.{name}")
        return Ruleset(**said)


def read_manifest(folder: Path, pack_id: str, file: str | None = None) -> Manifest:
    """The manifest of a pack's folder; `file` is the name to use in findings. Raises PackError with every fault found.

    What a sound one says is kept between processes, by its text.
    """
    from rulescript.syntax.store import kept_path, read_kept, write_kept

    path = folder / "pack.yaml"
    named = file or str(path)
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PackError(f"{named}: {error}") from None
    kept = kept_path("manifests", pack_id, text)
    said = read_kept(kept)
    if not isinstance(said, dict):
        said = _parse_manifest(text, pack_id, named)
        write_kept(kept, said)
    return Manifest(folder=folder, file=named, **said)


def _parse_manifest(text: str, pack_id: str, file: str) -> dict[str, typing.Any]:
    import yaml

    reader = _Reader(file)
    try:
        document = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        finding = Diagnostic("E-PACK", error.problem or "not YAML", Span(reader.file, line, column, line, column + 1))
        raise PackError("the manifest is not YAML", (finding,)) from None
    if document is None:
        raise PackError(f"{reader.file}: the manifest is empty")
    takers: dict[str, Callable[[typing.Any, str], typing.Any]] = {
        "id": reader.text, "title": reader.text, "version": reader.text, "language": reader.number, "kind": reader.word_of(KINDS),
        "default": reader.flag, "requires": reader.names, "excludes": reader.names, "after": reader.names,
        "players": reader.span_of_players, "roles": reader.table(reader.text), "ruleset": reader.ruleset,
        "modes": reader.table(reader.switch), "components": reader.table(reader.number), "files": reader.table(reader.names),
        "format": reader.number,
    }  # fmt: skip
    said: dict[str, typing.Any] = {}
    for name, key, value in reader.pairs(document, "a manifest"):
        if name not in takers:
            reader.report(key, f"a manifest has no '{name}'", did_you_mean(name, takers))
            continue
        said[name] = takers[name](value, name)
        if name in ("language", "format") and said[name] > LANGUAGE:
            reader.report(value, f"{name} {said[name]} is newer than this program, which reads {LANGUAGE}")
        if name == "id" and said[name] != pack_id:
            reader.report(value, f"the id of a pack is its path: here '{pack_id}'")
    if reader.findings:
        raise PackError("the manifest has faults", tuple(reader.findings))
    said.pop("format", None)
    game = pack_id.rsplit("/", 1)[0] if "/" in pack_id else ""
    for name in ("requires", "excludes", "after"):
        said[name] = tuple(whole_name(other, game) for other in said.get(name, ()))
    said["files"] = {name: tuple(whole_name(other, game) for other in needs) for name, needs in said.get("files", {}).items()}
    said["id"] = pack_id
    said.setdefault("title", pack_id)
    return said
