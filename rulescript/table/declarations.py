"""The signature table: everything that the loaded packs declare, by name.

`declare(sources)` reads top-level items in the order of packs, files and lines, and files each under what it is. It checks nothing
beyond what it needs to go on; the checker in `rulescript.check` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import attrs

from rulescript import tree as t
from rulescript.table.definition import Definition, Rule, Source, read_members
from rulescript.table.kind import FieldInfo, KindInfo, read_property

KERNEL_KINDS = ("thing", "game", "seat", "card", "place", "token", "marker", "track", "die", "ability", "zone")


def slug(title: str) -> str:
    """The word form of a title: lower case, every run of other characters one underscore.

    >>> slug("BF Gun"), slug("Protect & Serve")
    ('bf_gun', 'protect_serve')
    """
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")


@attrs.define
class Zone:
    """A declared zone; `holder` is a kind, a word list or None for a zone of the table."""

    name: str
    holder: str | None
    holds: str | None = None
    shows: str = "all"
    order: str = "none"
    limit: t.Expression | None = None
    renewed_from: str | None = None
    source: Source | None = None


@attrs.define
class Track:
    """A track; values are the numbers or words of its slots; `slots` is the kind of place per slot, if there are any."""

    name: str
    values: tuple[int | str, ...]
    slots: str | None = None


@attrs.define
class MapInfo:
    name: str
    nodes: str
    links: str
    block: t.Block
    source: Source


@attrs.define
class HeadInfo:
    """One procedure head: `verb object …` with its parameters in slot order."""

    index: int
    verb: str
    head: t.Head
    node: t.Procedure
    source: Source
    done: str = "some"
    one_by_one: bool = False
    strict: bool = False
    period: str | None = None
    nests: int = 8
    text: str | None = None

    @property
    def name(self) -> str:
        """`lose_mana` where the verb has several heads, else the verb (see `Declarations.step_name`)."""
        return f"{self.verb}_{self.head.object}" if self.head.object else self.verb


@attrs.define
class QueryInfo:
    receiver: str
    name: str
    node: t.Query
    source: Source
    definition: str | None = None


@attrs.define
class ActionInfo:
    """An action; `holder` is the definition id or kind it is written in, None for everybody's."""

    index: int
    name: str
    node: t.Action
    source: Source
    definition: str | None = None
    kind: str | None = None
    guards: tuple[t.Expression, ...] = ()

    @property
    def address(self) -> str:
        return f"{self.source.pack}:{self.definition or self.kind or 'action'}/{self.name}"


