"""A look at an action before a trial: its announcement as one question, asked with the eyes of the seat that would act.

The answer is NO (the announcement cannot be made), YES (it can, and no strict line behind it can fail, the payment apart) or MAYBE (only
a trial can tell). An announcement that goes on into the ability that it uses is looked at to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nemesis.kernel.ledger import ability_used_up
from nemesis.kernel.signal import Unknown
from nemesis.kernel.trial import Trial
from nemesis.lower.scope import Scope
from nemesis.world.thing import Deed, Ref
from rulescript import tree as t
from rulescript.table.survey import children

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State

NO, MAYBE, YES = 0, 1, 2


class BlockLook:
    """Looks at blocks of strict lines."""

    program: Program
    address: str

    def function_of(self, lines: tuple[t.Node, ...], names: dict[str, str], params: list[str]) -> Callable[..., Any]:
        """The look at the lines of a block, given the names bound before it."""
        part = _Part(self, names)
        part.block(lines)
        text = "\n".join([f"def look({', '.join(['S', 'you', 'this', *params])}):", "    found = 0", *part.lines, "    return found"])
        return self.program.function(text, "look", self.address)

    def option(self, lines: tuple[t.Node, ...], names: dict[str, str]) -> str:
        """Python text that looks at one option of an `either`."""
        params = sorted({code for code in names.values() if code != "you"})
        self.program.counter += 1
        name = f"look_{self.program.counter}"
        self.program.namespace[name] = self.function_of(lines, dict(names), params)
        return f"{name}({', '.join(['S', 'you', 'this', *params])})"

    def sure(self, node: t.Node | None, moved: Callable[[t.Line], bool] | None = None) -> bool:
        """Whether a strict line can never turn out impossible."""
        program = self.program
        if program.strict_bans:
            return False  # a strict ban may be met in any consequence
        if node is None or isinstance(node, t.Let | t.Stop | t.Cancel | t.Expect):
            return True
        if isinstance(node, t.Until):
            return not any(isinstance(line, t.Forbid) and line.strict for line in node.block.lines)
        if isinstance(node, t.Block):
            return all(self.sure(line) for line in node.lines)
        if isinstance(node, t.If):
            return self.sure(node.then) and self.sure(node.otherwise)
        if isinstance(node, t.May):
            return self.sure(node.body) and self.sure(node.otherwise)
        if isinstance(node, t.Each | t.Repeat | t.Step):
            return self.sure(node.body if not isinstance(node, t.Step) else node.block)
        if isinstance(node, t.Choose):
            return (node.how in ("up_to", "any") and (node.otherwise is None or self.sure(node.otherwise))) or (
                node.otherwise is not None and self.sure(node.otherwise)
            )
        if isinstance(node, t.Line):
            if node.otherwise is not None:
                return self.sure(node.otherwise)
            if node.word == "move" and moved is not None:
                return moved(node)
            if node.word in program.table.verbs:
                return all(head.done == "none" for head in program.table.verbs[node.word])
            return node.word in ("set", "note", "shuffle", "renew", "hide", "roll", "win", "rows", "end_game")
        return False

class PaymentLook(BlockLook):
    """The look at the rule set's payment: whether so much can be paid for an ability."""

    def __init__(self, program: Program, verb: str) -> None:
        self.program = program
        head = program.table.verbs[verb][0]
        self.address = f"{head.source.pack}:look/{verb}"
        names: dict[str, str] = {}
        for word, binder in head.head.binders:
            names[binder.name] = {"by": "you", "for": "p_for", "with": "p_with"}.get(word, "None")
        self.plain = len(program.table.verbs[verb]) == 1 and not program.needs_event(head) and head.done != "none"
        lines = tuple(line for line in (head.node.block.lines if head.node.block else ()) if not program.is_header(line))
        self.function = self.function_of(lines, names, ["p_for", "p_with"])

    def verdict(self, S: State, deed: Deed, who: Ref, cost: int, seat: int) -> int:
        if not self.plain or S.lasting or self.program.modified_kinds:
            return MAYBE
        S.trial = Trial(seat, 0)
        try:
            return int(self.function(S, who, None, deed, cost))
        except Unknown:
            return MAYBE
        finally:
            S.trial = None


