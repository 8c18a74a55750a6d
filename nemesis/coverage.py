"""Which places of content have run: every line, every branch, conditions both ways.

A `Coverage` lists the places of some packs from their trees, and notes which of them the programs that it watches reach. The
writers of `nemesis.lower` put a mark at each place while a program is watched, and nothing at all otherwise.

What a place is, by its `way`:
* `ran`: a line of a body, question or `until` block; an empty block (`else { }`, `instead of p { }`); a modifier that applied;
* `not`: a condition that did not hold where no line says so: an `if` or `try` without `else`, the `if` of a rule, row, option or modifier;
* `refused`: a `require` that did not hold, in play or when an ability was looked at or tried before it was offered;
* `met`: a ban that applied; `declined`: a `may` that was not taken;
* `yes`, `no`: the answers of a flag that is computed (`give any x`, `modify this.f = (a and b)`).
Headers, field values, orders, and the words of a pattern are no places. Questions and bans count whenever they are asked, all else in play
only: what runs in a trial is taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from nemesis.kernel.rule import conjuncts, own_card
from nemesis.lower.calls import HEADER_WORDS
from rulescript import tree as t
from rulescript.table.definition import Source
from rulescript.table.survey import walk

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State

# Places are numbered from here on: generated code names blocks by small numbers, and some lines are read for them.
FIRST = 1_000_000
SORTS: tuple[tuple[tuple[type[t.Node], ...], str], ...] = (
    ((t.Procedure,), "procedure"), ((t.Query,), "query"), ((t.Action,), "action"), ((t.Kind,), "kind"),
    ((t.Hook, t.Forbid, t.Modify, t.While), "rule"),
)  # fmt: skip
Key = tuple[str, int, int, str]


@attrs.frozen
class Place:
    """Something that can be reached: where it stands, which way it went there, and in what.

    `path` is the file as it was read, `file` its name in the pack. `sort` is the word of the definition that it stands in (whatever the
    packs call their cards), else `procedure`, `query`, `action`, `kind` or `rule`; `title` names the item.
    """

    pack: str
    file: str
    line: int
    column: int
    way: str
    sort: str
    title: str
    path: str

    @property
    def where(self) -> str:
        """`file:line:column`, with the way if it is not plainly `ran`."""
        return f"{self.path}:{self.line}:{self.column}{'' if self.way == 'ran' else f' ({self.way})'}"


@attrs.frozen
class Share:
    """How many places of a group were reached."""

    reached: int
    places: int

    @property
    def text(self) -> str:
        """`12 of 16, 75.0 %`; the part is cut, never rounded up."""
        return f"{self.reached} of {self.places}, {int(1000 * self.reached / max(self.places, 1)) / 10:.1f} %"


class Coverage:
    """The places of some items, and those that were reached.

    >>> from rulescript.syntax.parse import parse_text
    >>> items = parse_text("procedure sing by seat { if any card { note \\"la\\" } }", "a.nrs", cached=False).items
    >>> [place.where for place in Coverage((item.node, Source("my/pack", "a.nrs", 0, 1)) for item in items).places]
    ['a.nrs:1:26', 'a.nrs:1:40', 'a.nrs:1:26 (not)']
    """

    def __init__(self, items: Iterable[tuple[t.Node, Source]]) -> None:
        listed = list(items)
        self.places: list[Place] = []
        self._numbers: dict[Key, int] = {}
        self._reached: set[int] = set()
        self._verbs = {node.verb for node, _ in listed if isinstance(node, t.Procedure)}
        self._flags = {
            one.name for node, _ in listed for one in walk(node) if isinstance(one, t.Query | t.Field) and one.type.name == "flag"
        }
        for node, source in listed:
            self._item(node, source)

    # ---- the places ----------------------------------------------------------------------------------------------------
    def _item(self, node: t.Node, source: Source) -> None:
        sort, title = sort_and_title(node)
        if isinstance(node, t.Test):
            return
        for one, way in self._member(node):
            key = (one.span.file, one.span.line, one.span.column, way)
            if key not in self._numbers:
                self._numbers[key] = FIRST + len(self.places)
                self.places.append(Place(source.pack, source.file, one.span.line, one.span.column, way, sort, title, one.span.file))

    def _member(self, node: t.Node) -> Iterator[tuple[t.Node, str]]:
        """The places of an item, or of what stands in one."""
        if isinstance(node, t.Procedure | t.Action):
            if node.block is not None:
                yield from self._block(node.block)
        elif isinstance(node, t.Query):
            yield from self._block(node.block, node.type.name == "flag")
        elif isinstance(node, t.Hook | t.Forbid | t.Modify):
            yield from self._rule(node)
        elif isinstance(node, t.Row):
            yield from self._row(node, False)
        elif isinstance(node, t.Kind | t.Change | t.While | t.Line):
            for line in node.block.lines if node.block is not None else ():
                if not isinstance(line, t.Line):
                    yield from self._member(line)

    def _rule(self, node: t.Hook | t.Forbid | t.Modify) -> Iterator[tuple[t.Node, str]]:
        if isinstance(node, t.Hook):
            yield from self._block(node.block)
            if node.may:
                yield node, "declined"
        elif isinstance(node, t.Forbid):
            yield node, "met"
        elif self.computes_flag(node):
            yield node, "yes"
            yield node, "no"
        else:
            yield node, "ran"
        if any(isinstance(node, t.Modify) or not own_card(part, node.pattern) for part in conjuncts(node.condition)):
            yield node, "not"

    def _row(self, node: t.Row, flag: bool) -> Iterator[tuple[t.Node, str]]:
        yield from self._block(node.block, flag)
        if node.condition is not None:
            yield node, "not"

    def _block(self, block: t.Block, flag: bool = False) -> Iterator[tuple[t.Node, str]]:
        lines = [line for line in block.lines if not self._is_header(line)]
        if not lines:
            yield block, "ran"
        for line in lines:
            yield from self._line(line, flag)

    def _line(self, node: t.Node, flag: bool) -> Iterator[tuple[t.Node, str]]:
        if isinstance(node, t.Step):
            yield from self._block(node.block)
            return
        yield node, "ran"
        if isinstance(node, t.Give) and flag and not isinstance(node.value, t.Flag | t.Usual):
            yield node, "yes"
            yield node, "no"
        if isinstance(node, t.Require):
            yield node, "refused"
        if isinstance(node, t.Match):
            for row in node.rows:
                yield from self._row(row, flag)
        if isinstance(node, t.Either):
            for option in node.options:
                yield from self._block(option.body, flag)
                if option.condition is not None:
                    yield option, "not"
        if isinstance(node, t.Until):
            for rule in node.block.lines:
                yield from self._member(rule)
        for inner in (getattr(node, "then", None), getattr(node, "body", None), getattr(node, "otherwise", None)):
            if isinstance(inner, t.Block):
                yield from self._block(inner, flag)
        if isinstance(node, t.If | t.Try) and node.otherwise is None:
            yield node, "not"
        if isinstance(node, t.May) and node.otherwise is None:
            yield node, "declined"

    def _is_header(self, node: t.Node) -> bool:
        return isinstance(node, t.Line) and node.word in HEADER_WORDS and node.block is None and node.word not in self._verbs

    def computes_flag(self, node: t.Modify) -> bool:
        """Whether a modifier replaces a flag by something that is asked."""
        return node.op == "=" and node.member in self._flags and not isinstance(node.value, t.Flag)

    # ---- what the writers and the kernel ask -----------------------------------------------------------------------------
    def number(self, node: t.Node, way: str) -> int:
        """The number of a place, 0 if it is none."""
        return self._numbers.get((node.span.file, node.span.line, node.span.column, way), 0)

    def watch(self, program: Program) -> None:
        """Note what runs in a program that has not lowered anything yet."""
        program.watch = self
        program.namespace.update(ran=self.ran, held=self.held, asked=self.asked)

    def ran(self, S: State, number: int) -> None:
        """A line has come to its turn."""
        if S.trial is None:
            self._reached.add(number)

    def held(self, S: State, yes: int, no: int, value: Any) -> Any:
        """A condition was asked in play; gives its value back."""
        if S.trial is None:
            self._reached.add(yes if value else no)
        return value

    def asked(self, yes: int, no: int, value: Any = True) -> Any:
        """Something was asked, in play or in a trial; gives its value back."""
        self._reached.add(yes if value else no)
        return value

    def declined(self, S: State, nodes: Iterable[t.Node]) -> None:
        """Rules were offered, and none of them was wanted."""
        if S.trial is None:
            self._reached.update(self.number(node, "declined") for node in nodes)

    # ---- what came of it -------------------------------------------------------------------------------------------------
    @property
    def reached(self) -> frozenset[int]:
        """Numbers of the places reached so far; the same packs number alike in every process."""
        return frozenset(self._reached - {0})

    def add(self, reached: Iterable[int]) -> None:
        """Take over what another run, perhaps in another process, has reached."""
        self._reached.update(reached)

    def missed(self) -> list[Place]:
        """The places that were not reached, in the order of files and lines."""
        return [place for number, place in enumerate(self.places, FIRST) if number not in self._reached]

    @property
    def text(self) -> str:
        """`lines and branches reached: 12 of 16, 75.0 %`."""
        return f"lines and branches reached: {Share(len(self.places) - len(self.missed()), len(self.places)).text}"

    def shares(self, group: Callable[[Place], str]) -> dict[str, Share]:
        """How much of each group was reached, by the group's name."""
        every = Counter(group(place) for place in self.places)
        missed = Counter(group(place) for place in self.missed())
        return {name: Share(count - missed[name], count) for name, count in sorted(every.items())}


def sort_and_title(node: t.Node) -> tuple[str, str]:
    """What kind of item a top-level node is, and its name."""
    if isinstance(node, t.Change):
        return node.kind, node.title or ""
    if isinstance(node, t.Line):
        return node.word, getattr(node.operand, "value", None) or getattr(node.operand, "name", None) or ""
    for kinds, sort in SORTS:
        if isinstance(node, kinds):
            name = getattr(node, "name", None) or getattr(node, "verb", None) or getattr(node, "label", None)
            return sort, name or node.span.where
    return "", ""
