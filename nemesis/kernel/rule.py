"""Rules of the loaded packs, filed by what they hook; their tests and bodies are written when first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import attrs

from nemesis.kernel.code import _USES, Code
from nemesis.kernel.holder import Holder
from nemesis.kernel.reading import owner
from nemesis.lower.pattern import Matched, bind_types, event_verb
from nemesis.lower.scope import Scope
from nemesis.lower.watched import asked, held, modifies, question_ran
from nemesis.world.thing import Deed, Ref, Value
from rulescript import tree as t
from rulescript.table.definition import Source

if TYPE_CHECKING:
    from nemesis.kernel.frame import Event
    from nemesis.kernel.program import Program
    from nemesis.state import State
    from rulescript.table.survey import Survey


def conjuncts(node: t.Expression | None) -> Iterator[t.Expression]:
    """The parts of a condition that must all hold."""
    if isinstance(node, t.And):
        for part in node.items:
            yield from conjuncts(part)
    elif node is not None:
        yield node


def own_card(node: t.Expression, pattern: t.Pattern) -> bool:
    """Whether a test says that the ability of the pattern is written in the rule's own card: `deed.card = this`."""
    if not (isinstance(node, t.Compare) and node.op == "=") and not (isinstance(node, t.Is) and not node.negated):
        return False
    name = getattr(pattern.operand, "name", None)
    sides = (node.left, node.right)
    card = any(isinstance(one, t.Get) and one.member == "card" and isinstance(one.base, t.Name) and one.base.name == name for one in sides)
    return card and any(isinstance(one, t.Name) and one.name == "this" for one in sides)


@attrs.define(eq=False)
class Variant:
    """A rule written for one surrounding: tests, condition and body."""

    match: Callable[..., Any]
    condition: Callable[..., Any] | None
    code: Code | None


class Guarded:
    """Something that stands in `while` blocks: it lives only while all their guards hold."""

    program: Program
    address: str
    guards: tuple[t.Expression, ...]
    guard_functions: dict[bool, Callable[..., Any]] | None = None

    def guarded(self, S: State, this: Value, you: Value) -> bool:
        """Whether the guards hold for a holder and its owner now."""
        if not self.guards:
            return True
        checked = S.trial is not None
        if self.guard_functions is None:
            self.guard_functions = {}
        function = self.guard_functions.get(checked)
        if function is None:
            function = self.guard_functions[checked] = guard_code(self.program, self.guards, self.address, checked)
        return bool(function(S, you, this))


