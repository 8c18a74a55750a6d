"""Writes looks: the lines of a block as nested loops over what may be chosen, tests, and a verdict in the innermost place.

In strict lines whatever fails makes the whole impossible; a lenient procedure that is `done some` is done once a line of it changed
something, and one that is `done all` once none of its lines failed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from nemesis.kernel.look_reach import Reach, moved_kinds
from nemesis.kernel.verdict import MAYBE, NO, OPEN, YES
from nemesis.lower.calls import CallWriter
from nemesis.lower.scope import Scope
from nemesis.lower.sure import SureLines
from nemesis.lower.watched import asked
from rulescript import tree as t
from rulescript.table.survey import walk

if TYPE_CHECKING:
    from nemesis.kernel.look import BlockLook

LONGEST = 40


class OutOfSight(Exception):
    """A blind look has come to a question that it must not ask."""


class LookWriter(SureLines, CallWriter):
    """The text of one look."""

    def __init__(self, look: BlockLook, names: dict[str, str], types: dict[str, t.TypeRef], blind: Reach | None = None) -> None:
        self.look = look
        self.blind = blind
        self.paid = look.verb is not None
        self.program = program = look.program
        self.table = program.table
        self.scope = Scope(python=names, types=types)
        self.e = program.writer_class(program, self.scope, checked=True, event="None")
        self.strict, self.done = look.strict, look.done
        self.text: list[str] = []
        self.loops = 0
        self.chosen: set[str] = set()
        self.left = LONGEST

    # ---- text --------------------------------------------------------------------------------------------------------
    def add(self, text: str) -> None:
        self.text.append("    " * (1 + self.loops) + text)

    def read(self, node: t.Expression) -> t.Expression:
        """An expression that the look asks. Raises `OutOfSight` in a blind look that must not."""
        if self.blind is not None and self.blind.reads(node):
            raise OutOfSight
        self.look.read.append(node)
        if self.paid:
            self.look.late.append(node)
        return node

    def value(self, node: t.Expression) -> str:
        return self.e.value(self.read(node))

    def you_code(self) -> str:
        return "you"

    def verdict(self, text: str) -> None:
        """The end of one way through the block."""
        if not self.loops:
            self.add(f"return {text}")
            return
        if text != str(NO):
            self.add(f"found = max(found, {text})")
            self.add(f"if found == {YES}: return {YES}")
        self.add("continue")

    def failed(self) -> str:
        """What ends a way through the block on which a line failed."""
        return "continue" if self.loops else f"return {NO}"

    # ---- lines -------------------------------------------------------------------------------------------------------
    def lines(self, lines: tuple[t.Node, ...]) -> None:
        """The look at the lines of a block, from the first on."""
        try:
            self.follow(lines)
        except OutOfSight:
            self.verdict(str(MAYBE))

    def follow(self, lines: tuple[t.Node, ...]) -> None:
        for at, node in enumerate(lines):
            self.left -= 1
            if self.left < 0:
                self.verdict(str(MAYBE))
                return
            if self.program.is_header(node) or (isinstance(node, t.Until) and self.only_adds(node)):
                continue
            if self.binds(node):
                continue
            self.step(node, lines[at + 1 :])
            return
        self.ended()

    def ended(self) -> None:
        """Nothing is left to do on this way, and nothing was done."""
        self.verdict(str(YES if self.done != "some" else MAYBE if self.strict else NO))

    def binds(self, node: t.Node) -> bool:
        """Write a line that only asks or chooses; no if the look at this block goes no further by such lines."""
        if isinstance(node, t.Require):
            if not self.strict and self.done == "all":
                return False
            self.add(f"if not ({asked(self.program, node, self.value(node.condition))}): {self.failed()}")
            return True
        if isinstance(node, t.Let) and not isinstance(node.value, t.Usual):
            self.add(f"v_{node.name} = {self.value(node.value)}")
            self.scope.python[node.name] = f"v_{node.name}"
            return True
        if not isinstance(node, t.Choose) or node.otherwise is not None:
            return False
        if node.keys:
            return self.chosen_by(node)
        if node.how == "one":
            # One candidate after the other: the first that surely can be chosen spares the tests of the rest.
            self.add(f"for v_{node.name} in {self.candidates(node, lazy=True)}:")
            self.loops += 1
            self.scope.python[node.name] = f"v_{node.name}"
            self.chosen.add(node.name)
            return True
        if node.how == "exactly" and node.number is not None and (self.strict or self.done == "some"):
            name, number = f"v_{node.name}", self.value(node.number)
            self.add(f"{name} = tuple({self.candidates(node)})[: num({number})]")
            fewer = f"len({name}) < num({number})" if self.strict else f"not {name}"
            self.add(f"if {fewer}: {self.failed()}")
            self.scope.python[node.name] = name
            self.chosen.add(node.name)
            return True
        return False

    def chosen_by(self, node: t.Choose) -> bool:
        """A choice that somebody named makes: if that is another seat and there is a choice, a trial ends there."""
        decider = self.decider(node.keys) if len(node.keys) == 1 and node.how == "one" and self.strict else None
        if decider is None or decider in ("'policy'", "'chance'"):
            return False
        self.read(node.keys[0].value)
        self.add(f"some = tuple({self.candidates(node)})")
        self.add(f"part = look_choice(S, {decider}, some)")
        self.leave_with("part", "part")
        self.add(f"for v_{node.name} in some:")
        self.loops += 1
        self.scope.python[node.name] = f"v_{node.name}"
        self.chosen.add(node.name)
        return True

    def candidates(self, node: t.Choose, *, lazy: bool = False) -> str:
        if node.where is None:
            return self.e.set(self.read(node.source))
        self.read(node.where)
        return self.e.filtered(self.read(node.source), node.where, lazy=lazy)

    def step(self, node: t.Node, rest: tuple[t.Node, ...]) -> None:
        """The first line that does something, and with it the verdict."""
        self.paid = self.paid or not (isinstance(node, t.Line) and node.word == "use")
        if isinstance(node, t.Step) and not self.hooked_step(node):
            self.lines((*node.block.lines, *rest))
        elif isinstance(node, t.Stop) and (node.target is None or node.target == self.look.verb) and self.look.verb is not None:
            self.ended()
        elif isinstance(node, t.If):
            then = self.branch((*node.then.lines, *rest))
            other = self.branch((*(node.otherwise.lines if node.otherwise is not None else ()), *rest))
            self.verdict(f"({then} if {self.value(node.condition)} else {other})")
        elif isinstance(node, t.Either) and not node.keys and self.strict:
            texts = []
            for option in node.options:
                inner = self.branch((*option.body.lines, *rest))
                texts.append(f"({inner} if {self.value(option.condition)} else 0)" if option.condition is not None else inner)
            if node.otherwise is not None:
                texts.append(str(YES if self.sure(node.otherwise) and all(self.sure(line, self.moves) for line in rest) else MAYBE))
            self.verdict(f"max({', '.join([*texts, '0'])})")
        elif self.strict:
            self.strict_step(node, rest)
        elif isinstance(node, t.Each) and self.each_of(node):
            self.add(f"if found: return {self.settled('found', rest)}")
            self.follow(rest)
        else:
            self.lenient_step(node, rest)

    def strict_step(self, node: t.Node, rest: tuple[t.Node, ...]) -> None:
        behind = all(self.sure(line, self.moves) for line in rest)
        found = str(YES) if self.done != "some" and self.sure(node, self.moves) else self.effect(node) or str(MAYBE)
        if behind or found in (str(NO), str(MAYBE)) or not self.apart(node, rest):
            self.verdict(found if behind or found in (str(NO), str(MAYBE)) else f"look_cap({found})")
            return
        self.add(f"part = {found}")
        self.add(f"if not part: {self.failed()}")
        self.leave_with("part", f"part != {YES}")
        self.follow(rest)

    def lenient_step(self, node: t.Node, rest: tuple[t.Node, ...]) -> None:
        found = self.effect(node)
        if found is None:
            self.verdict(str(MAYBE))
        elif self.done == "some":
            self.add(f"part = {found}")
            self.leave_with(self.settled("part", rest), "part")
            self.follow(rest)
        else:
            behind = all(self.program.is_header(line) or self.sure_done(line) for line in rest)
            self.verdict(found if behind else f"look_cap({found})")

    def each_of(self, node: t.Each) -> bool:
        """Write a loop that is done once one of its turns is; no if a turn may end more than itself, or stands in a loop already."""
        ends = any(isinstance(one, t.Stop | t.Cancel | t.Usual) for one in walk(node.body))
        if self.loops or self.done != "some" or ends or node.name is None or node.notes.secret:
            return False
        names = dict(self.scope.python)
        source = (
            self.e.filtered(self.read(node.source), self.read(node.where)) if node.where is not None else self.e.set(self.read(node.source))
        )
        self.add(f"for v_{node.name} in {source}:")
        self.loops += 1
        self.scope.python[node.name] = f"v_{node.name}"
        self.follow(node.body.lines)
        self.loops -= 1
        self.scope.python = names
        return True

    def leave_with(self, found: str, test: str) -> None:
        """End this way through the block with a verdict if a test holds."""
        if not self.loops:
            self.add(f"if {test}: return {found}")
            return
        self.add(f"if {test}: found = max(found, {found})")
        self.add(f"if {test}: continue")

    def apart(self, node: t.Node, rest: tuple[t.Node, ...]) -> bool:
        """Whether what a line does cannot matter to a look at what follows: it moves things of kinds whose zones that does not read."""
        if not isinstance(node, t.Line) or node.word not in self.table.verbs:
            return False
        heads = self.program.heads_for(node.word, self.object_word(node))
        kinds = moved_kinds(self.program, heads[0].node.block) if len(heads) == 1 else None
        if kinds is None:
            return False
        reach = Reach(self.program, kinds)
        tried = self.look.again()
        writer = LookWriter(tried, dict(self.scope.python), dict(self.scope.types))
        writer.left, writer.paid = self.left // 2, True
        writer.follow(rest)
        return not reach.of_look(tried)

    def settled(self, part: str, rest: tuple[t.Node, ...]) -> str:
        """The verdict once a line has changed something: nothing behind may make the whole impossible."""
        return part if all(self.never_fails(line) for line in rest) else f"look_cap({part})"

    def branch(self, lines: tuple[t.Node, ...]) -> str:
        """Python text that looks at one of several ways on."""
        program = self.program
        if self.left <= 0:
            return str(MAYBE)
        params = sorted({code for code in self.scope.python.values() if code.isidentifier() and code not in ("you", "None")})
        inner = LookWriter(self.look, dict(self.scope.python), dict(self.scope.types), self.blind)
        inner.left, inner.chosen, inner.paid = self.left // 2, set(self.chosen), self.paid
        inner.lines(lines)
        head = ", ".join(["S", "you", "this", *params])
        program.counter += 1
        name = f"look_{program.counter}"
        text = "\n".join([f"def look({head}):", "    found = 0", *inner.text, "    return found"])
        program.namespace[name] = program.function(text, "look", self.look.address)
        return f"{name}({head})"

    def hooked_step(self, node: t.Step) -> bool:
        table = self.table
        verb = self.look.verb
        names = {table.step_name(head) for head in table.verbs.get(verb or "", ())}
        return verb is None or any(self.program.step_hooked(name, node.name) for name in names)

    # ---- what a line does --------------------------------------------------------------------------------------------
    def effect(self, node: t.Node) -> str | None:
        """Python text of the verdict on one line by itself; None where only a trial can tell."""
        if not isinstance(node, t.Line) or node.otherwise is not None or node.block is not None:
            return None
        if node.word == "use" and node.operand is not None and node.arg("by") is None and self.strict:
            return f"look_use(S, {self.value(node.operand)}, you)"
        if node.word in self.table.verbs:
            return self.called(node)
        if node.word not in ("return", "remove", "move", "draw", "place", "set", "raise", "lower", "roll"):
            return None
        if node.word == "place":
            return self.placing(node)
        if self.replaced(node.word, self.operand_kinds(node)):
            return None
        if node.word in ("set", "raise", "lower"):
            return self.writing(node)
        if node.word == "roll":
            return str(OPEN)
        if node.operand is not None:
            self.read(node.operand)
        for _, value in node.args:
            self.read(value)
        args = self.primitive_args(node)
        if node.word in ("return", "remove"):
            return f"look_some({args['0']})" if "0" in args else None
        to = args.get("to", args.get("in"))
        if to is None:
            return None
        if node.word == "move":
            return f"look_move(S, {args['0']}, {to}, {args.get('end', 'False')})" if "0" in args else None
        return f"look_draw(S, {args.get('n', '1')}, {args['from']}, {to})" if "from" in args and not self.renews(node) else None

    def replaced(self, word: str, kinds: tuple[str, ...] | None) -> bool:
        """Whether some rule may ban, replace or come before a verb done to these kinds."""
        program = self.program
        if not program.primitive_hooked(word, kinds):
            return False
        rules = [rule for rule in program.hook_list(word, None) if rule.timing != "after"]
        masks = [program.world.mask(kind) for kind in kinds or ()]
        return any(
            rule.mask is None or not masks or any(a and b for mask in masks for a, b in zip(rule.mask, mask, strict=True)) for rule in rules
        )

    def writing(self, node: t.Line) -> str | None:
        target = node.operand
        if not isinstance(target, t.Your | t.Get):
            return None
        track = self.e.track_of(target)
        base, member = self.target(target)
        if member is None or self.program.field_hooked(node.word, member):
            return None
        if node.word == "set" and self.strict and self.done != "some":
            return str(YES)
        self.read(target)
        amount = node.arg("to") if node.word == "set" else node.arg("by")
        value = "1" if amount is None else self.e.value(self.read(amount), self.field_want(target))
        address = self.program.field_code(member)
        if node.word == "set":
            return None if track is not None else f"look_set(S, {address}, {base}, {value})"
        length = len(self.table.tracks[track].values) if track is not None else 0
        return f"look_shift(S, {address}, {base}, {'-' if node.word == 'lower' else ''}num({value}), {length})"

    def called(self, node: t.Line) -> str | None:
        """The look into a procedure."""
        program = self.program
        heads = program.heads_for(node.word, self.object_word(node))
        if len(heads) != 1 or heads[0].one_by_one or program.strict_bans:
            return None
        head = heads[0]
        rules = [rule for rule in program.hook_list(head.verb, None) if rule.timing != "after"] if program.needs_event(head) else []
        if rules or any(word not in program.slots_of(head) for word, _ in node.args):
            return None
        if head.done == "none" and not head.strict:
            return str(YES) if self.head_never_fails(head, set()) else None
        if self.blind is not None and self.blind.of_call(head):
            raise OutOfSight
        self.look.called.append(head)
        if node.operand is not None:
            self.read(node.operand)
        for _, value in node.args:
            self.read(value)
        args = self.arguments(node, heads)
        values = ", ".join(args.get(name, "None") for name in program.slots_of(head))
        return f"look_call(S, {program.use_head(head)}, you, this, [{values}])"

    def placing(self, node: t.Line) -> str | None:
        """A look at `place n kind in P`, if that is all there is to it."""
        operand, to = node.operand, node.arg("in")
        if not isinstance(operand, t.Quantity) or operand.unit is None or to is None:
            return None
        kind = self.table.singular(operand.unit)
        if kind not in self.table.kinds or self.e.bound(operand.unit) or self.program.strict_bans or len(node.args) > 1:
            return None
        return f"look_place(S, {kind!r}, {self.value(operand.amount)}, {self.value(to)}, you, this)"
