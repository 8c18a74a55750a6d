"""Lines as sentences: each verb by its template, control by its connectives."""

from __future__ import annotations

import re

from rulescript import tree as t
from rulescript.render.phrase import PhraseWriter
from rulescript.render.words import gerund, joined, plain, sentence, singular, title
from rulescript.table.declarations import HeadInfo
from rulescript.table.primitive import primitives
from rulescript.table.survey import walk

_SLOT = re.compile(r"\{([^{}]*)\}")
YOU = "you"


class LineWriter(PhraseWriter):
    """Writes blocks of lines; the reader is 'you'."""

    def body(self, block: t.Block | None) -> list[str]:
        """The sentences of a block; names that its lines bind are called by what they are."""
        found: list[str] = []
        for line in block.lines if block else ():
            if isinstance(line, t.Choose) and block is not None and _only_required(line, block):
                continue  # what is asked of it is told by the requirement's reason
            text = self.line(line)
            if text:
                found.append(sentence(text))
        return found

    def clause(self, block: t.Block | None) -> str:
        """A block as one clause, its sentences joined."""
        parts = [text.rstrip(".") for text in self.body(block)]
        parts = [part[:1].lower() + part[1:] if not _keeps_capital(part) else part for part in parts]
        return "; then ".join(parts) if len(parts) > 2 else " and ".join(parts) if parts else "nothing happens"

    def line(self, node: t.Node) -> str:
        """One line; empty if there is nothing to tell."""
        match node:
            case t.Line():
                return self.call(node)
            case t.If():
                text = f"if {self.condition(node.condition)}, {self.clause(node.then)}"
                return text + (f"; otherwise {self.clause(node.otherwise)}" if node.otherwise is not None else "")
            case t.Each():
                return self.each(node)
            case t.Repeat():
                until = f", until {self.condition(node.until)}" if node.until is not None else ""
                return f"up to {self.value(node.times)} times{until}: {self.clause(node.body)}"
            case t.Choose():
                return self.choose(node)
            case t.Either():
                options = [self.option(option) for option in node.options]
                return "choose one: " + "; ".join(f"({chr(97 + number)}) {option}" for number, option in enumerate(options))
            case t.May():
                clause = self.clause(node.body)
                decider = self.value(node.keys[-1].value) if node.keys else YOU
                text = f"you may {self.strip_subject(clause)}" if decider == YOU else f"{decider} may decide on this: {clause}"
                return text + (f"; if you do not, {self.clause(node.otherwise)}" if node.otherwise is not None else "")
            case t.Try():
                text = f"try to do all of this: {self.clause(node.body)}"
                return text + (f"; if you cannot, {self.clause(node.otherwise)}" if node.otherwise is not None else "")
            case t.Match():
                rows = [f"{self.row_head(row)}: {self.clause(row.block)}" for row in node.rows]
                return f"by {self.value(node.value)} - " + "; ".join(rows)
            case t.Let():
                return self.let(node)
            case t.Require():
                return "" if node.notes.because else f"only if {self.condition(node.condition)}"
            case t.Step():
                return self.clause(node.block) if node.block.lines else ""
            case t.Until():
                rules = [text for line in node.block.lines if (text := self.rule(line))]
                return f"when next {self.event_name(node.pattern)}: " + " ".join(rules)
            case t.Usual():
                with_other = f" with {self.value(node.operand)} instead" if node.operand is not None else ""
                return "do so" + with_other + (f" {self.preposed(node.args)}" if node.args else "")
            case t.Stop():
                return "" if node.target is None else f"the {plain(node.target)} ends"
            case t.Cancel():
                return "it does not happen"
            case t.Hook() | t.Forbid() | t.Modify() | t.While():
                return self.rule(node)
            case _:
                return ""

    def rule(self, node: t.Node) -> str:
        raise NotImplementedError

    def event_name(self, pattern: t.Pattern) -> str:
        raise NotImplementedError

    def option(self, option: t.Option) -> str:
        condition = f"if {self.condition(option.condition)}, " if option.condition is not None else ""
        return condition + self.clause(option.body)

    def row_head(self, row: t.Row) -> str:
        keys = joined([self.value(key) for key in row.keys], "or") if row.keys else "anything else"
        return keys + (f" if {self.condition(row.condition)}" if row.condition is not None else "")

    def each(self, node: t.Each) -> str:
        source = self.set_of(node.source)
        one = self.one(source)
        who = f"each {one.removeprefix('one ')}" if one.startswith("one of ") else f"each {one.removeprefix('an ').removeprefix('a ')}"
        if node.name is not None:
            self.names[node.name] = "it"
        where = f" {self.which(node.where)}" if node.where is not None else ""
        bare = self.bare_kind(source)
        name = node.name or bare or "it"
        kept = dict(self.names)
        self.names[name] = self.called(source)
        text = f"for {who}{where}: {self.clause(node.body)}"
        self.names = kept
        return text

    def set_of(self, source: t.Expression) -> t.Expression:
        """The set itself where a name stands for it."""
        return self.sets.get(source.name, source) if isinstance(source, t.Name) else source

    def bare_kind(self, source: t.Expression) -> str | None:
        """The kind of a set that is written by its kind's name."""
        while isinstance(source, t.At | t.Select) or (isinstance(source, t.Arithmetic) and source.op == "except"):
            source = source.left if isinstance(source, t.Arithmetic) else source.source
        word = source.name if isinstance(source, t.Name) else source.kind if isinstance(source, t.AllOf) else ""
        return word if word in self.table.kinds else None

    def choose(self, node: t.Choose) -> str:
        if node.how == "any":
            what = f"any of {self.many(node.source)}"
        elif node.how == "one":
            what = self.one(node.source)
        else:
            what = self.so_many(node)
        where = f" {self.which(node.where)}" if node.where is not None else ""
        single = node.how == "one" or (isinstance(node.number, t.Number) and node.number.value == 1)
        self.names[node.name] = self.called(node.source, node.name) if single else "them"
        text = f"choose {what}{where}"
        return text + (f"; if there is none, {self.clause(node.otherwise)}" if node.otherwise and node.otherwise.lines else "")

    def so_many(self, node: t.Choose) -> str:
        """`2 of your Coins`, `up to 1 Coin in your hand`."""
        if node.number is None:
            return ""
        start = f"{'up to ' if node.how == 'up_to' else ''}{self.value(node.number)}"
        one = isinstance(node.number, t.Number) and node.number.value == 1 and self.bare_kind(node.source) is not None
        return f"{start} {self.without_article(node.source)}" if one else f"{start} of {self.many(node.source)}"

    def called(self, source: t.Expression, name: str = "") -> str:
        """What one of a set is called afterwards: `that Coin`, `that neighbour`, `that colour`; else `it`."""
        bare = self.bare_kind(source)
        if bare:
            return f"that {title(bare)}"
        while isinstance(source, t.Select):
            source = source.source
        if isinstance(source, t.ListOf) or (isinstance(source, t.Name) and source.name in self.table.words):
            return f"that {plain(name)}" if len(name) > 2 else "it"
        if isinstance(source, t.Get | t.Ask | t.Your):
            one = singular(source.member)
            if one != source.member:
                return f"that {self.member(one) if one in self.table.kinds else plain(one)}"
        return "it"

    def let(self, node: t.Let) -> str:
        if isinstance(node.value, t.Usual):
            return "do so"
        if not isinstance(node.value, t.Flag | t.Number | t.ListOf) and not (isinstance(node.value, t.Name) and node.value.name == "none"):
            self.names[node.name] = self.value(node.value)
        if isinstance(node.value, t.Select | t.At):
            self.sets[node.name] = node.value
        return ""

    # ---- calls

    def call(self, node: t.Line) -> str:
        heads = self.table.verbs.get(node.word)
        text = self.procedure_call(node, heads) if heads else self.primitive_call(node)
        if node.result:
            self.names[node.result] = "the result" if node.word == "roll" else "it"
        if node.otherwise is not None and node.otherwise.lines and text:
            text += f"; if you cannot, {self.clause(node.otherwise)}"
        return text

    def head_for(self, node: t.Line, heads: list[HeadInfo]) -> HeadInfo:
        """The head that the words of a call fit best."""
        given = {preposition for preposition, _ in node.args}

        def fits(head: HeadInfo) -> tuple[int, int]:
            quantity = isinstance(node.operand, t.Quantity)
            score = 0
            if head.head.object is not None:
                unit = node.operand.unit if isinstance(node.operand, t.Quantity) else None
                wanted = self.table.singular(head.head.object)
                said = self.table.singular(unit) if unit else None
                score += 3 if said == wanted else 2 if said and wanted in self.table.ancestors(said) else 1 if quantity and not said else -2
            elif head.head.operand is not None:
                score += 1 if node.operand is not None and not quantity else -1
            taken = {preposition for preposition, _ in head.head.binders}
            return score, -len(given - taken) - len(taken - given - {"by"})

        return max(heads, key=fits)

    def procedure_call(self, node: t.Line, heads: list[HeadInfo]) -> str:
        head = self.head_for(node, heads)
        values: dict[str, str] = {}
        if head.head.amount is not None and isinstance(node.operand, t.Quantity):
            values[head.head.amount] = self.value(node.operand.amount)
            if node.operand.computed is not None:
                values[head.head.object or ""] = self.value(node.operand.computed)
            else:
                amount = values[head.head.amount]
                values[head.head.object or ""] = self.units(amount, node.operand.unit or "").split(" ", 1)[-1]
        elif head.head.operand is not None and node.operand is not None:
            values[head.head.operand.name] = self.value(node.operand)
        for preposition, binder in head.head.binders:
            said = node.arg(preposition)
            if said is not None:
                values[binder.name] = self.value(said)
        by = dict(head.head.binders).get("by")
        subject = values.get(by.name, YOU) if by is not None else YOU
        if any(binder.name == YOU for _, binder in head.head.binders) and YOU in values:
            subject = values[YOU]
        if head.text is not None:
            first = _SLOT.match(head.text)
            if first is not None and first[1] not in (YOU, "your"):
                subject = values.get(first[1], YOU if dict(head.head.binders).get("by") is None else subject)
                values.setdefault(first[1], subject)
            if head.head.amount is not None:
                amount = values.get(head.head.amount, "")
                long = f"({amount})" if amount.count(" ") > 2 else amount
                values[head.head.amount] = "that many" if amount in ("it", "the result") else long
            return self.fill(head.text, values, subject)
        return self.untold(node)

    def untold(self, node: t.Line) -> str:
        operand = f" {self.value(node.operand)}" if node.operand is not None else ""
        return f"{plain(node.word)}{operand}" + (f" {self.preposed(node.args)}" if node.args else "")

    def preposed(self, args: tuple[tuple[str, t.Expression], ...]) -> str:
        return " ".join(f"{preposition} {self.value(value)}" for preposition, value in args)

    def primitive_call(self, node: t.Line) -> str:
        row = primitives().get(node.word)
        if row is None:
            return self.untold(node)
        if node.word == "note":
            return ""
        values = {preposition: self.value(value) for preposition, value in node.args}
        if "by" not in row.args or row.args["by"].startswith("seat"):
            values.setdefault("by", YOU)
        if node.operand is not None:
            values["0"] = self.thing(node.operand)
        if node.word == "use" and isinstance(node.operand, t.Get):
            values["0"] = f"what {self.value(node.operand.base)} says"
        if node.word == "draw" and isinstance(node.operand, t.Number):
            values["0"] = f"{node.operand.value} card{'' if node.operand.value == 1 else 's'}"
        wanted = node.arg("to")
        if node.word == "set" and isinstance(wanted, t.Flag) and isinstance(node.operand, t.Get | t.Ask | t.Your):
            return f"from now on {self.condition(node.operand, not wanted.value)}"
        text = row.text.replace(" in {in}", " on {in}") if values.get("in") in ("you", "it", "this card") else row.text
        return self.fill(text, values, values.get("by", YOU))

    def thing(self, node: t.Expression) -> str:
        """The operand of a verb: sets in the plural."""
        if isinstance(node, t.Select) and isinstance(node.source, t.Name) and node.source.name in self.names:
            return "those" + (f" {self.which(node.where)}" if node.where is not None else "")
        if isinstance(node, t.At | t.Select) or (
            isinstance(node, t.Name) and node.name in self.table.kinds and node.name not in self.names
        ):
            return f"every {self.without_article(node)}"
        return self.value(node)

    def fill(self, text: str, values: dict[str, str], subject: str = YOU) -> str:
        """A template with its slots filled; `{a|b}` goes by the subject, `{s}` by the amount before it."""
        amount = next((value for name, value in values.items() if value.isdigit() and name != "0"), "")

        def slot(found: re.Match[str]) -> str:
            inner = found.group(1)
            if "|" in inner:
                first, _, second = inner.partition("|")
                return first if subject in (YOU, "them") else second
            if inner == "s":
                return "" if amount == "1" else "s"
            if inner == YOU:
                return values.get(YOU, subject)
            if inner == "your":
                return {YOU: "your", "it": "its", "them": "their"}.get(subject, f"{subject}'s")
            first, _, rest = inner.partition(".")
            said = values.get(first)
            if said is None:
                said = plain(first)
            return f"the {plain(rest)} of {said}" if rest else said

        return _SLOT.sub(slot, text)

    def strip_subject(self, text: str) -> str:
        return text.removeprefix("you ").removeprefix("You ")

    def as_gerund(self, template: str, values: dict[str, str]) -> str:
        """`{you} {spend|spends} {n} Coins` -> `spending {n} Coins`, filled."""
        made = re.sub(r"\{(\w+)\|\w+\}", lambda found: gerund(found.group(1)), template)
        if made.startswith("{you} "):
            made = made.removeprefix("{you} ")
        elif not template.startswith("{"):
            first, _, rest = made.partition(" ")
            made = f"{gerund(first)} {rest}"
        return self.fill(made, values)


def _only_required(choice: t.Choose, block: t.Block) -> bool:
    """Whether another seat's choice is only asked about by requirements that name their reason: it must agree."""
    if not choice.keys:
        return False

    def speaks_of_it(line: t.Node) -> bool:
        return any(isinstance(part, t.Name) and part.name == choice.name for part in walk(line))

    uses = [line for line in block.lines if line is not choice and speaks_of_it(line)]
    return bool(uses) and all(isinstance(line, t.Require) and line.notes.because for line in uses)


def _keeps_capital(text: str) -> bool:
    first, _, _ = text.partition(" ")
    return len(first) > 1 and first.isupper()
