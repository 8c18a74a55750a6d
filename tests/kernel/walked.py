"""Games whose expressions are all evaluated by the oracle, and games that evaluate each both ways before every seat's eyes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from nemesis import programs
from nemesis.kernel.program import Program
from nemesis.kernel.signal import Unknown
from nemesis.kernel.trial import Trial
from nemesis.lower.expression import ExpressionWriter
from nemesis.lower.pattern import Matched, event_verb, match_code
from nemesis.state import State
from rulescript import tree as t
from rulescript.table.declarations import declare
from rulescript.table.survey import survey
from rulescript.table.survey import walk as nodes_of
from tests.proof.playing import Setting, answers

from . import question as q
from .walker import flat_keys, walk


class WalkWriter(ExpressionWriter):
    """Writes calls of `walk` for whole expressions."""

    def call(self, how: str, node: Any, more: str = "", mentions: Any = None) -> str:
        program = self.program
        program.counter += 1
        name = program.use(f"N{program.counter}", node)
        program.namespace["walk"] = walk
        names: dict[str, str] = {}
        for one in nodes_of(mentions if mentions is not None else node):
            if isinstance(one, t.Did):
                program.note_interest(*event_verb(self, one.pattern)[:2])
            word = one.name if isinstance(one, t.Name) else "you" if isinstance(one, t.Your) else getattr(one, "unit", None)
            for bound in (word, f"{word} amounts") if word else ():
                code = self.scope.code(bound)
                if code is not None or bound in ("you", "this"):
                    names[bound] = code or bound
                elif self.it and bound in ("it", self.loop_name):
                    names[bound] = self.it[-1 if bound == "it" else 0]
        env = [f"{bound!r}: {code}" for bound, code in names.items()]
        if self.loop_name is not None:
            env.append(f"'*loop': {self.loop_name!r}")
        if self.scope.objects:
            env.append(f"'*objects': {tuple(sorted(self.scope.objects))!r}")
        return f"walk(S, {how!r}, {name}, {{{', '.join(env)}}}, {self.event}{more})"

    def value(self, node: t.Expression, want: str | None = None) -> str:
        return self.call("value", node, f", {want!r}" if want else "")

    def set(self, node: t.Expression) -> str:
        return self.call("set", node)

    def filtered(self, source: t.Expression, where: t.Expression | None, *, lazy: bool = False) -> str:
        return (
            self.set(source)
            if where is None
            else self.call("filtered", source, f", {self.program.use(f'W{id(where)}', where)}", t.And((source, where), span=source.span))
        )

    def any_(self, node: t.Expression) -> str:
        return self.call("any", t.Any(node, span=node.span))

    def key_parts(self, keys: tuple[t.SortKey, ...], it: str) -> list[str]:
        return [self.call("sort_key", one, f", {it}") for one in flat_keys(self.table, self.scope_names(), keys)] or ["0"]

    def scope_names(self) -> Any:
        return {*self.scope.slots, *self.scope.python, *(self.scope.outer.slots if self.scope.outer else ())}

    def key_test(self, key: t.Expression, value: str) -> str:
        return self.call("key_fits", key, f", {value}")

    def match(self, pattern: t.Pattern, *, after: bool = False) -> Matched:
        matched = match_code(self, pattern, after=after)
        matched.tests = [self.call("fits", pattern, f", A, X, {after}")]
        return matched

    @staticmethod
    def make_member(program: Program, name: str, checked: bool, public: str) -> None:
        program.namespace[public] = lambda S, x, *args: q.ask(S, x, name, args)


class BothWriter(WalkWriter):
    """Evaluates everything compiled and walked, outside of trials also with the eyes of each seat and of the public."""

    differences: dict[str, str] = {}
    asked = 0
    unknown = 0

    def both(self, where: t.Node, how: str, *args: Any) -> str:
        texts = []
        for checked in (False, True):
            plain = ExpressionWriter(self.program, self.scope, checked=checked, event=self.event)
            plain.it, plain.loop_name = list(self.it), self.loop_name
            found = getattr(plain, how)(*args)
            if isinstance(found, Matched):
                found = f"bool({' and '.join(found.tests) or 'True'})"
            texts.append(found[0] if isinstance(found, list) else found)
        walked = getattr(WalkWriter, how)(self, *args)
        walked = walked.tests[0] if isinstance(walked, Matched) else walked[0] if isinstance(walked, list) else walked
        self.program.namespace["compare"] = compare
        return f"compare(S, {where.span.where!r}, lambda: {texts[0]}, lambda: {texts[1]}, lambda: {walked})"

    def value(self, node: t.Expression, want: str | None = None) -> str:
        return self.both(node, "value", node, want)

    def set(self, node: t.Expression) -> str:
        return self.both(node, "set", node)

    def filtered(self, source: t.Expression, where: t.Expression | None, *, lazy: bool = False) -> str:
        return self.both(source, "filtered", source, where)

    def any_(self, node: t.Expression) -> str:
        return self.both(node, "any_", node)

    def key_parts(self, keys: tuple[t.SortKey, ...], it: str) -> list[str]:
        flat = flat_keys(self.table, self.scope_names(), keys)
        return [self.both(one, "key_parts", (one,), it) for one in flat] or ["0"]

    def key_test(self, key: t.Expression, value: str) -> str:
        return self.both(key, "key_test", key, value)

    def match(self, pattern: t.Pattern, *, after: bool = False) -> Matched:
        matched = match_code(ExpressionWriter(self.program, self.scope, checked=self.checked, event=self.event), pattern, after=after)
        matched.tests = [self.both(pattern, "match", pattern)] if not after else matched.tests
        return matched

    @staticmethod
    def make_member(program: Program, name: str, checked: bool, public: str) -> None:
        ExpressionWriter.make_member(program, name, checked, public)


def outcome(function: Callable[[], Any]) -> Any:
    try:
        found = function()
    except Unknown:
        BothWriter.unknown += 1
        return Unknown
    return tuple(found) if type(found) is list else found


def compare(S: State, where: str, plain: Callable[[], Any], checked: Callable[[], Any], walked: Callable[[], Any]) -> Any:
    """The compiled value; what the oracle says otherwise is noted in `BothWriter.differences`."""
    BothWriter.asked += 1
    trial, script, S.script = S.trial, S.script, {}
    eyes = [trial] if trial is not None else [None, *(Trial(view, 0) for view in range(-1, len(S.program.world.seats)))]
    for one in eyes:
        S.trial = one
        mine, other = outcome(plain if one is None else checked), outcome(walked)
        if mine != other:
            said = f"view {one.view if one is not None else 'all'}: compiled {mine!r}, walked {other!r}"
            BothWriter.differences.setdefault(where, said)
    S.trial, S.script = trial, script
    return plain() if trial is None else checked()


def program_with(setting: Setting, writer: type[ExpressionWriter]) -> Program:
    loaded = programs.packs_of((setting.pack,), setting.roots)
    nodes = list(loaded.nodes())
    program = Program(declare(nodes), survey(node for node, _ in nodes), attrs.asdict(loaded.ruleset), dict(loaded.modes), setting.seats)
    program.writer_class = writer
    return program


def journal_with(setting: Setting, seed: int, program: Program | None) -> Iterator[str]:
    """Decisions, answers and all entries for all eyes of a random game; played by `program`, or by the usual one."""
    key = (setting.pack, *(str(root) for root in setting.roots), str(setting.seats))
    usual, _ = programs.program_of((setting.pack,), setting.seats, setting.roots)
    programs._programs[key] = program or usual
    try:
        game = setting.begin(seed)
        for decision, answer in answers(game, seed):
            yield json.dumps({"decision": decision.to_json(), "answer": answer}, sort_keys=True)
        for eyes in (None, "table", *game.seats):
            for entry in game.journal(eyes, 0, "full"):
                yield json.dumps({"eyes": eyes, **entry.to_json(), "text": entry.text}, sort_keys=True)
        yield json.dumps({"winners": game.winners, "hash": game.hash()})
    finally:
        programs._programs[key] = usual
