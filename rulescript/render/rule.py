"""Rules as sentences: `Instead of …`, `After …`, `… cannot …`, `… is 1 more`."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.render.line import LineWriter
from rulescript.render.phrase import state
from rulescript.render.words import a, plain, sentence, title
from rulescript.table.declarations import HeadInfo
from rulescript.table.primitive import primitives

_TIMES = {"before": "before", "after": "after", "instead": "instead of"}
_PERIODS = {"chain": "(not in answer to itself)"}


class RuleWriter(LineWriter):
    """Writes what a card does while it is in force."""

    def rule(self, node: t.Node) -> str:
        match node:
            case t.Hook():
                return sentence(self.hook(node))
            case t.Forbid():
                who = self.event_name(node.pattern, subject=False)
                condition = f" if {self.condition(node.condition)}" if node.condition is not None else ""
                return sentence(f"no {who}{condition}")
            case t.Modify():
                return sentence(self.modify(node))
            case t.While():
                rules = [text for line in node.block.lines if (text := self.rule(line))]
                return f"While {self.condition(node.condition)}: " + " ".join(rules) if rules else ""
            case t.Action():
                return self.action(node)
            case _:
                return ""

    def action(self, node: t.Action) -> str:
        """An action in a card: its conditions, then what it does."""
        reasons = [line.notes.because for line in node.block.lines if isinstance(line, t.Require) and line.notes.because]
        head = title(node.label or node.name) if node.name != "play" else ""
        cost = f" ({self.value(node.cost)})" if node.cost is not None else ""
        if reasons:
            head = f"{head}{cost} [{'; '.join(reasons)}]" if head or cost else f"[{'; '.join(reasons)}]"
        else:
            head += cost
        text = " ".join(self.body(node.block))
        if not text or text.rstrip(".").lower() == (node.label or "").lower():
            return f"{head}."
        return f"{head}: {text}" if head and not head.startswith("[") else f"{head} {text}".strip()

    def hook(self, node: t.Hook) -> str:
        if not node.may and node.notes.because:
            return node.notes.because  # what a forced rule is for, in the content's own words
        event = self.event_name(node.pattern, gerund_of=True)
        condition = f", if {self.condition(node.condition)}" if node.condition is not None else ""
        limits = "".join(
            " " + _PERIODS.get(once.period, f"(once per {plain(once.period)})") for once in node.notes.once if once.key is None
        )
        parts = [line for line in node.block.lines]
        if not parts:
            what = "you may prevent it" if node.may else "nothing happens"
        else:
            clause = self.clause(node.block)
            what = f"you may {self.strip_subject(clause)}" if node.may else clause
        return f"{_TIMES[node.timing]} {event}{condition}, {what}{limits}"

    def event_name(self, pattern: t.Pattern, gerund_of: bool = True, subject: bool = True) -> str:
        """A pattern as a phrase with a gerund: `spending 1 Coin`, `an Ogre greeting you`."""
        verb, values = pattern.verb, self.pattern_values(pattern)
        if pattern.step is not None:
            for head in self.table.verbs.get(pattern.verb, []):
                self.name_head(head)
            return f"the {plain(pattern.step)} part of {self._of(pattern, values)}"
        action = next((action for action in self.table.actions if action.name == verb), None)
        heads = self.table.verbs.get(verb, [])
        if heads:
            head = self.head_for(_as_line(pattern), heads)
            binders = {preposition: binder.name for preposition, binder in head.head.binders}
            said: dict[str, str] = {}
            for preposition, name in binders.items():
                if preposition in values:
                    said[name] = values[preposition]
                    self.names.setdefault(name, self._later(said[name]))
            if head.head.amount is not None:
                said[head.head.amount] = values.get("n", "any")
                self.names[head.head.amount] = "that many"
                if head.head.object and "0" in values:
                    said[head.head.object] = values["0"]
            elif head.head.operand is not None:
                said[head.head.operand.name] = values.get("0", a(title(head.head.operand.type.name)))
                if isinstance(pattern.operand, t.Name) and pattern.operand.name in self.table.kinds:
                    said[head.head.operand.name] = a(title(pattern.operand.name))
                self.names[head.head.operand.name] = self._later(said[head.head.operand.name]).replace("this card", "it")
            for preposition, binder in head.head.binders:
                mine = binder.name == "you" or (preposition == "by" and self._acts(binder.type.name))
                said.setdefault(binder.name, "you" if mine else a(title(binder.type.name)))
            doer = values.get("by")
            template = head.text or ""
            if not template:
                return f"{plain(verb)} {values.get('0', '')}".strip()
            if template.startswith("{x}") or (doer not in (None, "you") and subject):
                start = said.get(head.head.operand.name if head.head.operand else "") or doer or "an event"
                if template.startswith("{") and not template.startswith("{you}"):
                    name = template[1 : template.index("}")]
                    start = said.get(name, start)
                    template = template[template.index("}") + 2 :]
                else:
                    start = doer or start
                return f"{start} {self.as_gerund('{you} ' + template.removeprefix('{you} '), said)}"
            return self.as_gerund(template, said)
        row = primitives().get(verb)
        if action is not None and (row is None or not pattern.args):
            return f"the action {action.node.label or title(action.name)}"
        if row is not None:
            filled = {**{preposition: "" for preposition in row.args}, **values}
            filled.setdefault("0", "anything")
            text = self.fill(row.gerund, filled)
            return " ".join(text.split()).removesuffix(" from").removesuffix(" to").removesuffix(" in")
        return plain(verb)

    def _acts(self, kind: str) -> bool:
        return any(self.table.kinds[up].acts for up in self.table.ancestors(kind) if up in self.table.kinds)

    def name_head(self, head: HeadInfo) -> None:
        """Calls the parameters of a head by their kinds."""
        for binder in (head.head.operand, *(binder for _, binder in head.head.binders)):
            if binder is not None and binder.name != "you":
                self.names.setdefault(binder.name, f"that {title(binder.type.name)}")

    def _later(self, phrase: str) -> str:
        return f"that {phrase.split(' ', 1)[1]}" if phrase.startswith(("a ", "an ")) else phrase

    def _of(self, pattern: t.Pattern, values: dict[str, str]) -> str:
        owner = values.get("by")
        return ("your " if owner == "you" else "") + plain(pattern.verb)

    def pattern_values(self, pattern: t.Pattern) -> dict[str, str]:
        """What each argument of a pattern is called."""
        found: dict[str, str] = {}
        for preposition, arg in (("0", pattern.operand), *pattern.args):
            if arg is None:
                continue
            if isinstance(arg, t.NamedArg):
                found[preposition] = a(title(arg.type.name))
                self.names[arg.name] = f"that {title(arg.type.name)}"
            elif isinstance(arg, t.MarkedArg):
                found[preposition] = a(title(arg.type.name))
                self.names[arg.type.name] = f"that {title(arg.type.name)}"
            elif isinstance(arg, t.Quantity):
                found["n"] = "any" if isinstance(arg.amount, t.Name) else self.value(arg.amount)
                found["0"] = title(self.table.singular(arg.unit or ""))
            elif isinstance(arg, t.Name) and arg.name in self.table.kinds:
                found[preposition] = a(title(arg.name)) if preposition != "0" else title(arg.name)
                self.names[arg.name] = f"that {title(arg.name)}"
            else:
                found[preposition] = self.value(arg)
        return found

    def modify(self, node: t.Modify) -> str:
        if node.notes.because:
            return node.notes.because
        what = (
            f"your {self.member(node.member)}"
            if node.receiver == "your"
            else (
                f"its {self.member(node.member)}"
                if node.receiver == "this"
                else f"the {self.member(node.member)} of {a(title(node.receiver))}"
            )
        )
        for name, type_ in node.params:
            self.names[name] = f"that {title(type_.name)}"
        condition = f" if {self.condition(node.condition)}" if node.condition is not None else ""
        value = self.word(node.value)
        if isinstance(node.value, t.Flag) and node.op == "=":
            subject = {"your": "you", "this": "this card"}.get(node.receiver, a(title(node.receiver)))
            return f"{subject} {state(node.member, 'are' if subject == 'you' else 'is', not node.value.value)}{condition}"
        if node.receiver == "this" and node.op == "=" and not isinstance(node.value, t.Number | t.Name | t.Text | t.Flag):
            return f"{self.member(node.member)} if {self.condition(node.value)}{' and' + condition if condition else ''}"
        changes = {
            "=": f"is {value}", "+": f"is {value} more", "-": f"is {value} less", "|": f"includes {value}, too",
            "except": f"is without {value}",
            "at_least": f"is at least {value}", "at_most": f"is at most {value}",
        }  # fmt: skip
        return f"{what} {changes[node.op]}{condition}"


def _as_line(pattern: t.Pattern) -> t.Line:
    """A pattern in the shape of a call, to find the head it means."""
    operand = pattern.operand
    if isinstance(operand, t.Name):
        operand = t.Quantity(t.Number(1, span=operand.span), operand.name, span=operand.span)
    if isinstance(operand, t.NamedArg | t.MarkedArg):
        operand = t.Name(operand.type.name, span=operand.span)
    args = tuple((preposition, arg) for preposition, arg in pattern.args if not isinstance(arg, t.NamedArg | t.MarkedArg))
    return t.Line(pattern.verb, operand, args, None, (), t.NO_NOTES, None, None, span=pattern.span)
