"""Lines that choose: choose, divide, either, may, try, secret batches."""

from __future__ import annotations

from nemesis.lower.watched import held
from nemesis.lower.writer import Writer
from rulescript import tree as t

SAY_NOTHING = frozenset({"one", "thing", "gone", "who", "kept", "made", "mine", "what", "answer"})


class ChoiceWriter(Writer):
    """Writes lines that name a decider."""

    def choose(self, node: t.Choose) -> None:
        lid = self.line_id(node)
        slot = self.scope.add(node.name, self._element_type(node.source))
        following = self.label()
        if isinstance(node.source, t.Range):
            source = self.e.value(node.source)
        else:
            source = self.e.filtered(node.source, node.where) if node.where is not None else self.e.set(node.source)
        decider = self.decider(node.keys)
        keys = node.keys[:-1] if decider is not None else node.keys
        if decider is None:
            decider = "f.you" if not keys else "'order'"
        key = self.e.sort_key_list(keys) if keys else "()"
        if keys:
            self.program.orders[lid] = keys
        low, high = {
            "one": ("1", "1"),
            "exactly": (f"num({self._number(node)})",) * 2,
            "up_to": ("0", f"num({self._number(node)})"),
            "any": ("0", "None"),
        }[node.how]
        single = node.how == "one" or (node.how == "up_to" and isinstance(node.number, t.Number) and node.number.value == 1)
        empty = self.label()
        self.emit(f"f.pc = {following}")
        kind = "amount" if isinstance(node.source, t.Range) else "thing"
        self.emit(
            f"r = choose(S, f, {lid}, {slot}, tuple({source}), {key}, {decider}, {low}, {high}, {single}, {node.name!r}, "
            f"{self.strict}, {node.notes.secret}, {kind!r}{self.look_on(node)})"
        )
        self.emit("if r == 1: return -1")
        self.emit(f"if r == 0: return {empty}")
        self.goto(following)
        self.place(empty)
        if node.otherwise is not None:
            self.body(node.otherwise)
            self.goto(following)
        else:
            if self.strict:
                self.emit(f"fail(S, f, {lid}, {_lacking(node.name)!r})")
            elif self.unit.done == "all":
                self.emit("f.ok = False")
            self.goto(self.block_end())
        self.place(following)

    def look_on(self, node: t.Choose) -> str:
        """For a choice of an announcement: how to look, with one candidate, at what is left of it."""
        if self.lead < 0 or self.unit.action < 0 or node.how != "one":
            return ""
        block = self.table_block()
        names = [line.name for line in block[: self.lead] if isinstance(line, t.Choose | t.Let)]
        values = ", ".join(f"L[{self.scope.slots[name]}]" for name in names)
        return f", ({self.unit.action}, {self.lead}, ({values}{',' if names else ''}))"

    def table_block(self) -> tuple[t.Node, ...]:
        return self.unit.block.lines if self.unit.block is not None else ()

    def _number(self, node: t.Choose) -> str:
        return self.e.value(node.number) if node.number is not None else "1"

    def _element_type(self, node: t.Expression) -> t.TypeRef | None:
        if isinstance(node, t.At | t.Select):
            return self._element_type(node.source)
        kind = self.e.is_kind_name(node)
        return t.TypeRef(kind, span=node.span) if kind else None

    def either(self, node: t.Either) -> None:
        decider = self.decider(node.keys) or "f.you"
        lid = self.line_id(node)
        end = self.label()
        labels = [self.label() for _ in node.options]
        options = []
        for option, label in zip(node.options, labels, strict=True):
            condition = held(self.program, option, self.e.value(option.condition)) if option.condition is not None else "True"
            options.append(f"({option.label!r}, {condition}, {label})")
        empty = self.label()
        self.emit(f"r = either(S, f, {lid}, [{', '.join(options)}], {decider}, {self.strict}, {end})")
        self.emit("if r == -2: return -1")
        self.emit(f"return {empty} if r < 0 else r")
        self.closed = True
        for option, label in zip(node.options, labels, strict=True):
            self.place(label)
            cites = self.cites
            self.cites = (*cites, *option.notes.cites)
            self.body(option.body)
            self.cites = cites
            self.goto(end)
        self.place(empty)
        if node.otherwise is not None:
            self.body(node.otherwise)
        elif self.strict:
            self.emit(f"fail(S, f, {lid}, 'nothing to choose')")
        self.goto(end)
        self.place(end)

    def may(self, node: t.May) -> None:
        decider = self.decider(node.keys) or "f.you"
        lid = self.line_id(node)
        yes, no, end = self.label(), self.label(), self.label()
        label = node.label or "do it"
        self.emit(f"r = may(S, f, {lid}, {label!r}, {decider}, {yes}, {no}, {node.notes.secret})")
        self.emit("return r if r >= 0 else -1")
        self.closed = True
        self.place(yes)
        self.body(node.body)
        self.goto(end)
        self.place(no)
        self.mark(node, "declined")
        self.body(node.otherwise)
        self.goto(end)
        self.place(end)

    def try_(self, node: t.Try) -> None:
        first, second, end = self.label(), self.label(), self.label()
        self.emit(f"return {first} if can_do(S, f, {first}, {end}) else {second}")
        self.closed = True
        self.place(first)
        strict, self.strict = self.strict, True
        self.body(node.body)
        self.strict = strict
        self.goto(end)
        self.place(second)
        self.mark(node, "not")
        self.body(node.otherwise)
        self.goto(end)
        self.place(end)
        self.emit(f"try_end(S, f, {end})")

    def verb_divide(self, node: t.Line) -> None:
        operand = node.operand
        amount = self.e.value(operand.amount) if isinstance(operand, t.Quantity) else self.e.value(operand) if operand is not None else "0"
        among = node.arg("among")
        source = self.e.set(among) if among is not None else "()"
        by = node.arg("by")
        decider = self.e.value(by) if by is not None else "f.you"
        shares, rank = "(0, 1)", "0"
        it = self.e.fresh()
        for line in node.block.lines if node.block else ():
            if isinstance(line, t.Line) and line.operand is not None:
                self.e.it.append(it)
                text = self.e.value(line.operand)
                self.e.it.pop()
                if line.word == "shares":
                    shares = text
                elif line.word == "rank":
                    rank = text
        lid = self.line_id(node)
        state, following, again = self.scope.temporary(), self.label(), self.label()
        slot = self.scope.add(node.result or "part")
        amounts = self.scope.add(f"{node.result or 'part'} amounts")
        assert amounts == slot + 1 or self.scope.slots[f"{node.result or 'part'} amounts"] == slot + 1
        self.emit(f"L[{state}] = start_divide(S, {amount}, {source}, lambda {it}: seq({shares}), lambda {it}: {rank})")
        self.goto(again)
        self.place(again)
        self.emit(f"f.pc = {again}")
        self.emit(f"if divide(S, f, {lid}, {state}, {slot}, {decider}): return -1")
        self.goto(following)
        self.place(following)
        self.finish(node)

    def finish(self, node: t.Line, *, sure: bool = False) -> None:
        raise NotImplementedError

    def secret(self, node: t.Each) -> None:
        """`each seat by o secret { choose … }`: all choose on one frozen state, then the bodies run in order."""
        name = node.name or "seat"
        items, at, chosen = self.scope.temporary(), self.scope.temporary(), self.scope.temporary()
        decider = self.decider(node.keys)
        orders = node.keys[:-1] if decider is not None else node.keys
        source = self.e.filtered(node.source, node.where) if node.where is not None else self.e.set(node.source)
        text = f"ordered_by({source}, {self.e.sort_key(orders)})" if orders else source
        slot = self.scope.rebind(name)
        leading = [line for line in node.body.lines if isinstance(line, t.Choose)][:1]
        rest = t.Block(node.body.lines[len(leading) :], span=node.body.span)
        self.emit(f"L[{items}] = {text}; L[{at}] = 0; L[{chosen}] = ()")
        ask, run, end = self.label(), self.label(), self.label()
        answered = self.label()
        self.goto(ask)
        self.place(ask)
        self.emit(f"if L[{at}] >= len(L[{items}]): L[{at}] = 0; return {run}")
        self.emit(f"L[{slot}] = L[{items}][L[{at}]]")
        if leading:
            choice = leading[0]
            self.mark(choice)
            picked = self.scope.add(choice.name, self._element_type(choice.source))
            found = self.e.filtered(choice.source, choice.where) if choice.where is not None else self.e.set(choice.source)
            self.emit(f"f.pc = {answered}")
            self.emit(
                f"r = choose(S, f, {self.line_id(choice)}, {picked}, tuple({found}), (), L[{slot}], 1, 1, True, {choice.name!r}, "
                f"False, True, 'batch')"
            )
            self.emit("if r == 1: return -1")
            self.emit(f"if r == 0: L[{picked}] = None")
            self.goto(answered)
            self.place(answered)
            self.emit(f"L[{chosen}] += (L[{picked}],)")
        self.emit(f"L[{at}] += 1")
        self.goto(ask)
        self.place(run)
        self.emit(f"if L[{at}] >= len(L[{items}]): return {end}")
        self.emit(f"L[{slot}] = L[{items}][L[{at}]]")
        if leading:
            self.emit(f"L[{picked}] = L[{chosen}][L[{at}]]")
        self.emit(f"L[{at}] += 1")
        self.body(rest)
        self.goto(run)
        self.place(end)


def _lacking(name: str) -> str:
    """Why a choice fails, by the content's own name for it: `no target to choose`; names that say nothing are left out."""
    said = name.replace("_", " ")
    return f"no {said} to choose" if len(said) > 2 and said not in SAY_NOTHING else "nothing to choose"
