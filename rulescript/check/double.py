"""Things declared twice, and heads that no call can tell apart."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.check.call import spoken_head
from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary
from rulescript.table.declarations import HeadInfo, slug
from rulescript.table.definition import Source


def check_doubles(entries: list[tuple[t.Node, Source]], words: Vocabulary, report: Report) -> None:
    """E-DUP for names declared twice, E-DRAW for heads between which dispatch cannot decide."""
    seen: dict[tuple[str, str], t.Span] = {}

    def once(what: str, name: str, span: t.Span, word: str) -> None:
        key = (what, name)
        if key in seen:
            where = report.span_of(word, span)
            report.add("E-DUP", f"the {what} '{name}' is declared twice", where, hint=f"first at {seen[key].where}")
        else:
            seen[key] = span

    for node, _ in entries:
        match node:
            case t.Line() if isinstance(node.operand, t.Text):
                once("definition", _id_of(node, node.operand.value), node.span, node.word)
            case t.Line() if node.word in ("zone", "die", "track", "harm", "hope", "map") and isinstance(node.operand, t.Name):
                once(node.word, node.operand.name, node.span, node.operand.name)
            case t.Order():
                once("order", node.name, node.span, node.name)
            case t.Query():
                once("question", f"{node.receiver}.{node.name}", node.span, node.name)
            case t.Action():
                once("action", node.name, node.span, node.name)
                if node.name in words.table.verbs:
                    report.add("E-DUP", f"'{node.name}' is an action and a procedure", report.span_of(node.name, node.span))
            case t.Procedure():
                _steps_once(node, report)
            case t.Kind():
                _fields_once(node, report)
                for line in node.block.lines if node.block else ():
                    if isinstance(line, t.Field):
                        once(f"field of {node.name}", line.name, line.span, line.name)
            case _:
                pass
    for verb, heads in words.table.verbs.items():
        if verb in words.primitives and any(not _narrows_primitive(head) for head in heads):
            head = next(head for head in heads if not _narrows_primitive(head))
            report.add("E-DUP", f"'{verb}' is a verb of the kernel", report.span_of(verb, head.node.span))
        _draws(heads, words, report)


def _id_of(node: t.Line, title: str) -> str:
    for line in node.block.lines if node.block else ():
        if isinstance(line, t.Line) and line.word == "id" and isinstance(line.operand, t.Name):
            return line.operand.name
    made = slug(title)
    return f"{node.word}_{made}" if made[:1].isdigit() else made


def _narrows_primitive(head: HeadInfo) -> bool:
    return False


def _steps_once(node: t.Procedure, report: Report) -> None:
    """A step is an event with an address of its own: two of one name would be hooked as one."""
    first: dict[str, t.Span] = {}
    for line in node.block.lines if node.block else ():
        if isinstance(line, t.Step):
            if line.name in first:
                where = report.span_of(line.name, line.span)
                report.add("E-DUP", f"'{node.verb}' has two steps '{line.name}'", where, hint=f"first at {first[line.name].where}")
            first.setdefault(line.name, line.span)


def _fields_once(node: t.Kind, report: Report) -> None:
    names: set[str] = set()
    for line in node.block.lines if node.block else ():
        if isinstance(line, t.Step):
            report.add("E-WORD", "a kind has no steps", line.span, word="step")
        names.add(getattr(line, "name", ""))


def _shape(head: HeadInfo) -> tuple[object, ...]:
    """What dispatch sees of a head: object or operand kind, and the kinds of its required arguments."""
    want = head.head
    operand = want.operand.type.name if want.operand else None
    args = tuple(sorted((preposition, binder.type.name) for preposition, binder in want.binders if binder.type.mark != "?"))
    return (want.object, operand, args)


def _draws(heads: list[HeadInfo], words: Vocabulary, report: Report) -> None:
    known: dict[tuple[object, ...], HeadInfo] = {}
    for head in heads:
        shape = _shape(head)
        if shape in known:
            other = known[shape]
            code = "E-DUP" if spoken_head(head.verb, head.head) == spoken_head(other.verb, other.head) else "E-DRAW"
            message = f"this head of '{head.verb}' cannot be told from another"
            report.add(code, message, report.span_of(head.verb, head.node.span), hint=f"the other stands at {other.node.span.where}")
        known.setdefault(shape, head)
    for index, head in enumerate(heads):
        for other in heads[:index]:
            left, right = head.head.operand, other.head.operand
            if left is None or right is None or left.type.name == right.type.name:
                continue
            crossed = _crossed(left.type.name, right.type.name, words)
            if crossed and _shape(head)[2] == _shape(other)[2]:
                message = f"a {crossed} fits two heads of '{head.verb}': {left.type.name} and {right.type.name}"
                report.add("E-DRAW", message, left.span, hint=f"the other stands at {other.node.span.where}")


def _crossed(left: str, right: str, words: Vocabulary) -> str | None:
    """A kind below both, if neither is below the other and it does not name one of them first."""
    table = words.table
    if table.is_kind(left, right) or table.is_kind(right, left):
        return None
    for kind in sorted(words.descendants(left) & words.descendants(right)):
        up = table.ancestors(kind)
        if up.index(left) == up.index(right):
            return kind
    return None