@attrs.define
class Declarations:
    """All that the packs say, filed by name. Built once per set of packs; frozen by habit afterwards."""

    kinds: dict[str, KindInfo] = attrs.field(factory=dict)
    definitions: dict[str, Definition] = attrs.field(factory=dict)
    zones: dict[str, Zone] = attrs.field(factory=dict)
    dice: dict[str, tuple[int | str, ...]] = attrs.field(factory=dict)
    tracks: dict[str, Track] = attrs.field(factory=dict)
    words: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    orders: dict[str, t.Order] = attrs.field(factory=dict)
    queries: dict[str, list[QueryInfo]] = attrs.field(factory=dict)
    heads: list[HeadInfo] = attrs.field(factory=list)
    verbs: dict[str, list[HeadInfo]] = attrs.field(factory=dict)
    actions: list[ActionInfo] = attrs.field(factory=list)
    rules: list[Rule] = attrs.field(factory=list)
    harms: dict[str, tuple[t.Line, ...]] = attrs.field(factory=dict)
    hopes: dict[str, tuple[t.Line, ...]] = attrs.field(factory=dict)
    maps: list[MapInfo] = attrs.field(factory=list)
    modes: dict[str, t.Line] = attrs.field(factory=dict)
    tests: list[tuple[t.Test, Source]] = attrs.field(factory=list)
    plurals: dict[str, str] = attrs.field(factory=dict)
    _lineages: dict[str, tuple[str, ...]] = attrs.field(factory=dict, init=False, repr=False)

    def is_kind(self, kind: str, parent: str) -> bool:
        """Whether `kind` is `parent` or below it."""
        return parent in self.ancestors(kind)

    def ancestors(self, kind: str) -> tuple[str, ...]:
        """The kind itself, then its parents, left first, nearest first; `thing` last."""
        known = self._lineages.get(kind)
        if known is not None:
            return known
        found: list[str] = []
        queue = [kind]
        while queue:
            name = queue.pop(0)
            if name in found:
                continue
            found.append(name)
            info = self.kinds.get(name)
            if info is not None:
                queue.extend(info.parents)
        if "thing" not in found:
            found.append("thing")
        self._lineages[kind] = tuple(found)
        return self._lineages[kind]

    def singular(self, word: str) -> str:
        """The kind or unit that a word names, undoing a plural.

        A word that is nobody's plural comes back as it is.
        """
        if word in self.kinds:
            return word
        if word in self.plurals:
            return self.plurals[word]
        if word.endswith("s") and word[:-1] in self.kinds:
            return word[:-1]
        units = self.words.get("units", ())
        if word not in units and word + "s" in units:
            return word + "s"
        return word

    def step_name(self, head: HeadInfo) -> str:
        return head.name if len(self.verbs[head.verb]) > 1 else head.verb

    def add(self, node: t.Node, source: Source) -> None:
        """File one top-level item."""
        if isinstance(node, t.Kind):
            self._add_kind(node, source)
        elif isinstance(node, t.Procedure):
            self._add_procedure(node, source)
        elif isinstance(node, t.Query):
            self.queries.setdefault(node.name, []).append(QueryInfo(node.receiver, node.name, node, source))
        elif isinstance(node, t.Order):
            self.orders[node.name] = node
        elif isinstance(node, t.Action):
            self._add_action(node, source, None, None, ())
        elif isinstance(node, t.Test):
            self.tests.append((node, source))
        elif isinstance(node, t.Change):
            self._change(node, source)
        elif isinstance(node, t.Hook | t.Forbid | t.Modify | t.While):
            self._add_rules((node,), source, None, None)
        elif isinstance(node, t.Line):
            self._add_line(node, source)

    def _kind(self, name: str, source: Source) -> KindInfo:
        if name not in self.kinds:
            self.kinds[name] = KindInfo(name, source)
        return self.kinds[name]

    def _add_kind(self, node: t.Kind, source: Source) -> None:
        info = self._kind(node.name, source)
        self._lineages.clear()
        info.parents = tuple(dict.fromkeys((*info.parents, *node.parents)))
        for line in node.block.lines if node.block else ():
            if isinstance(line, t.Field):
                info.fields[line.name] = FieldInfo(line.name, line.type, line.default, line.shows)
            elif isinstance(line, t.Query):
                self.queries.setdefault(line.name, []).append(QueryInfo(node.name, line.name, line, source))
            elif isinstance(line, t.Action):
                self._add_action(line, source, None, node.name, ())
            elif isinstance(line, t.Hook | t.Forbid | t.Modify | t.While):
                self._add_rules((line,), source, None, node.name)
            elif isinstance(line, t.Line):
                read_property(info, line)
        if info.plural:
            self.plurals[info.plural] = info.name

    def _add_procedure(self, node: t.Procedure, source: Source) -> None:
        info = HeadInfo(len(self.heads), node.verb, node.head, node, source)
        for line in node.block.lines if node.block else ():
            if not isinstance(line, t.Line) or line.block is not None:
                continue
            if line.word == "done" and isinstance(line.operand, t.Name | t.AllOf | t.Everyone):
                info.done = line.operand.name if isinstance(line.operand, t.Name) else "all"
            elif line.word == "one_by_one" and line.operand is None:
                info.one_by_one = True
            elif line.word == "mode" and isinstance(line.operand, t.Name):
                info.strict = line.operand.name == "strict"
            elif line.word == "period" and isinstance(line.operand, t.Name):
                info.period = line.operand.name
            elif line.word == "nests" and isinstance(line.operand, t.Number):
                info.nests = line.operand.value
            elif line.word == "text" and isinstance(line.operand, t.Text):
                info.text = line.operand.value
        self.heads.append(info)
        self.verbs.setdefault(node.verb, []).append(info)

    def _add_action(
        self, node: t.Action, source: Source, definition: str | None, kind: str | None, guards: tuple[t.Expression, ...]
    ) -> ActionInfo:
        info = ActionInfo(len(self.actions), node.name, node, source, definition, kind, guards)
        self.actions.append(info)
        return info

    def _add_rules(
        self, lines: Iterable[t.Node], source: Source, definition: str | None, kind: str | None, guards: tuple[t.Expression, ...] = ()
    ) -> None:
        for line in lines:
            if isinstance(line, t.While):
                self._add_rules(line.block.lines, source, definition, kind, (*guards, line.condition))
            elif isinstance(line, t.Hook | t.Forbid | t.Modify):
                self.rules.append(Rule(len(self.rules), line, source, definition, kind, guards))
            elif isinstance(line, t.Action):
                self._add_action(line, source, definition, kind, guards)

    def _add_line(self, node: t.Line, source: Source) -> None:
        name = node.operand.name if isinstance(node.operand, t.Name) else ""
        lines = node.block.lines if node.block else ()
        if node.word == "zone":
            self.zones[name] = _zone(name, node, source)
        elif node.word == "die":
            self.dice[name] = _values(node.arg("with"))
        elif node.word == "track":
            self.tracks[name] = Track(name, _values(node.arg("with")), node.kinds[0] if node.kinds else None)
        elif node.word == "words":
            known = self.words.get(name, ())
            self.words[name] = tuple(dict.fromkeys((*known, *(str(v) for v in _values(node.arg("with"))))))
        elif node.word == "map":
            said = {line.word: line.operand.name for line in lines if isinstance(line, t.Line) and isinstance(line.operand, t.Name)}
            block = node.block or t.Block((), span=node.span)
            self.maps.append(MapInfo(name, said.get("nodes", "place"), said.get("links", "place"), block, source))
        elif node.word == "mode":
            self.modes[name] = node
        elif node.word == "harm":
            self.harms[name] = tuple(line for line in lines if isinstance(line, t.Line))
        elif node.word == "hope":
            self.hopes[name] = tuple(line for line in lines if isinstance(line, t.Line))
        elif isinstance(node.operand, t.Text):
            self._define(node, node.operand.value, source)

    def _define(self, node: t.Line, title: str, source: Source) -> None:
        made = read_members(node, title, slug(title), source)
        if made.id[0].isdigit():
            made.id = f"{node.word}_{made.id}"
        self.definitions[made.id] = made
        self._file_members(made, node.block.lines if node.block else (), source)

    def _file_members(self, made: Definition, lines: Sequence[t.Node], source: Source) -> None:
        self._add_rules(lines, source, made.id, None)
        for line in lines:
            if isinstance(line, t.Query):
                self.queries.setdefault(line.name, []).append(QueryInfo(line.receiver, line.name, line, source, made.id))

    def _change(self, node: t.Change, source: Source) -> None:
        """Members and rows with the same key are replaced, the others stay."""
        made = self.definitions.get(slug(node.title or ""))
        if made is None:
            return
        changed = read_members(
            t.Line(node.kind, None, (), None, (), node.notes, node.block, None, span=node.span), made.title, made.id, source
        )
        made.values.update(changed.values)
        for row in changed.rows:
            made.rows = [old for old in made.rows if (old.keys, old.condition) != (row.keys, row.condition)] + [row]
        names = {line.name for line in node.block.lines if isinstance(line, t.Action)}
        self.actions = [a for a in self.actions if not (a.definition == made.id and a.name in names)]
        for place, action in enumerate(self.actions):
            action.index = place
        self._file_members(made, node.block.lines, source)