@attrs.define(eq=False)
class HookRule(Guarded):
    """One hook or ban."""

    program: Program
    index: int
    node: t.Hook | t.Forbid
    verb: str
    step: str | None
    action: str | None
    source: Source
    address: str
    holder: Holder
    guards: tuple[t.Expression, ...]
    unit: Code | None = None
    captured: Scope | None = None
    batch: bool = False
    asks_did: bool = False
    variants: dict[tuple[int, bool], Variant] = attrs.field(factory=dict)
    timing: str = ""
    may: bool = False
    mask: bytes | None = None
    word: str | None = None
    of_card: bool = False

    def __attrs_post_init__(self) -> None:
        node = self.node
        self.of_card = self.holder.things is not None and any(own_card(part, node.pattern) for part in conjuncts(node.condition))
        self.timing = node.timing if isinstance(node, t.Hook) else "forbid"
        self.may = isinstance(node, t.Hook) and node.may
        operand = node.pattern.operand
        table = self.program.table
        name = None
        if isinstance(operand, t.NamedArg | t.MarkedArg) and operand.type.mark != "?":
            name = operand.type.name
        elif isinstance(operand, t.Quantity):
            name = operand.unit
        elif isinstance(operand, t.Name) and (self.captured is None or self.captured.code(operand.name) is None):
            name = operand.name
        kind = table.singular(name) if name else None
        if kind in table.kinds and kind != "ability" and not self.program.modified_kinds:
            self.mask = self.program.world.mask(kind or "")
            self.word = kind
        elif kind in table.words.get("units", ()):
            self.word = kind

    def may_fit(self, args: dict[str, Any]) -> bool:
        """A quick look whether the rule can be about an event with these arguments at all."""
        if self.action is not None:
            deed = args.get("0")
            return type(deed) is Deed and self.program.actions[deed.action].name == self.action
        word = self.word
        if word is None:
            return True
        about = args.get("object")
        if about is not None:
            return self.program.word_below(str(about), word)
        mask = self.mask
        if mask is None:
            return False
        x = args.get("0")
        if type(x) is Ref:
            return bool(mask[x])
        if type(x) is tuple:
            return any(type(one) is not Ref or mask[one] for one in x)
        return True

    def holders(self, program: Program, S: State, event: Event) -> list[Value]:
        """The things through which the rule lives now and may be about an event."""
        if not self.of_card:
            return self.holder.live(program, S)
        deed = event.args.get("0")
        card = deed.card if type(deed) is Deed else None
        if card is None or self.holder.things is None or card not in self.holder.things:
            return []
        return [x for x in self.holder.live(program, S) if x == card]

    @property
    def label(self) -> str | None:
        return self.node.label

    @property
    def strict(self) -> bool:
        return isinstance(self.node, t.Forbid) and self.node.strict

    @property
    def because(self) -> str:
        return self.node.notes.because or ""

    def you(self, S: State, this: Value, event_you: Value) -> Value:
        if this is None:
            return event_you
        mine: Value = owner(S, this)
        if mine is None and type(this) is Ref and self.program.owns[this]:
            return this
        return mine

    def variant(self, outer: Code | None, checked: bool) -> Variant:
        key = (-1 if outer is None else outer.number, checked)
        found = self.variants.get(key)
        if found is None:
            found = self._write(outer, checked)
            self.variants[key] = found
        return found

    def _write(self, outer: Code | None, checked: bool) -> Variant:
        program, node = self.program, self.node
        scope = Scope()
        if self.captured is not None and self.unit is not None:
            scope = Scope(dict(self.captured.slots), dict(self.captured.types), self.captured.outer, {}, self.unit.ready())
        if outer is not None:
            outer.ready()
            names = Scope(dict(outer.names), dict(outer.scope.types), None, {}, outer.size)
            for name in names.slots:
                if name in scope.slots:
                    del scope.slots[name]
            scope.outer = names
        writer = program.writer_class(program, scope, checked=checked, event="ev")
        matched = writer.match(node.pattern, after=self.timing == "after")
        binds = bind_types(scope, matched)
        condition = writer.value(node.condition) if node.condition is not None else None
        if condition is not None:
            banned = isinstance(node, t.Forbid)
            condition = asked(program, node, condition, "met", "not") if banned else held(program, node, condition)
        code = None
        if isinstance(node, t.Hook):
            plain = self.variants.get((-1 if outer is None else outer.number, not checked))
            step_verb = None
            if outer is not None:
                step_verb = outer.step_verb
            elif self.verb in program.table.verbs:
                step_verb = self.verb
            code = plain.code if plain is not None and plain.code is not None else Code(
                program, self.address, node.block, scope, cites=node.notes.cites, step_verb=step_verb,
                key=("rule", self.index, outer.key if outer is not None else None), item=self.source.hash,
            )  # fmt: skip
            size = code.ready()
        else:
            size = scope.size
        match = self._match_function(matched, binds, size, outer is not None, checked)
        test = None
        if condition is not None:
            test = _function(program, "c", "S, ev, L, you, this", [f"return {condition}"], outer is not None, self.address)
        return Variant(match, test, code)

    def _match_function(self, matched: Matched, binds: list[str], size: int, outer: bool, checked: bool) -> Callable[..., Any]:
        tests = list(matched.tests)
        if self.action is not None:
            tests.insert(0, f"is_word(S, A.get('0'), {self.action!r})")
        lines = []
        if self.captured is not None:
            lines.append(f"L = L0 + [None] * ({size} - len(L0))")
        if tests:
            lines.append(f"if not ({' and '.join(tests)}): return None")
        if self.captured is None:
            lines.append(f"L = [None] * {size}")
        lines.extend(binds)
        if isinstance(self.node, t.Forbid) and self.node.condition is None:
            lines.extend(question_ran(self.program, self.node, "met"))
        lines.append("return L")
        return _function(self.program, "m", "S, ev, A, X, you, this, L0", lines, outer, self.address)