class Look(BlockLook):
    """The look at one action; made once, asked for every offer."""

    def __init__(self, program: Program, index: int) -> None:
        self.program = program
        self.action = program.actions[index]
        self.address = self.action.address
        names = {binder.name: "you" for word, binder in self.action.node.head.binders if word == "by"}
        program.namespace.setdefault("look_use", look_use)
        program.namespace.setdefault("look_place", look_place)
        self.touching: bool | None = None
        self.rests: dict[int, Callable[..., Any]] = {}
        self.function = self.function_of(self.action.node.block.lines, names, [])

    def rest(self, lead: int) -> Callable[..., Any]:
        """The look at what follows line `lead` of the announcement; its parameters are the names bound up to there."""
        found = self.rests.get(lead)
        if found is None:
            lines = self.action.node.block.lines
            bound = [line.name for line in lines[: lead + 1] if isinstance(line, t.Choose | t.Let)]
            names = {binder.name: "you" for word, binder in self.action.node.head.binders if word == "by"}
            names |= {name: f"v_{name}" for name in bound}
            found = self.function_of(lines[lead + 1 :], names, [f"v_{name}" for name in bound])
            self.rests[lead] = found
        return found

    def touches_itself(self) -> bool:
        """Whether the announcement asks about zones in which the card itself may lie: rules before its use may move it."""
        if self.touching is None:
            action, table = self.action, self.program.table
            kinds = table.definitions[action.definition].kinds if action.definition else (action.kind or "thing",)
            self.touching = reads_zone_of(self.program, action.node.block, kinds)
        return self.touching

    def verdict(self, S: State, deed: Deed, who: Ref, seat: int) -> int:
        """NO, MAYBE or YES, as far as the seat can see."""
        if self.action.node.notes.once and ability_used_up(S, self.action, deed.card, who):
            return NO
        if self.program.modified_kinds:
            return MAYBE  # what a thing counts as may hang on the running effect, and here none runs
        S.trial = Trial(seat, 0)
        try:
            return int(self.function(S, who, deed.card))
        except Unknown:
            return MAYBE
        finally:
            S.trial = None


def look_on(S: State, at: tuple[int, int, tuple[Any, ...]], f: Any, x: Any, seat: int) -> int:
    """The look at the rest of an announcement, with one candidate bound."""
    index, lead, values = at
    if S.program.modified_kinds:
        return MAYBE
    function = S.program.look(index).rest(lead)
    S.trial = Trial(seat, 0)
    try:
        return int(function(S, f.you, f.this, *values, x))
    except Unknown:
        return MAYBE
    finally:
        S.trial = None


def look_use(S: State, deed: Any, you: Any) -> int:
    """The look at an ability that an action would use."""
    if type(deed) is not Deed or type(you) is not Ref:
        return NO
    program = S.program
    action = program.actions[deed.action]
    if action.node.notes.once and ability_used_up(S, action, deed.card, you):
        return NO
    if action.node.head.binders:
        return MAYBE
    look = program.look(deed.action)
    if deed.card is not None and any(rule.timing == "before" for rule in program.hook_list("use", None)) and look.touches_itself():
        return MAYBE
    return int(look.function(S, you, deed.card))


