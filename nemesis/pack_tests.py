"""Running the tests that are written in `*_test.nrs`: each on a fresh state, line by line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from nemesis.beginning import new_state
from nemesis.kernel.code import Code
from nemesis.kernel.decide import apply, option_id
from nemesis.kernel.frame import Frame
from nemesis.kernel.program import Program
from nemesis.kernel.run import advance
from nemesis.kernel.script import lay_on_top
from nemesis.kernel.signal import ContentError, LoopFound
from nemesis.lower.calls import TEST_WORDS
from nemesis.lower.expression import ExpressionWriter
from nemesis.lower.scope import Scope
from nemesis.position import PositionWriter
from nemesis.state import State
from nemesis.world.thing import Ref
from nemesis.written import literals, parts, source_text, source_text_of, texts, zone_text
from rulescript import tree as t
from rulescript.pack.load import LoadedPacks, load_packs
from rulescript.syntax.fragment import FragmentError
from rulescript.table.declarations import Declarations, declare, slug
from rulescript.table.survey import survey

if TYPE_CHECKING:
    from nemesis.coverage import Coverage


@attrs.frozen
class TestResult:
    """How one test went; `problems` is empty if it passed."""

    __test__ = False

    pack: str
    file: str
    title: str
    cites: tuple[str, ...]
    where: str
    problems: tuple[str, ...]

    @property
    def passed(self) -> bool:
        return not self.problems


class TestStop(Exception):
    """A test that cannot go on."""

    __test__ = False


def run_tests(
    packs: Sequence[str],
    roots: Sequence[Path] = (),
    *,
    files: Iterable[str] | None = None,
    titles: Sequence[str] = (),
    writer: type[ExpressionWriter] = ExpressionWriter,
    coverage: Coverage | None = None,
) -> list[TestResult]:
    """Run the tests of the named packs' test files (all, or those whose file name is in `files` and title contains one of `titles`).

    With `coverage`, what they reach is noted there. Files that define nothing share their programs.
    """
    results: list[TestResult] = []
    wanted = None if files is None else set(files)
    for name in packs:
        loaded = load_packs([name], roots)
        own = loaded.packs[-1]
        tested = [file for file in own.files if file.test and (wanted is None or file.name in wanted)]
        plain = [file.name for file in tested if all(isinstance(item.node, t.Test) for item in file.parsed.items)]
        shared: FileRunner | None = None
        for file in tested:
            if file.name not in plain:
                runner = FileRunner(loaded, own.id, (file.name,), roots, writer=writer, coverage=coverage)
            elif shared is None:
                runner = shared = FileRunner(loaded, own.id, plain, roots, writer=writer, coverage=coverage)
            else:
                runner = shared
            for node, source in runner.tests:
                if source.file == file.name and (not titles or any(part in node.title for part in titles)):
                    results.append(runner.run(node, file.name))
    return results


def table_with_tests(loaded: LoadedPacks, pack: str, *files: str) -> tuple[Declarations, list[t.Node]]:
    """The declarations of some packs and of some test files of one of them (what one of these defines exists for its own tests only)."""
    items = list(loaded.nodes())
    for pack_ in loaded.packs:
        if pack_.id != pack:
            continue
        for one in pack_.files:
            if one.test and one.name in files:
                from rulescript.table.definition import Source

                for number, item in enumerate(one.parsed.items):
                    items.append((item.node, Source(pack_.id, one.name, pack_.rank, 100_000 + number, item.hash)))
    return declare(items), [node for node, _ in items]


class FileRunner:
    """All tests of some files (of one, if it defines anything); programs are shared by tests with the same packs and number of seats."""

    def __init__(
        self,
        loaded: LoadedPacks,
        pack: str,
        files: Sequence[str],
        roots: Sequence[Path],
        *,
        writer: type[ExpressionWriter] = ExpressionWriter,
        coverage: Coverage | None = None,
    ) -> None:
        self.pack = pack
        self.files = tuple(files)
        self.roots = roots
        self.writer = writer
        self.coverage = coverage
        self.cache: dict[str, bytes] = {}
        self.loaded: dict[tuple[str, ...], LoadedPacks] = {(): loaded}
        self.programs: dict[tuple[tuple[str, ...], int], Program] = {}
        self.table, self.nodes = table_with_tests(loaded, pack, *self.files)
        self.tests = self.table.tests

    def program(self, more: tuple[str, ...], seats: int) -> Program:
        key = (more, seats)
        if key not in self.programs:
            if more not in self.loaded:
                self.loaded[more] = load_packs([self.pack, *more], self.roots)
            loaded = self.loaded[more]
            table, nodes = table_with_tests(loaded, self.pack, *self.files) if more else (self.table, self.nodes)
            program = Program(table, survey(nodes), attrs.asdict(loaded.ruleset), dict(loaded.modes), seats, scenario=True)
            program.writer_class = self.writer
            program.cache = self.cache  # what differs by the number of seats is little
            if self.coverage is not None:
                self.coverage.watch(program)
            self.programs[key] = program
        return self.programs[key]

    def run(self, node: t.Test, file: str = "") -> TestResult:
        problems: list[str] = []
        try:
            TestRun(self, node, problems).run()
        except TestStop as stop:
            problems.append(str(stop))
        except ContentError as error:
            problems.append(str(error))
        except LoopFound as loop:
            problems.append(f"loop: {loop.reason}: {' > '.join(loop.cycle)}")
        except RecursionError:
            problems.append("questions that ask each other without an end")
        return TestResult(self.pack, file or self.files[0], node.title, node.notes.cites, node.span.where, tuple(problems))


class TestRun:
    """One test."""

    __test__ = False

    def __init__(self, runner: FileRunner, node: t.Test, problems: list[str]) -> None:
        self.runner = runner
        self.node = node
        self.problems = problems
        lines = node.block.lines
        more = tuple(texts(line.operand) for line in lines if isinstance(line, t.Line) and line.word == "with_packs")
        packs = tuple(name for group in more for name in group)
        positions = [line for line in lines if isinstance(line, t.Line) and line.word == "given"]
        seats = max(self.count_seats(positions), 1)
        self.program = runner.program(packs, seats)
        seed = next(
            (
                line.operand.value
                for line in lines
                if isinstance(line, t.Line) and line.word == "seed" and isinstance(line.operand, t.Number)
            ),
            1,
        )
        self.S = new_state(self.program, seed, tuple(f"p{n + 1}" for n in range(seats)), {})
        self.S.interest = 1
        self.positions = positions
        for line in positions:
            assert isinstance(line.operand, t.Text)
            try:
                PositionWriter(self.S).write(line.operand.value)
            except (ContentError, FragmentError) as error:
                raise TestStop(f"line {line.span.line}: {error}") from None
        self.S.dirty = False
        self.S.commits = 0
        self.answers: dict[int, list[Any]] = {}
        self.added: dict[int, int] = {}
        self.checks: dict[int, list[tuple[str, Any, int, int]]] = {}
        self.scope = Scope()
        self.locals: list[Any] = []
        self.expected_warnings: set[str] = set()
        self.twins: list[tuple[State, Scope, list[Any]]] = []
        self.start = self.S.clone()

    def count_seats(self, positions: list[t.Line]) -> int:
        """How many acting things the positions name."""
        import re

        table = self.runner.table
        acting = {made.id for made in table.definitions.values() if any(k in table.kinds and _acts(table, k) for k in made.kinds)}
        text = " ".join(line.operand.value for line in positions if isinstance(line.operand, t.Text))
        text += " " + source_text_of(self.node)
        numbers = [int(n) for n in re.findall(r"seat#([0-9]+)", text)]
        return max(
            max(numbers, default=0),
            len(
                {
                    word
                    for word in re.findall(
                        r"[a-z][a-z0-9_]*", " ".join(line.operand.value for line in positions if isinstance(line.operand, t.Text))
                    )
                    if word in acting
                }
            ),
        )

    def run(self) -> None:
        for line in self.node.block.lines:
            self.line(line)
        self.close()

    def close(self) -> None:
        read = self.S.script.pop("", [])
        for name, rest in self.S.script.items():
            zone = self.program.world.by_name.get(name)
            if rest and type(rest[0]) is Ref and zone is not None and self.S.inside[zone][-1:] == (rest[0],) and zone not in read:
                rest = [show(self.S, x) for x in rest]
            elif rest and type(rest[0]) is Ref:
                continue
            if rest:
                self.problems.append(f"script {name}: left over: {', '.join(map(str, rest))}")
        for seat, answers in self.answers.items():
            if answers:
                self.problems.append(f"answers of seat {seat + 1} left over: {', '.join(map(str, answers))}")
        for seat, checks in self.checks.items():
            for word, names, number, _ in checks:
                self.problems.append(f"line {number}: {word} of seat {seat + 1} was never checked: {names}")
        for warning in self.S.warnings:
            if not warning.startswith("expect:") and warning not in self.expected_warnings:
                self.problems.append(f"unexpected warning {warning}")

    def line(self, node: t.Node) -> None:
        if isinstance(node, t.Line) and node.word in TEST_WORDS:
            self.prepare(node)
            return
        if isinstance(node, t.Expect):
            self.note_expected(node)
        self.execute(node, self.S, self.scope, self.locals)

    def note_expected(self, node: t.Expect) -> None:
        from rulescript.table.survey import walk

        for one in walk(node):
            if isinstance(one, t.Function) and one.name == "warned" and isinstance(one.args[0], t.Text):
                self.expected_warnings.add(one.args[0].value)

    def prepare(self, node: t.Line) -> None:
        word = node.word
        if word == "script":
            assert isinstance(node.operand, t.Name | t.Get | t.Function)
            name = node.operand.name if isinstance(node.operand, t.Name) else zone_text(node.operand)
            values = literals(node.arg("with"))
            self.script(name, values)
        elif word == "answer":
            seat = self.seat(node.operand)
            values = literals(node.arg("with"))
            self.answers.setdefault(seat, []).extend(values)
            self.added[seat] = self.added.get(seat, 0) + len(values)
        elif word in ("offers", "withholds"):
            seat = self.seat(node.operand)
            self.checks.setdefault(seat, []).append((word, literals(node.arg("with")), node.span.line, self.added.get(seat, 0)))
        elif word == "twin":
            twin = self.start.clone()
            scope = Scope()
            locals_: list[Any] = []
            for line in node.block.lines if node.block else ():
                self.execute(line, twin, scope, locals_)
            self.twins.append((twin, scope, locals_))
            self.program.namespace["twin_value"] = self.twin_value

    def script(self, name: str, values: list[Any]) -> None:
        zone = self.program.world.by_name.get(name)
        info = self.program.zone_info.get(zone) if zone is not None else None
        if zone is not None and info is not None and info.order != "mixed":
            waiting = [x for x in self.S.script.get(name, []) if isinstance(x, Ref)]
            self.S.script[name] = waiting + lay_on_top(self.S, zone, values)
            for x in reversed(self.S.script[name]):
                self.S.inside[zone] = (*[y for y in self.S.inside[zone] if y != x], x)
        elif zone is None and name not in self.program.table.dice:
            raise TestStop(f"script {name}: there is no such die, deck or bag")
        else:
            self.S.script.setdefault(name, []).extend(values)

    def twin_value(self, S: State, *names: str) -> Any:
        twin, scope, locals_ = self.twins[-1]
        if names[0] in scope.slots:
            value = locals_[scope.slots[names[0]]]
            return value
        ref = self.program.world.by_name.get(names[0])
        if ref is None:
            raise ContentError(f"twin has no {names[0]}")
        if len(names) == 1 or names[1] in ("cards", "order"):
            return twin.inside[ref]
        return self.program.ask(twin, names[1], ref)

    def seat(self, node: t.Expression | None) -> int:
        name = node.name if isinstance(node, t.Name) else ""
        ref = self.program.world.by_name.get(name)
        seat = self.program.seat_of_thing(self.S, ref) if ref is not None else -1
        if seat < 0:
            raise TestStop(f"{name} has no seat in this test")
        return seat

    def execute(self, node: t.Node, S: State, scope: Scope, locals_: list[Any]) -> None:
        """Run one line to its end, answering what is asked."""
        if S.ended and not isinstance(node, t.Expect):
            raise TestStop(f"line {node.span.line}: the game has ended already")
        code = Code(self.program, f"test:{self.node.title}", t.Block((node,), span=node.span), scope)
        if isinstance(node, t.Until):
            self.persistent(node, S, code, locals_)
            return
        size = code.ready()
        scope.slots, scope.types, scope.size = dict(code.scope.slots), dict(code.scope.types), size
        locals_ += [None] * (size - len(locals_))
        frame = Frame(code, locals_, None, None, None, S.commits)
        before = len(S.warnings)
        self.program.forced_hook = self.forced
        S.frames.append(frame)
        S.fuel, S.purse = 20_000, 20_000
        advance(S)
        while S.pending is not None:
            self.answer(S)
            S.fuel, S.purse = 20_000, 20_000
            advance(S)
        locals_[:] = frame.locals
        failed = [one for one in S.warnings[before:] if one.startswith("expect:")]
        if failed:
            self.problems.append(f"line {node.span.line}: expected {self.explain(node, frame, S)}")
            S.warnings = S.warnings[:before]

    def persistent(self, node: t.Until, S: State, code: Code, locals_: list[Any]) -> None:
        from nemesis.kernel.frame import Lasting

        code.ready()
        index = self.program.until_index(node, code.scope, code)
        S.lasting.append(Lasting(index, list(locals_), None, None, -1, None))

    def explain(self, node: t.Node, frame: Frame, S: State) -> str:
        """The condition in its own words; for a comparison also what each side is."""
        assert isinstance(node, t.Expect)
        text = source_text(node.condition.span)
        found = []
        for part in parts(node.condition):
            if isinstance(part, t.Compare):
                for side in (part.left, part.right):
                    if not isinstance(side, t.Number | t.Flag | t.Text):
                        found.append(f"{source_text(side.span)} is {self.value(side, frame, S)}")
        return text + (f" ({'; '.join(found)})" if found else "")

    def value(self, node: t.Expression, frame: Frame, S: State) -> str:
        writer = self.program.writer_class(self.program, Scope(dict(frame.code.scope.slots), {}, None, {}, frame.code.size))
        function = self.program.function(f"def x(S, f, L):\n    you = this = None\n    return {writer.value(node)}", "x", "expect")
        return show(S, function(S, frame, frame.locals))

    def answer(self, S: State) -> None:
        pending = S.pending
        assert pending is not None
        ids = [option_id(S, pending, i) for i in range(len(pending.options))]
        checks = self.checks.pop(pending.seat, [])
        given = self.added.get(pending.seat, 0) - len(self.answers.get(pending.seat, []))
        if later := [check for check in checks if check[3] > given]:
            self.checks[pending.seat] = later
        for word, names, number, turn in checks:
            for name in names if turn <= given else ():
                offered = self.takes(S, pending, name)
                if offered != (word == "offers"):
                    missing = "not " if word == "offers" else ""
                    self.problems.append(f"line {number}: {name} is {missing}offered; offered are {', '.join(ids)}")
        waiting = self.answers.get(pending.seat, [])
        if not waiting and pending.kind == "choose_some" and pending.minimum == 0:
            apply(S, ())
            return
        if not waiting:
            raise TestStop(f"seat {pending.seat + 1} is asked ({pending.prompt}) and has no answer; offered are {', '.join(ids)}")
        said = waiting.pop(0)
        if pending.kind in ("choose_some", "order") or (pending.kind == "secret_batch" and pending.maximum > 1):
            names = list(said) if isinstance(said, tuple) else [] if said == "none" else [said]
            while names and not isinstance(said, tuple) and len(names) < pending.maximum and waiting:
                if not any(self.means(S, pending, i, waiting[0]) for i in range(len(ids))):
                    break
                names.append(waiting.pop(0))
            apply(S, tuple(self.index(S, pending, name, ids) for name in names))
        else:
            apply(S, self.index(S, pending, said, ids))

    def takes(self, S: State, pending: Any, said: Any) -> bool:
        """Whether this answer could be given; a list is an answer to a choice of several, if it is neither too short nor too long."""
        if isinstance(said, tuple):
            some = pending.kind == "choose_some" and pending.minimum <= len(said) <= pending.maximum
            return some and all(self.takes(S, pending, one) for one in said)
        return any(self.means(S, pending, i, said) for i in range(len(pending.options)))

    def forced(self, S: State, seat: int, name: str) -> None:
        """A forced choice takes the next answer if that names it."""
        waiting = self.answers.get(seat, [])
        if not waiting:
            return
        said = waiting[0]
        names = said if isinstance(said, tuple) else (said,)
        known = {name, name.split("#")[0]} if name.endswith("#1") else {name}
        if all(one in known or slug(str(one)) in known for one in names):
            waiting.pop(0)

    def index(self, S: State, pending: Any, said: Any, ids: list[str]) -> int:
        for i in range(len(ids)):
            if self.means(S, pending, i, said):
                return i
        raise TestStop(f"{said} is no option of seat {pending.seat + 1} ({pending.prompt}); offered are {', '.join(ids)}")

    def means(self, S: State, pending: Any, index: int, said: Any) -> bool:
        name = option_id(S, pending, index)
        if str(said) == name or (isinstance(said, str) and slug(said) == name):
            return True
        if said is True or said is False:
            word = "yes" if said else "no"
            if pending.target[0] == "window":
                return (pending.options[index] is None) != said and (not said or len(pending.options) == 2)
            return name == word
        option = pending.options[index]
        if isinstance(option, tuple) and pending.kind == "action" and isinstance(said, str):
            deed = option[0]
            return type(deed.card) is Ref and f"{S.name(deed.card)}.{self.program.actions[deed.action].name}" == said
        if type(option) is Ref and isinstance(said, str):
            named = self.program.world.by_name.get(said)
            made = self.program.world.definition[option]
            there = named is not None and self.program.on_map[named] and S.place[option] == named
            return named == option or there or (made is not None and made.id == said)
        if pending.target[0] == "window" and option is not None and isinstance(said, str):
            rule, this = option[0], option[1]
            named_so = type(this) is Ref and self.program.world.name_of(this) == said
            return rule.label == said or slug(rule.because) == slug(said) or named_so
        return False


def show(S: State, value: Any) -> str:
    if type(value) is Ref:
        return S.name(value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return "[" + ", ".join(show(S, one) for one in value) + "]"
    return str(value)


def _acts(table: Declarations, kind: str) -> bool:
    return any(table.kinds[up].acts for up in table.ancestors(kind) if up in table.kinds)
