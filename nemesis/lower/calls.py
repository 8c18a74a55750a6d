"""Lines that propose events: primitive verbs, procedure calls, abilities, rows."""

from __future__ import annotations

from nemesis.lower.writer import Writer
from rulescript import tree as t

HEADER_WORDS = frozenset({"done", "one_by_one", "mode", "period", "nests", "text"})
TEST_WORDS = frozenset({"given", "script", "answer", "offers", "withholds", "seed", "with_packs", "twin", "id"})


class CallWriter(Writer):
    """Writes `word operand (preposition operand)* as name else { }`."""

    def call(self, node: t.Line) -> None:
        word = node.word
        if word in HEADER_WORDS and node.block is None and word not in self.table.verbs:
            return
        if word in TEST_WORDS:
            self.test_line(node)
            return
        if word in self.table.verbs:
            self.procedure_call(node)
        elif word in self.program.primitives:
            self.primitive(node)
        elif node.operand is None and not node.args and len(self.table.verbs.get(word, ())) == 0:
            self.emit(f"unknown_line(S, {word!r}, {self.line_id(node)})")
        else:
            self.emit(f"unknown_line(S, {word!r}, {self.line_id(node)})")

    def line_suspends(self, node: t.Line) -> bool:
        word = node.word
        if word in self.table.verbs:
            return True
        if word in ("act", "use", "rows", "divide", "end_game", "win"):
            return True
        if word in ("place", "move", "return", "draw"):
            return self.hooked(node) or self.may_run_out(node) or self.renews(node)
        return self.hooked(node) or (self.strict and False)

    def hooked(self, node: t.Line) -> bool:
        return self.program.primitive_hooked(node.word, self.operand_kinds(node))

    def renews(self, node: t.Line) -> bool:
        return node.word == "draw" and self.program.primitive_hooked("renew", None)

    def may_run_out(self, node: t.Line) -> bool:
        if node.word != "place":
            return False
        kinds = self.operand_kinds(node)
        if kinds is None:
            return bool(self.program.runs_out)
        return any(kind in self.program.runs_out for kind in kinds)

    def operand_kinds(self, node: t.Line) -> tuple[str, ...] | None:
        """The kinds that the operand may have, None if unknown."""
        return self.kinds_of(node.operand)

    def kinds_of(self, node: t.Expression | None) -> tuple[str, ...] | None:
        if isinstance(node, t.Quantity):
            kind = self.table.singular(node.unit or "")
            if node.unit and kind in self.table.kinds:
                return (kind,)
            return None
        if isinstance(node, t.At):
            return self.kinds_of(node.source)
        if isinstance(node, t.Select):
            return self.kinds_of(node.source)
        if isinstance(node, t.Get | t.Ask) and node.member in ("first", "last"):
            return self.kinds_of(node.base)
        if isinstance(node, t.Arithmetic) and node.op in ("|", "except"):
            left, right = self.kinds_of(node.left), self.kinds_of(node.right)
            if node.op == "except":
                return left
            return None if left is None or right is None else left + right
        if isinstance(node, t.Name):
            bound = self.scope.type_of(node.name) if self.e.bound(node.name) else None
            if bound is not None:
                kind = self.table.singular(bound.name)
                return (kind,) if kind in self.table.kinds else None
            found = self.e.is_kind_name(node)
            return (found,) if found else None
        if isinstance(node, t.AllOf):
            found = self.e.is_kind_name(node)
            return (found,) if found else None
        return None

    # ---- after the line ----------------------------------------------------------------------------------------------
    def finish(self, node: t.Line, *, sure: bool = False) -> None:
        """Bind the result; run `else`, or fail in strict lines, if it was not done."""
        if node.result is not None:
            slot = self.scope.add(node.result)
            self.emit(f"L[{slot}] = S.result")
        if self.unit.done == "all":
            self.emit("f.ok = f.ok and S.done")
        if node.otherwise is not None:
            if self.suspends(node.otherwise):
                end = self.label()
                self.emit(f"if S.done: return {end}")
                self.body(node.otherwise)
                self.goto(end)
                self.place(end)
            else:
                self.emit("if not S.done:")
                self.native(node.otherwise)
        elif self.strict and not sure:
            self.emit(f"if not S.done: fail(S, f, {self.line_id(node)}, '')")

    # ---- procedures --------------------------------------------------------------------------------------------------
    def procedure_call(self, node: t.Line) -> None:
        heads = self.program.heads_for(node.word, self.object_word(node))
        after = self.label()
        lid = self.line_id(node)
        args = self.arguments(node, heads)
        self.emit(f"f.pc = {after}")
        if len(heads) == 1 and not self.program.needs_event(heads[0]) and not heads[0].one_by_one:
            head = heads[0]
            slots = self.program.slots_of(head)
            values = ", ".join(args.get(name, "None") for name in slots)
            self.emit(f"if enter(S, f, {lid}, {self.program.use_head(head)}, [{values}]): return -1")
        else:
            group = self.program.use_heads(heads)
            parts = ", ".join(f"{name!r}: {text}" for name, text in args.items())
            self.emit(f"if call(S, f, {lid}, {group}, {{{parts}}}, {self.strict}): return -1")
        self.goto(after)
        self.place(after)
        self.finish(node, sure=all(head.done == "none" for head in heads))

    def object_word(self, node: t.Line) -> str | None:
        operand = node.operand
        if isinstance(operand, t.Quantity) and operand.unit:
            return self.table.singular(operand.unit)
        if isinstance(operand, t.Name) and not self.e.bound(operand.name):
            word = self.table.singular(operand.name)
            if any(head.head.object is not None and head.head.object == word for head in self.table.verbs[node.word]):
                return word
        return None

    def arguments(self, node: t.Line, heads: tuple[object, ...]) -> dict[str, str]:
        """Python texts of the arguments by preposition; `by` is you where the line does not say."""
        args: dict[str, str] = {}
        operand = node.operand
        if isinstance(operand, t.Quantity):
            args["n"] = self.e.value(operand.amount)
            if operand.unit:
                args["object"] = repr(self.table.singular(operand.unit))
            elif operand.computed is not None:
                args["object"] = self.e.value(operand.computed, "word")
        elif operand is not None:
            args["0"] = self.e.value(operand, self.program.wants_word(heads, "0"))
            if self.program.wants_set(heads, "0"):
                args["0"] = f"seq({args['0']})"
        for word, value in node.args:
            text = self.e.value(value, self.program.wants_word(heads, word))
            args[word] = f"seq({text})" if self.program.wants_set(heads, word) else text
        if "by" not in args and self.program.takes_by(heads):
            args["by"] = self.you_code()
        return args

    def you_code(self) -> str:
        return "f.you"

    # ---- primitive verbs ---------------------------------------------------------------------------------------------
    def primitive(self, node: t.Line) -> None:
        word = node.word
        if word in ("set", "raise", "lower"):
            self.write_field(node)
            return
        writer = getattr(self, f"verb_{word}", None)
        if writer is not None:
            writer(node)
            return
        lid = self.line_id(node)
        args = self.primitive_args(node)
        if self.hooked(node):
            after = self.label()
            parts = ", ".join(f"{name!r}: {text}" for name, text in args.items())
            self.emit(f"f.pc = {after}")
            self.emit(f"if propose(S, f, {lid}, {word!r}, {{{parts}}}): return -1")
            self.goto(after)
            self.place(after)
        else:
            parts = "".join(f", {_python(name)}={text}" for name, text in args.items())
            if self.program.interesting(word, None):
                record = ", ".join(f"{name!r}: {text}" for name, text in args.items())
                self.emit(f"record(S, {word!r}, None, {{{record}}})")
            if self.may_run_out(node) or self.renews(node):
                after = self.label()
                self.emit(f"f.pc = {after}")
                self.emit(f"if do_{word}(S, f, {lid}{parts}): return -1")
                self.goto(after)
                self.place(after)
            else:
                self.emit(f"do_{word}(S, f, {lid}{parts})")
        self.finish(node, sure=word in ("note", "shuffle", "renew", "hide", "roll"))

    def primitive_args(self, node: t.Line) -> dict[str, str]:
        args: dict[str, str] = {}
        operand = node.operand
        word = node.word
        if isinstance(operand, t.Quantity):
            args["n"] = self.e.value(operand.amount)
            if operand.unit:
                kind = self.table.singular(operand.unit)
                args["object"] = self.e.name(operand.unit) if self.e.bound(operand.unit) else repr(kind)
            elif operand.computed is not None:
                args["object"] = self.e.value(operand.computed, "word")
        elif operand is not None:
            if word == "draw":
                args["n"] = self.e.value(operand)
            elif word == "roll" and isinstance(operand, t.Name):
                args["0"] = repr(operand.name)
            else:
                args["0"] = self.things(operand) if word not in ("use", "rows", "note", "end_game") else self.e.value(operand)
        for preposition, value in node.args:
            aimed = preposition in ("to", "in") and word in ("move", "draw", "place")
            if aimed and isinstance(value, t.Get) and value.member in ("bottom", "top"):
                args[preposition] = self.e.value(value.base)
                if value.member == "bottom":
                    args["end"] = "True"
                continue
            if preposition in ("with", "for") or (word in ("flip", "orient") and preposition == "to"):
                args[preposition] = self.word_arg(value)
            elif word == "look" and preposition == "for" and isinstance(value, t.Name):
                args[preposition] = repr(value.name)
            else:
                args[preposition] = self.e.value(value)
        if word in ("look", "roll", "use", "act") and "by" not in args:
            args["by"] = self.you_code()
        return args

    def word_arg(self, value: t.Expression) -> str:
        if isinstance(value, t.Name) and not self.e.bound(value.name) and value.name not in ("you", "this"):
            return repr(value.name)
        return self.e.value(value)

    def things(self, operand: t.Expression) -> str:
        kind = self.e.is_kind_name(operand)
        if kind is not None and self.table.kinds[kind].limit == 1:
            return self.e.value(operand)
        if kind is not None:
            return self.e.set(operand)
        return self.e.value(operand)

    def verb_rows(self, node: t.Line) -> None:
        after = self.label()
        card = self.e.value(node.operand) if node.operand is not None else "this"
        key_node = node.arg("for")
        key = "None" if key_node is None else self.e.value(key_node, "word")
        self.emit(f"f.pc = {after}")
        self.emit(f"if do_rows(S, f, {self.line_id(node)}, {card}, {key}): return -1")
        self.goto(after)
        self.place(after)
        self.finish(node, sure=True)

    def verb_use(self, node: t.Line) -> None:
        after = self.label()
        deed = self.e.value(node.operand) if node.operand is not None else "None"
        by_node, boss_node = node.arg("by"), node.arg("for")
        by = self.you_code() if by_node is None else self.e.value(by_node)
        boss = "None" if boss_node is None else self.e.value(boss_node)
        self.emit(f"f.pc = {after}")
        self.emit(f"if do_use(S, f, {self.line_id(node)}, {deed}, {by}, {boss}, {self.strict}): return -1")
        self.goto(after)
        self.place(after)
        self.finish(node)

    def verb_act(self, node: t.Line) -> None:
        after = self.label()
        by_node = node.arg("by")
        by = self.you_code() if by_node is None else self.e.value(by_node)
        self.emit(f"f.pc = {after}")
        self.emit(f"if do_act(S, f, {self.line_id(node)}, {by}): return -1")
        self.goto(after)
        self.place(after)
        self.finish(node)

    def verb_end_game(self, node: t.Line) -> None:
        self.emit(f"return do_end_game(S, f, {self.line_id(node)}, {node.notes.because or ''!r})")
        self.closed = True

    def verb_win(self, node: t.Line) -> None:
        by = node.arg("by")
        self.emit(f"do_win(S, f, {self.line_id(node)}, {self.e.set(by) if by is not None else '()'})")

    def verb_note(self, node: t.Line) -> None:
        text = node.operand.value if isinstance(node.operand, t.Text) else ""
        self.emit(f"do_note(S, f, {self.line_id(node)}, {text!r})")

    # ---- fields ------------------------------------------------------------------------------------------------------
    def write_field(self, node: t.Line) -> None:
        """`set x.f to v`, `set local to v`, `set result to v`, `raise`/`lower` of fields, locals and tracks."""
        target = node.operand
        lid = self.line_id(node)
        word = node.word
        by_number = node.arg("by") if word != "set" else node.arg("to")
        amount = "1" if by_number is None else None
        if isinstance(target, t.Name) and target.name == "result":
            self.emit(f"set_result(S, f, {self.e.value(by_number) if by_number is not None else 'None'})")
            return
        if isinstance(target, t.Name) and self.e.bound(target.name):
            place = self.e.name(target.name)
            value = amount or self.e.value(by_number, self.word_typed(target)) if by_number is not None else "1"
            if word == "set":
                self.emit(f"{place} = {value}")
            else:
                self.emit(f"{place} = num({place}) {'+' if word == 'raise' else '-'} num({value})")
            self.emit("S.done = True")
            return
        value = amount or (self.e.value(by_number, self.field_want(target)) if by_number is not None else "1")
        track = self.e.track_of(target) if target is not None else None
        if isinstance(target, t.Name) and track is not None:
            address = str(self.program.world.track_at[track])
            thing = "None"
        else:
            base, member = self.target(target)
            if member is None:
                self.emit(f"unknown_line(S, {word!r}, {lid})")
                return
            address, thing = self.program.field_code(member), base
        member_name = target.name if isinstance(target, t.Name) else getattr(target, "member", "")
        self.program.note_write(member_name)
        length = str(len(self.table.tracks[track].values)) if track is not None else "0"
        hooked = self.program.primitive_hooked(word, None) and self.program.field_hooked(word, member_name)
        call = f"(S, f, {lid}, {address}, {thing}, {member_name!r}, {value}, {length})"
        if self.program.interesting(word, None):
            self.emit(f"record(S, {word!r}, None, {{'0': {member_name!r}, 'on': {thing}, 'n': {value}}})")
        if hooked:
            after = self.label()
            self.emit(f"f.pc = {after}")
            self.emit(f"if propose_write(S, f, {lid}, {word!r}, {address}, {thing}, {member_name!r}, {value}, {length}): return -1")
            self.goto(after)
            self.place(after)
        else:
            self.emit(f"do_{word}{call}")
        self.finish(node, sure=word == "set")

    def word_typed(self, target: t.Name) -> str | None:
        type_ = self.scope.type_of(target.name)
        return "word" if type_ is not None and (type_.name == "word" or type_.name in self.table.words) else None

    def field_want(self, target: t.Expression | None) -> str | None:
        member = getattr(target, "member", None)
        type_ = self.program.world.field_type.get(member) if member else None
        return "word" if type_ is not None and (type_.name == "word" or type_.name in self.table.words) else None

    def target(self, node: t.Expression | None) -> tuple[str, str | None]:
        if isinstance(node, t.Your):
            return "you", node.member
        if isinstance(node, t.Get):
            kind = self.e.is_kind_name(node.base)
            if kind is not None and self.table.kinds[kind].limit != 1 and kind != "game":
                return self.e.set(node.base), node.member
            if isinstance(node.base, t.Select | t.At):
                return self.e.set(node.base), node.member
            return self.e.value(node.base), node.member
        return "None", None

    def test_line(self, node: t.Line) -> None:
        raise NotImplementedError


def _python(name: str) -> str:
    """A keyword name for a preposition."""
    return {"0": "things", "n": "n", "object": "kind_word", "end": "end"}.get(name, name + "_")