def _zone(name: str, node: t.Line, source: Source) -> Zone:
    holder = node.arg("for")
    zone = Zone(name, holder.name if isinstance(holder, t.Name) else None, source=source)
    for line in node.block.lines if node.block else ():
        if not isinstance(line, t.Line):
            continue
        said = line.operand.name if isinstance(line.operand, t.Name) else None
        if line.word == "holds":
            zone.holds = said
        elif line.word == "shows":
            zone.shows = "all" if isinstance(line.operand, t.Everyone) else said or "all"
        elif line.word in ("ordered", "shuffled", "mixed", "stack"):
            zone.order = line.word
        elif line.word == "limit":
            zone.limit = line.operand
        elif line.word == "renewed_from":
            zone.renewed_from = said
    return zone


def _values(node: t.Expression | None) -> tuple[int | str, ...]:
    """The values of a literal list or range."""
    if isinstance(node, t.Range) and isinstance(node.high, t.Number):
        return tuple(range(node.low, node.high.value + 1))
    found: list[int | str] = []
    for item in node.items if isinstance(node, t.ListOf) else ():
        if isinstance(item, t.Number):
            found.append(item.value)
        elif isinstance(item, t.Name):
            found.append(item.name)
    return tuple(found)


def declare(items: Iterable[tuple[t.Node, Source]]) -> Declarations:
    """File all items; kernel kinds come first."""
    table = Declarations()
    kernel = Source("kernel", "", 0, 0)
    for name in KERNEL_KINDS:
        table.kinds[name] = KindInfo(name, kernel)
    table.kinds["seat"].owns = True
    waiting: list[tuple[t.Node, Source]] = []
    for node, source in items:
        if isinstance(node, t.Change):
            waiting.append((node, source))
        else:
            table.add(node, source)
    for node, source in waiting:
        table.add(node, source)
    return table