@attrs.define(eq=False)
class ModifyRule(Guarded):
    """A modifier of a question: `op` applied to what lies below it."""

    program: Program
    index: int
    node: t.Modify
    source: Source
    address: str
    holder: Holder
    guards: tuple[t.Expression, ...]
    captured: Scope | None = None
    functions: dict[bool, tuple[Callable[..., Any], Callable[..., Any] | None]] = attrs.field(factory=dict)

    def _want(self) -> str | None:
        """Whether the question's answer is a word, so that a kind's name is meant as one."""
        if self.node.member == "kinds":
            return "word"
        for info in self.program.table.queries.get(self.node.member, ()):
            name = info.node.type.name
            return "word" if name == "word" or name in self.program.table.words else None
        return None

    def written(self, checked: bool) -> tuple[Callable[..., Any], Callable[..., Any] | None]:
        """(value, condition) as functions of (S, you, this, it, L, *parameters); L are the locals that an `until` kept."""
        found = self.functions.get(checked)
        if found is None:
            node = self.node
            names = [name for name, _ in node.params]
            scope = Scope(python={name: f"p_{name}" for name in names}, types=dict(node.params))
            if self.captured is not None:
                scope.slots = dict(self.captured.slots)
                scope.types = {**self.captured.types, **scope.types}
            writer = self.program.writer_class(self.program, scope, checked=checked, event="None")
            writer.it.append("it")
            head = ", ".join(["S", "you", "this", "it", "L", *(f"p_{name}" for name in names)])
            value = modifies(self.program, node, writer.value(node.value, self._want()))
            made = _function(self.program, "v", f"{head}, *_", [f"return {value}"], False, self.address)
            test = None
            if node.condition is not None:
                test = _function(
                    self.program,
                    "c",
                    f"{head}, *_",
                    [f"return {held(self.program, node, writer.value(node.condition))}"],
                    False,
                    self.address,
                )
            found = (made, test)
            self.functions[checked] = found
        return found


def _function(program: Program, name: str, params: str, lines: list[str], outer: bool, address: str) -> Callable[..., Any]:
    text = [f"def {name}({params}):"]
    if outer and any(_USES["O"].search(line) for line in lines):
        text.append("    O = S.frames[ev.link].locals")
    text.extend(f"    {line}" for line in lines)
    return program.function("\n".join(text), name, address)


def guard_code(program: Program, guards: tuple[t.Expression, ...], address: str, checked: bool = False) -> Callable[..., Any]:
    """`while` guards as one function of (state, you, this)."""
    writer = program.writer_class(program, Scope(), checked=checked, event="None")
    test = " and ".join(writer.value(guard) for guard in guards)
    return _function(program, "g", "S, you, this", [f"return {test}"], False, address)


def make_rules(program: Program, found: Survey) -> None:
    """File every rule of the packs; note what is hooked, so that unhooked lines cost nothing."""
    writer = program.writer_class(program, Scope())
    changed: set[str] = set()
    for rule in program.table.rules:
        node = rule.node
        if isinstance(node, t.Modify) and node.member == "kinds":
            changed.update(_kind_names(node.value))
    program.modified_kinds = frozenset(changed)
    program.strict_bans = any(isinstance(rule.node, t.Forbid) and rule.node.strict for rule in program.table.rules)
    holders: dict[tuple[str | None, str | None], Holder] = {}
    for rule in program.table.rules:
        key = (rule.definition, rule.kind)
        if key not in holders:
            holders[key] = make_holder(program, rule.definition, rule.kind)
        node = rule.node
        if isinstance(node, t.Modify):
            made = ModifyRule(program, rule.index, node, rule.source, rule.address, holders[key], rule.guards)
            program.modifiers.setdefault(node.member, []).append(made)
            continue
        verb, step, action = event_verb(writer, node.pattern)
        hook = HookRule(program, rule.index, node, verb, step, action, rule.source, rule.address, holders[key], rule.guards)
        _file(program, hook)
        program.note_hook(verb, step, node.pattern if action is None else t.Pattern(verb, step, None, (), span=node.span))
        if hook.label is not None:
            program.labels[hook.label] = hook
    for until in found.untils:
        for pattern in [until.pattern, *(line.pattern for line in until.block.lines if isinstance(line, t.Hook | t.Forbid))]:
            verb, step, action = event_verb(writer, pattern)
            program.note_hook(verb, step, pattern if action is None else t.Pattern(verb, step, None, (), span=until.span))
        for line in until.block.lines:
            if isinstance(line, t.Modify):
                program.modifiers.setdefault(line.member, [])


