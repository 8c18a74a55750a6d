"""What the loaded packs hook: which lines some rule may meet, and the rules themselves by verb and step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from nemesis.world.world import World
from rulescript import tree as t
from rulescript.table.declarations import ActionInfo, Declarations, HeadInfo
from rulescript.table.survey import walk

if TYPE_CHECKING:
    from nemesis.kernel.rule import HookRule, ModifyRule


@attrs.define(eq=False)
class Stages:
    """Some rules by their timing and by whether a seat may decline them; whether there are any before the body and after it."""

    rules: dict[tuple[str, bool], tuple[HookRule, ...]]
    early: bool
    late: bool


class HookTable:
    """Rules by what they hook; made once per program."""

    table: Declarations
    world: World
    action_names: set[str]
    actions: list[ActionInfo]
    primitives: frozenset[str]
    modified_kinds: frozenset[str]
    shows: list[int]
    dids: set[tuple[str, str | None]]
    hooks: dict[tuple[str, str | None], dict[str, list[HookRule]]]
    untils: dict[int, tuple[HookRule, list[HookRule], list[ModifyRule]]]
    _hook_kinds: dict[tuple[str, str | None], list[t.Pattern]]
    _hook_lists: dict[tuple[str, str | None], tuple[HookRule, ...]]
    _may: dict[tuple[str, str | None, str], bool]
    _asking: dict[tuple[str, str | None], bool]
    _overlaps: dict[tuple[str, str], bool]
    _stages: dict[tuple[HookRule, ...], Stages]

    def word_below(self, word: str, above: str) -> bool:
        raise NotImplementedError

    def _did_verb(self, verb: str) -> str:
        if verb in self.action_names and verb not in self.table.verbs and verb not in self.primitives:
            return "use"
        return verb

    def note_interest(self, verb: str, step: str | None) -> None:
        self.dids.add((verb, step))

    def interesting(self, verb: str, step: str | None) -> bool:
        return (verb, step) in self.dids

    def note_hook(self, verb: str, step: str | None, pattern: t.Pattern) -> None:
        self._hook_kinds.setdefault((verb, step), []).append(pattern)

    def step_hooked(self, verb: str, step: str | None) -> bool:
        return (verb, step) in self._hook_kinds

    def needs_event(self, head: HeadInfo) -> bool:
        """Whether some rule may hook a call of this head."""
        return any(self._may_hook(head, pattern) for pattern in self._hook_kinds.get((head.verb, None), ()))

    def _may_hook(self, head: HeadInfo, pattern: t.Pattern) -> bool:
        operand = pattern.operand
        shape = head.head
        if operand is None:
            return True
        kind = self._pattern_kind(operand)
        if kind is None:
            return True
        if shape.object is not None:
            own = self.table.singular(shape.object)
            return own == kind or self.word_below(own, kind) or self.word_below(kind, own)
        if shape.operand is not None:
            own = self.table.singular(shape.operand.type.name)
            return kind in self.table.kinds and self.overlap(own, kind)
        return False

    def _pattern_kind(self, operand: t.PatternArg) -> str | None:
        if isinstance(operand, t.NamedArg | t.MarkedArg):
            return self.table.singular(operand.type.name)
        if isinstance(operand, t.Quantity):
            return self.table.singular(operand.unit or "")
        if isinstance(operand, t.Name):
            word = self.table.singular(operand.name)
            if word in self.table.kinds or word in self.table.words.get("units", ()):
                return word
        return None

    def overlap(self, a: str, b: str) -> bool:
        """Whether one thing can be of both kinds."""
        if a in self.modified_kinds or b in self.modified_kinds:
            return True
        if self.word_below(a, b) or self.word_below(b, a):
            return True
        known = self._overlaps.get((a, b))
        if known is None:
            first, second = self.world.mask(a), self.world.mask(b)
            known = self._overlaps[(a, b)] = any(x and y for x, y in zip(first, second, strict=True))
        return known

    def primitive_hooked(self, verb: str, kinds: tuple[str, ...] | None) -> bool:
        for pattern in self._hook_kinds.get((verb, None), ()):
            if kinds is None or pattern.operand is None:
                return True
            kind = self._pattern_kind(pattern.operand)
            if kind is None or kind not in self.table.kinds or any(self.overlap(kind, one) for one in kinds):
                return True
        return False

    def field_hooked(self, verb: str, field: str) -> bool:
        for pattern in self._hook_kinds.get((verb, None), ()):
            operand = pattern.operand
            name = getattr(operand, "member", None) or getattr(operand, "name", None)
            if operand is None or name is None or name == field:
                return True
        return False

    def pack_rank(self, pack: str) -> int:
        """The rank of a pack; code of tests and the kernel stands outside of all packs."""
        ranks = {head.source.pack: head.source.rank for head in self.table.heads}
        return ranks.get(pack, 99)

    def hook_list(self, verb: str, step: str | None) -> tuple[HookRule, ...]:
        """All rules of the packs on a verb or step, in the order of the files."""
        found = self._hook_lists.get((verb, step))
        if found is None:
            group = self.hooks.get((verb, step), {})
            found = tuple(sorted((rule for rules in group.values() for rule in rules), key=lambda rule: rule.index))
            self._hook_lists[(verb, step)] = found
        return found

    def stages_of(self, rules: tuple[HookRule, ...]) -> Stages:
        """The rules sorted by stage."""
        found = self._stages.get(rules)
        if found is None:
            keys = dict.fromkeys((rule.timing, rule.may) for rule in rules)
            timings = {timing for timing, _ in keys}
            found = self._stages[rules] = Stages(
                {key: tuple(rule for rule in rules if (rule.timing, rule.may) == key) for key in keys},
                early="instead" in timings or "before" in timings,
                late="after" in timings,
            )
        return found

    def asks_did(self, verb: str, step: str | None) -> bool:
        found = self._asking.get((verb, step))
        if found is None:
            found = self._asking[(verb, step)] = any(rule.asks_did for rule in self.hook_list(verb, step))
        return found

    def has_hidden_may(self, verb: str, step: str | None, timing: str) -> bool:
        """Whether some may-rule of this stage stands in cards that may be in a hidden hand."""
        key = (verb, step, timing)
        found = self._may.get(key)
        if found is None:
            rules = [rule for rule in self.hooks.get((verb, step), {}).get(timing, ()) if rule.may]
            found = any(rule.holder.zones and any(self.shows[zone] == 1 for zone in rule.holder.zones) for rule in rules)
            self._may[key] = found
        return found

    def bans_abilities(self) -> bool:
        """Whether some pack bans uses of abilities by a rule: then every offer needs a trial."""
        return any(rule.timing == "forbid" or (rule.timing == "instead" and not rule.may) for rule in self.hook_list("use", None))

    def all_rules(self) -> list[HookRule]:
        """Every hook and ban, those of the `until` blocks lowered so far included."""
        found = [rule for group in self.hooks.values() for rules in group.values() for rule in rules]
        return found + [rule for _, rules, _ in self.untils.values() for rule in rules]

    def rule_by_index(self, index: int) -> HookRule:
        """The hook with a number; an `until` block's rules have numbers from 1,000,000 on."""
        if index >= 1_000_000:
            number, place = divmod(index - 1_000_000, 100)
            return next(rule for rule in self.untils[number][1] if rule.index == 1_000_000 + number * 100 + place)
        for group in self.hooks.values():
            for rules in group.values():
                for rule in rules:
                    if rule.index == index:
                        return rule
        raise KeyError(index)

    def hook_faults(self) -> list[tuple[t.Span, str]]:
        """Rules of the packs that hook nothing there is: (place, what is wrong)."""
        table = self.table
        steps: dict[str, set[str]] = {}
        for head in table.heads:
            found = steps.setdefault(table.step_name(head), set())
            found |= {line.name for line in walk(head.node) if isinstance(line, t.Step)}
        known = {*table.verbs, *self.primitives, *self.action_names, *(rule.node.label for rule in table.rules if rule.node.label)}
        rules = [rule.node for rule in table.rules if isinstance(rule.node, t.Hook | t.Forbid)]
        for rule in rules:
            if isinstance(rule, t.Hook):  # a rule may add steps of its own
                steps.setdefault(rule.pattern.verb, set()).update(line.name for line in walk(rule.block) if isinstance(line, t.Step))
        faults = []
        for rule in rules:
            verb, step = rule.pattern.verb, rule.pattern.step
            if step is not None and step not in steps.get(verb, set()):
                faults.append((rule.pattern.span, f"{verb} has no step {step}"))
            elif step is None and verb not in known:
                faults.append((rule.pattern.span, f"there is no verb, procedure, action or label {verb}"))
        return faults
