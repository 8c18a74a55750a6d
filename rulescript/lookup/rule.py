"""Rules of a catalogue as they are looked up: where content has it, and which tests would fail without it."""

from __future__ import annotations

from collections.abc import Iterator

from rulescript import tree as t
from rulescript.lookup.entry import Cited, RuleEntry, Ruling
from rulescript.pack.load import LoadedPacks
from rulescript.table.survey import walk


def item_name(node: t.Node) -> str:
    """What an item is called: a card or test by its title, all else by its sort and name."""
    match node:
        case t.Test():
            return node.title
        case t.Line(operand=t.Text() as text):
            return text.value
        case t.Procedure():
            return f"procedure {' '.join(filter(None, (node.verb, node.head.object)))}"
        case t.Action():
            return f"action {node.label or node.name}"
        case t.Query():
            return f"question {node.receiver}.{node.name}"
        case t.Hook():
            return f"rule {node.timing} {node.pattern.verb}{f'.{node.pattern.step}' if node.pattern.step else ''}"
        case t.Forbid():
            return f"ban of {node.pattern.verb}"
        case t.Modify():
            return f"rule on {node.receiver}.{node.member}"
        case t.Change():
            return f"change of {node.title or node.kind}"
        case t.Kind() | t.Order():
            return f"{type(node).__name__.lower()} {node.name}"
        case t.Line(operand=t.Name() as name):
            return f"{node.word} {name.name}"
        case _:
            return type(node).__name__.lower()


def citing(node: t.Node) -> Iterator[tuple[str, Cited]]:
    """Each rule id that an item cites, with the line that does."""
    name = item_name(node)
    for part in walk(node):
        notes = getattr(part, "notes", None)
        if isinstance(notes, t.Notes) and notes.cites:
            what = f"{name}, step {part.name}" if isinstance(part, t.Step) else name
            for rule in notes.cites:
                yield rule, Cited(f"{part.span.file}:{part.span.line}", what)


def rule_entries(loaded: LoadedPacks, rulings: tuple[Ruling, ...]) -> dict[str, RuleEntry]:
    """Every rule that content or a test cites, or that a ruling settles; sorted by id."""
    content: dict[str, dict[Cited, None]] = {}
    tests: dict[str, dict[Cited, None]] = {}
    for found, wanted in ((content, False), (tests, True)):
        for item, _ in loaded.items(tests=wanted):
            for rule, cited in citing(item.node):
                found.setdefault(rule, {})[cited] = None
    settled: dict[str, list[Ruling]] = {}
    for ruling in rulings:
        for rule in ruling.rules:
            settled.setdefault(rule, []).append(ruling)
    return {
        rule: RuleEntry(rule, tuple(content.get(rule, ())), tuple(tests.get(rule, ())), tuple(settled.get(rule, ())))
        for rule in sorted({*content, *tests, *settled})
    }