def _kind_names(node: t.Expression) -> set[str]:
    if isinstance(node, t.Name):
        return {node.name}
    return set()


def _file(program: Program, hook: HookRule) -> None:
    hook.batch = _is_batch(hook.node.pattern)
    from rulescript.table.survey import walk

    hook.asks_did = any(isinstance(one, t.Did) for one in walk(hook.node))
    group = program.hooks.setdefault((hook.verb, hook.step), {})
    group.setdefault(hook.timing, []).append(hook)


def _is_batch(pattern: t.Pattern) -> bool:
    operand = pattern.operand
    return isinstance(operand, t.NamedArg | t.MarkedArg) and operand.type.mark in ("*", "[]")


def make_holder(program: Program, definition: str | None, kind: str | None) -> Holder:
    """Where the rules of a definition or kind live."""
    world, table = program.world, program.table
    if definition is None and kind is None:
        return Holder()
    kinds: tuple[str, ...]
    if definition is not None:
        things = tuple(ref for ref in world.refs if (made := world.definition[ref]) is not None and made.id == definition)
        kinds = table.definitions[definition].kinds
    else:
        things = world.members(kind or "")
        kinds = (kind or "",)
    lineage = [up for own in kinds for up in table.ancestors(own) if up in table.kinds]
    zones = {name for up in lineage for name in table.kinds[up].live_in}
    live = frozenset(int(ref) for ref, name in world.zone_name.items() if name in zones) if zones else None
    unique = any(table.kinds[up].unique for up in lineage)
    guarded = any(info.owner_live for info in table.kinds.values())
    return Holder(things, live, unique, guarded)


def make_until(program: Program, node: t.Until, scope: Scope, unit: Code) -> int:
    """Write an `until` block's rules against the locals of the code that it stands in; its number."""
    writer = program.writer_class(program, scope)
    verb, step, action = event_verb(writer, node.pattern)
    frozen = Scope(dict(scope.slots), dict(scope.types), scope.outer, {}, scope.size)
    hooks: list[HookRule] = []
    modifiers: list[ModifyRule] = []
    number = program.until_number(node)
    pack = unit.address.split(":")[0]
    source = Source(pack, "", program.pack_rank(pack), 1_000_000 + node.span.line)
    for place, line in enumerate(node.block.lines):
        address = f"{unit.address}/until{number}.{place}"
        if isinstance(line, t.Hook | t.Forbid):
            inner = event_verb(writer, line.pattern)
            hook = HookRule(
                program, 1_000_000 + number * 100 + place, line, *inner, source, address, Holder(), (), unit=unit, captured=frozen
            )
            hook.batch = _is_batch(line.pattern)
            hooks.append(hook)
        elif isinstance(line, t.Modify):
            modifiers.append(ModifyRule(program, number * 100 + place, line, source, address, Holder(), (), captured=frozen))
    anchor = HookRule(
        program, -1, t.Forbid(None, node.pattern, node.condition, False, t.NO_NOTES, span=node.span), verb, step, action, source,
        f"{unit.address}/until{number}", Holder(), (), unit=unit, captured=frozen,
    )  # fmt: skip
    program.untils[number] = (anchor, hooks, modifiers)
    return number