def reads_zone_of(program: Program, node: t.Node, kinds: tuple[str, ...]) -> bool:
    """Whether some expression reads a zone that can hold a thing of these kinds, through questions as well."""
    table = program.table
    seen: set[str] = set()

    def fits(kind: str) -> bool:
        return any(program.overlap(table.singular(kind), own) for own in kinds if own in table.kinds)

    def reads(one: t.Node) -> bool:
        if isinstance(one, t.At) and isinstance(one.source, t.Name | t.AllOf):
            name = one.source.name if isinstance(one.source, t.Name) else one.source.kind
            if table.singular(name) in table.kinds and not fits(name):
                return reads(one.place) if not isinstance(one.place, t.Get | t.Your) else False
            return True
        member = one.member if isinstance(one, t.Get | t.Ask | t.Your) else one.name if isinstance(one, t.Function) else None
        if member is not None:
            zone = table.zones.get(member)
            if zone is not None and (zone.holds is None or fits(zone.holds)):
                return True
            if member not in seen:
                seen.add(member)
                if any(reads(info.node.block) for info in table.queries.get(member, ())):
                    return True
        return any(reads(inner) for inner in children(one))

    return reads(node)


def look_place(S: State, kind: str, n: Any, to: Any, you: Any, this: Any) -> int:
    """The look at a placing: room in the place, a thing in the pool, no live ban; MAYBE if something would replace it."""
    from nemesis.kernel.frame import Event
    from nemesis.kernel.matching import hits, rules_for
    from nemesis.kernel.verb_things import room_for

    program = S.program
    pool = program.world.pools.get(kind)
    if type(to) is not Ref or pool is None or (room := room_for(S, (kind,), to)) == 0:
        return NO
    things = tuple(sorted(S.inside[pool])[: n or 0])
    if not things:
        return MAYBE if kind in program.runs_out else NO
    args = {"n": n, "object": kind, "in": to, "0": things}
    event = Event("place", None, ("verb", "place"), args, -1, None)
    event.subjects, event.you, event.this = things, you, this
    event.rules = rules_for(S, "place", None, args)
    if S.lasting or any(rule.timing in ("instead", "before") for rule in event.rules):
        return MAYBE
    banned = {int(hit[4]) for hit in hits(S, event, "forbid", False) if hit[4] is not None}
    return NO if len(banned) == len(things) else YES if room is None or room > 0 else NO


