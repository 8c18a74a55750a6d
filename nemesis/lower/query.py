"""Questions: a pack's queries, fields and zones of one name as one function, with the modifiers in force on top."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from nemesis.lower.expression import ExpressionWriter
from nemesis.lower.map_question import MapQuestions
from nemesis.lower.member import BUILT_IN
from nemesis.lower.scope import Scope
from nemesis.lower.watched import asked, question_ran
from nemesis.world.thing import Ref
from rulescript import tree as t
from rulescript.table.declarations import QueryInfo
from rulescript.table.survey import walk

if TYPE_CHECKING:
    from nemesis.kernel.program import Program


def make_member(program: Program, name: str, checked: bool, public: str) -> None:
    """Put the function that answers `x.name(args)` into the namespace under `public`."""
    world = program.world
    infos = program.table.queries.get(name, [])
    modified = program.is_modified(name)
    holder: dict[str, Any] = {}

    def later(S: Any, x: Any, *args: Any) -> Any:
        return holder["answer"](S, x, *args)

    program.namespace[public] = later
    program.namespace[f"A{public}"] = [later] * world.count
    texts = [_text(program, info, checked) for info in infos]
    if checked and not modified and _nothing_to_check(program, name, texts):
        plain_name = program.member_name(name, False)
        for known in (public, f"A{public}"):
            program.namespace[known] = program.namespace[known.replace(public, plain_name)]
        program.same_when_checked(name)
        return
    written = [_function(program, info, text, checked) for info, text in zip(infos, texts, strict=True)]
    answers: list[Callable[..., Any] | None] = [None] * world.count
    alike: dict[Any, Callable[..., Any] | None] = {}
    address = world.field_at.get(name)
    zones = {ref for (zone, _), ref in world.zone_ids.items() if zone == name}
    for ref in range(world.count):
        made = world.definition[ref]
        likeness = (world.kinds[ref], made.id if made is not None and made.id else None)
        own = (address is not None and address[ref] >= 0) or bool(zones and world.zone_of(name, ref) is not None)
        if own or likeness not in alike:
            answers[ref] = _answer_for(program, name, ref, infos, written, checked)
            if not own:
                alike[likeness] = answers[ref]
        else:
            answers[ref] = alike[likeness]
    for ref, value in world.overrides.get(name, {}).items():
        if not any(info.definition is not None and _is_of(program, ref, info.definition) for info in infos):
            answers[ref] = _constant(value)

    if checked and (name in world.overrides or any(info.definition is not None for info in infos)):
        for ref in range(world.count):
            if program.hideable[ref]:
                answers[ref] = _seen(answers[ref])

    def answer(S: Any, x: Any, *args: Any) -> Any:
        if type(x) is not Ref:
            if type(x) is tuple and len(x) == 1:
                return answer(S, x[0], *args)
            return None
        function = answers[x]
        return function(S, x, *args) if function is not None else None

    built_in = BUILT_IN.get(name)
    if built_in is not None:
        plain = program.function(f"def b(S, x):\n    return {built_in.format(x='x', c='_c' if checked else '')}", "b", f"built-in/{name}")

        def answer_or_built_in(S: Any, x: Any, *args: Any) -> Any:
            if type(x) is Ref and answers[x] is not None:
                return answer(S, x, *args)
            return plain(S, x)

        declared = answer_or_built_in
    else:
        declared = answer
    found: Callable[..., Any] = declared
    if name == "cost" and not infos:
        from nemesis.kernel.offer import base_cost

        found = base_cost
    if name == "limit_in":
        found = _nothing
    if modified:
        from nemesis.kernel.modifier import modified as with_modifiers

        by_thing = [one or found for one in answers] if found is declared else [found] * world.count
        found = with_modifiers(program, name, found, by_thing, checked)
    holder["answer"] = found
    table = program.namespace[f"A{public}"]
    for ref in range(world.count):
        table[ref] = answers[ref] or _nothing
    program.namespace[public] = found


def _nothing(S: Any, x: Any, *args: Any) -> Any:
    return None


def _is_of(program: Program, ref: int, definition: str) -> bool:
    made = program.world.definition[ref]
    return made is not None and made.id == definition


def _seen(function: Callable[..., Any] | None) -> Callable[..., Any]:
    """An answer that depends on what is written on a thing: in a trial its face must be seen."""
    from nemesis.kernel.sight import see

    def read_seen(S: Any, x: Any, *args: Any) -> Any:
        see(S, x)
        return None if function is None else function(S, x, *args)

    return read_seen


def _constant(value: Any) -> Callable[..., Any]:
    def give(S: Any, x: Any, *args: Any) -> Any:
        return value

    return give


def _answer_for(
    program: Program, name: str, ref: int, infos: list[QueryInfo], written: list[Callable[..., Any]], checked: bool
) -> Callable[..., Any] | None:
    """The most specific query that fits a thing, else its field, else its zone."""
    world = program.world
    for info, function in zip(infos, written, strict=True):
        if info.definition is not None and _is_of(program, ref, info.definition):
            return function
    best: tuple[int, Callable[..., Any]] | None = None
    lineage = [up for own in world.kinds[ref] for up in program.table.ancestors(own)]
    for info, function in zip(infos, written, strict=True):
        if info.definition is None and info.receiver in lineage:
            place = lineage.index(info.receiver)
            if best is None or place < best[0]:
                best = (place, function)
    address = world.field_at.get(name)
    if address is not None and address[ref] >= 0:
        at = address[ref]
        field_owner = next(
            (place for place, up in enumerate(lineage) if up in program.table.kinds and name in program.table.kinds[up].fields), 99
        )
        if best is None or field_owner <= best[0]:
            if checked and program.hideable[ref]:
                from nemesis.kernel.sight import see

                def read_seen(S: Any, x: Any, *args: Any) -> Any:
                    see(S, x)
                    return S.v[at]

                return read_seen

            def read(S: Any, x: Any, *args: Any) -> Any:
                return S.v[at]

            return read
    if best is not None:
        return best[1]
    zone = world.zone_of(name, ref)
    return _constant(zone) if zone is not None else None


def _nothing_to_check(program: Program, name: str, texts: list[str]) -> bool:
    """Whether the checked answer to a question is the plain one: nothing that it reads can be hidden."""
    world = program.world
    infos = program.table.queries.get(name, [])
    if not infos or "{c}" in BUILT_IN.get(name, "") or name in world.hidden_fields or program.field_hideable(name):
        return False
    if name in world.overrides or any(info.definition is not None for info in infos):
        return False
    return texts == [_text(program, info, False) for info in infos]


def _text(program: Program, info: QueryInfo, checked: bool) -> str:
    names = [name for name, _ in info.node.params]
    scope = Scope(python={name: f"p_{name}" for name in names}, types=dict(info.node.params))
    writer = program.writer_class(program, scope, checked=checked, event="None")
    writer.kinds["this"] = info.receiver
    writer_want = "word" if info.node.type.name == "word" or info.node.type.name in program.table.words else None
    lines: list[str] = []
    _lines(writer, info.node.block, lines, 1, writer_want, info.node.type.mark in ("*", "[]"))
    head = ", ".join(["S", "this", *(f"p_{name}=None" for name in names)])
    return _numbered("\n".join([f"def q({head}):", *lines, "    return None"]))


def _numbered(text: str) -> str:
    """Text whose own variables are numbered from 1, so that it is the same whenever it is written.

    >>> _numbered("[it17 for it17 in xs if it17 in [it9 for it9 in ys]]")
    '[it1 for it1 in xs if it1 in [it2 for it2 in ys]]'
    """
    known: dict[str, str] = {}
    return _COUNTED.sub(lambda found: known.setdefault(found[0], f"{found[1]}{len(known) + 1}"), text)


def _function(program: Program, info: QueryInfo, text: str, checked: bool) -> Callable[..., Any]:
    if not program.modified_kinds and any(isinstance(one, COSTLY) for one in walk(info.node.block)):
        number = program.table.queries[info.name].index(info)
        text = _remembering(text, f"{info.name} {number}", info.node.params, checked, MapQuestions.of(program).only_map(info))
    return program.function(text, "q", f"query/{info.receiver}.{info.name}")


_COUNTED = re.compile(r"(?<![\w'\"])(it|m)\d+\b")
_RETURN = re.compile(r"^( +)return (.*)$", re.MULTILINE)
COSTLY = (t.At, t.Select, t.Any, t.No, t.Count, t.Function)


def _remembering(text: str, name: str, params: Sequence[tuple[str, t.TypeRef]], checked: bool, only_map: bool) -> str:
    """A question that looks around is asked once between two changes, one about the map alone once between two changes of the map.

    What a checked variant answers also hangs on the trial's view.
    """
    view = ["S.trial.view if S.trial is not None else -2"] if checked or only_map else []
    key = ", ".join([repr(name + (" c" if checked else "")), *view, "this", *(f"p_{param}" for param, _ in params)])
    head, body = text.split("\n", 1)
    lines = [
        head,
        f"    _memo = S.{'distances' if only_map else 'memo'}",
        f"    _key = ({key})",
        "    if _key in _memo: return _memo[_key]",
    ]
    return "\n".join([*lines, _RETURN.sub(r"\1_found = _memo[_key] = \2\n\1return _found", body)])


def _lines(writer: ExpressionWriter, block: t.Block | None, lines: list[str], depth: int, want: str | None, many: bool) -> None:
    pad = "    " * depth
    before = len(lines)
    for node in block.lines if block is not None else ():
        lines.extend(pad + line for line in question_ran(writer.program, node))
        if isinstance(node, t.Give) and not isinstance(node.value, t.Usual):
            text = writer.set(node.value) if many and want is None else writer.value(node.value, want)
            lines.append(f"{pad}return {asked(writer.program, node, text, 'yes', 'no')}")
        elif isinstance(node, t.Let) and not isinstance(node.value, t.Usual):
            text = writer.value(node.value)
            writer.scope.python[node.name] = f"v_{node.name}"
            lines.append(f"{pad}v_{node.name} = {text}")
        elif isinstance(node, t.If):
            lines.append(f"{pad}if {asked(writer.program, node, writer.value(node.condition), no='not')}:")
            _lines(writer, node.then, lines, depth + 1, want, many)
            if node.otherwise is not None:
                lines.append(f"{pad}else:")
                _lines(writer, node.otherwise, lines, depth + 1, want, many)
        elif isinstance(node, t.Match):
            _match(writer, node, lines, depth, want, many)
    if len(lines) == before:
        lines.extend(pad + line for line in question_ran(writer.program, block) or ["pass"])


def _match(writer: ExpressionWriter, node: t.Match, lines: list[str], depth: int, want: str | None, many: bool) -> None:
    pad = "    " * depth
    writer.program.counter += 1
    name = f"m{writer.program.counter}"
    lines.append(f"{pad}{name} = {writer.value(node.value)}")
    word = "if"
    for row in node.rows:
        tests = []
        if not row.otherwise:
            tests.append("(" + " or ".join(writer.key_test(key, name) for key in row.keys) + ")")
        if row.condition is not None:
            tests.append(asked(writer.program, row, writer.value(row.condition), no="not"))
        lines.append(f"{pad}{word} {' and '.join(tests) or 'True'}:")
        _lines(writer, row.block, lines, depth + 1, want, many)
        word = "elif"
