"""Packs of which neither names the other, and which change the same thing."""

from __future__ import annotations

from collections.abc import Iterator

from rulescript import tree as t
from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary, parts
from rulescript.pack.load import LoadedPacks
from rulescript.table.definition import Rule, Source


def _touches(rule: Rule) -> Iterator[str]:
    """What a rule claims for itself alone."""
    node = rule.node
    if rule.definition is not None or rule.kind is not None or rule.guards:
        return
    if isinstance(node, t.Hook) and node.timing == "instead" and node.condition is None and not node.may and node.pattern.step is not None:
        yield f"the step {node.pattern.verb}.{node.pattern.step}"
    if isinstance(node, t.Modify) and node.op == "=" and node.condition is None:
        yield f"the answer of {node.receiver}.{node.member}"
    if node.label is not None:
        yield f"the label {node.label}"


def _unkept(words: Vocabulary, report: Report) -> None:
    """W-USUAL: of several packs that replace one step, an outer one that never does what was there."""
    shared: dict[tuple[str, str], list[Rule]] = {}
    for rule in words.table.rules:
        node = rule.node
        if isinstance(node, t.Hook) and node.timing == "instead" and node.pattern.step is not None:
            shared.setdefault((node.pattern.verb, node.pattern.step), []).append(rule)
    for (verb, step), rules in shared.items():
        inner = min(rule.source.rank for rule in rules)
        for rule in rules:
            kept = isinstance(rule.node, t.Hook) and any(isinstance(part, t.Usual) for part in parts(rule.node.block))
            if rule.source.rank > inner and not kept:
                message = f"another pack replaces {verb}.{step}, too: without 'usual' that is lost"
                report.add("W-USUAL", message, report.span_of(verb, rule.node.span))


def check_clashes(loaded: LoadedPacks, entries: list[tuple[t.Node, Source]], words: Vocabulary, report: Report) -> None:
    """E-CLASH; cured by `after` in the manifest of one of them."""
    names = {m.id: {*m.requires, *m.after} for m in loaded.manifests}
    grown = True
    while grown:
        grown = False
        for known in names.values():
            more = {far for near in known if near in names for far in names[near]} - known
            if more:
                known |= more
                grown = True
    _unkept(words, report)
    claims: list[tuple[str, t.Node, str]] = [(what, rule.node, rule.source.pack) for rule in words.table.rules for what in _touches(rule)]
    claims += [(f'the {node.kind} "{node.title}"', node, source.pack) for node, source in entries if isinstance(node, t.Change)]
    first: dict[str, str] = {}
    for what, node, left in claims:
        right = first.setdefault(what, left)
        if left == right or left in names.get(right, ()) or right in names.get(left, ()):
            continue
        message = f"{left} and {right} both change {what}"
        hint = f"say in one manifest which stands outside: after: [{right}]"
        report.add("E-CLASH", message, node.span, hint=hint)