class _Part:
    """Writes the look at one block: nested loops over what may be chosen, tests, and a verdict in the innermost place."""

    def __init__(self, look: BlockLook, names: dict[str, str]) -> None:
        self.look = look
        self.lines: list[str] = []
        self.loops = 0
        self.chosen: set[str] = set()
        self.writer = look.program.writer_class(look.program, Scope(python=names), checked=True, event="None")

    def pad(self) -> str:
        return "    " * (1 + self.loops)

    def block(self, lines: tuple[t.Node, ...]) -> None:
        lead = 0
        while lead < len(lines) and isinstance(lines[lead], t.Choose | t.Let | t.Require):
            lead += 1
        for at, node in enumerate(lines[:lead]):
            if not self.line(node):
                sure = at == lead - 1 and isinstance(node, t.Choose) and all(self.look.sure(line) for line in lines[at:])
                self.verdict(str(YES if sure else MAYBE))
                return
        rest = lines[lead:]
        while rest and isinstance(rest[0], t.Until) and self.only_adds(rest[0]):
            rest = rest[1:]
        first = rest[0] if rest else None
        behind = all(self.look.sure(line, self.moves) for line in rest[1:])
        if isinstance(first, t.Line) and first.word == "use" and first.operand is not None and first.arg("by") is None:
            found = f"look_use(S, {self.writer.value(first.operand)}, you)"
            self.verdict(found if behind else f"min({found}, {MAYBE})")
        elif isinstance(first, t.Either) and not first.keys:
            names = self.writer.scope.python
            texts: list[str] = []
            for option in first.options:
                inner = self.look.option(option.body.lines, names)
                texts.append(f"({inner} if {self.writer.value(option.condition)} else 0)" if option.condition is not None else inner)
            if first.otherwise is not None:
                texts.append(str(YES if self.look.sure(first.otherwise) else MAYBE))
            found = f"max({', '.join([*texts, '0'])})"
            self.verdict(found if behind else f"min({found}, {MAYBE})")
        elif isinstance(first, t.If):
            names = self.writer.scope.python
            then = self.look.option(first.then.lines, names)
            other = self.look.option(first.otherwise.lines, names) if first.otherwise is not None else str(YES)
            found = f"({then} if {self.writer.value(first.condition)} else {other})"
            self.verdict(found if behind else f"min({found}, {MAYBE})")
        elif behind and isinstance(first, t.Line) and first.word == "place" and (placed := self.placing(first)) is not None:
            self.verdict(placed)
        else:
            self.verdict(str(YES if behind and self.look.sure(first, self.moves) else MAYBE))

    def only_adds(self, node: t.Until) -> bool:
        """Whether an `until` block bans, bends and replaces nothing: what follows can be looked at as if it were not there."""
        return not self.look.program.strict_bans and all(
            isinstance(line, t.Hook) and (line.may or line.timing != "instead") for line in node.block.lines
        )

    def moves(self, node: t.Line) -> bool:
        """Whether `move x to zone` is sure: x was chosen before, nothing bans moving it, and the zone has no limit."""
        operand, to = node.operand, node.arg("to")
        table = self.writer.table
        if not isinstance(operand, t.Name) or operand.name not in self.chosen or not isinstance(to, t.Your | t.Get):
            return False
        zone = table.zones.get(to.member)
        rules = self.look.program.hook_list("move", None)
        return zone is not None and zone.limit is None and not any(rule.timing in ("forbid", "instead", "before") for rule in rules)

    def placing(self, node: t.Line) -> str | None:
        """A look at `place n kind in P`, if that is all there is to it."""
        operand, to = node.operand, node.arg("in")
        table = self.writer.table
        if not isinstance(operand, t.Quantity) or operand.unit is None or to is None or node.otherwise is not None:
            return None
        kind = table.singular(operand.unit)
        if kind not in table.kinds or self.writer.bound(operand.unit) or self.look.program.strict_bans:
            return None
        return f"look_place(S, {kind!r}, {self.writer.value(operand.amount)}, {self.writer.value(to)}, you, this)"

    def verdict(self, text: str) -> None:
        if text in ("1", "2"):
            self.lines.append(f"{self.pad()}return {text}")
            return
        self.lines.append(f"{self.pad()}found = max(found, {text})")
        self.lines.append(f"{self.pad()}if found == {YES}: return {YES}")

    def line(self, node: t.Node) -> bool:
        """Write one line of the announcement; no if the look ends here."""
        if isinstance(node, t.Require):
            self.lines.append(f"{self.pad()}if not ({self.writer.value(node.condition)}): {'continue' if self.loops else 'return 0'}")
            return True
        if isinstance(node, t.Let) and not isinstance(node.value, t.Usual):
            self.lines.append(f"{self.pad()}v_{node.name} = {self.writer.value(node.value)}")
            self.writer.scope.python[node.name] = f"v_{node.name}"
            return True
        if isinstance(node, t.Choose) and node.how == "one" and node.otherwise is None and not node.keys:
            source = self.writer.filtered(node.source, node.where) if node.where is not None else self.writer.set(node.source)
            self.lines.append(f"{self.pad()}for v_{node.name} in {source}:")
            self.loops += 1
            self.writer.scope.python[node.name] = f"v_{node.name}"
            self.chosen.add(node.name)
            return True
        if isinstance(node, t.Choose) and node.how == "exactly" and node.otherwise is None and not node.keys and node.number is not None:
            source = self.writer.filtered(node.source, node.where) if node.where is not None else self.writer.set(node.source)
            name = f"v_{node.name}"
            self.lines.append(f"{self.pad()}{name} = tuple({source})[: num({self.writer.value(node.number)})]")
            out = "continue" if self.loops else "return 0"
            self.lines.append(f"{self.pad()}if len({name}) < num({self.writer.value(node.number)}): {out}")
            self.writer.scope.python[node.name] = name
            self.chosen.add(node.name)
            return True
        return False
