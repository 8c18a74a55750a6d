"""Procedures with the rules that hook them, in the order in which they run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulescript import tree as t
from rulescript.check.call import spoken_head
from rulescript.pack.load import load_packs
from rulescript.table.declarations import Declarations, HeadInfo, declare
from rulescript.table.definition import Rule


def timeline_text(packs: Sequence[str] = (), roots: Sequence[Path] = ()) -> str:
    """All procedures of the packs, by name, each with its steps and hooks. Raises PackError."""
    table = declare(load_packs(packs, roots).nodes())
    return "\n".join(line for verb in sorted(table.verbs) for head in table.verbs[verb] for line in _procedure(head, table))


def _place(rule: Rule) -> str:
    owner = rule.definition or rule.kind
    label = f"{rule.node.label}: " if rule.node.label else ""
    condition = " if …" if rule.node.condition is not None or rule.guards else ""
    may = "may " if isinstance(rule.node, t.Hook) and rule.node.may else ""
    span = rule.node.span
    file = span.file.rsplit("/", 1)[-1]
    return f"{label}{may}{rule.source.pack}{' ' + owner if owner else ''}{condition} ({file}:{span.line})"


def _rules(table: Declarations, names: set[str], step: str | None, timing: str) -> list[str]:
    """Rules of one stage, outer packs first, for `after` inner packs first."""
    found = [
        rule
        for rule in table.rules
        if isinstance(rule.node, t.Hook)
        and rule.node.timing == timing
        and rule.node.pattern.verb in names
        and rule.node.pattern.step == step
    ]
    found.sort(key=lambda rule: (rule.source.rank if timing == "after" else -rule.source.rank, rule.source.file, rule.source.order))
    return [_place(rule) for rule in found]


def _bans(table: Declarations, names: set[str], step: str | None) -> list[str]:
    return [
        _place(rule)
        for rule in table.rules
        if isinstance(rule.node, t.Forbid) and rule.node.pattern.verb in names and rule.node.pattern.step == step
    ]


def _stages(table: Declarations, names: set[str], step: str | None, indent: str) -> tuple[list[str], list[str]]:
    first = [f"{indent}forbid   {line}" for line in _bans(table, names, step)]
    first += [f"{indent}instead  {line}" for line in _rules(table, names, step, "instead")]
    first += [f"{indent}before   {line}" for line in _rules(table, names, step, "before")]
    return first, [f"{indent}after    {line}" for line in _rules(table, names, step, "after")]


def _procedure(head: HeadInfo, table: Declarations) -> list[str]:
    span = head.node.span
    lines = [f"{spoken_head(head.verb, head.head)}  [{head.source.pack} {span.file.rsplit('/', 1)[-1]}:{span.line}]"]
    first, last = _stages(table, {head.verb}, None, "  ")
    lines += first
    for step in (part for part in (head.node.block.lines if head.node.block else ()) if isinstance(part, t.Step)):
        before, after = _stages(table, {head.verb, head.name}, step.name, "    ")
        lines += before + [f"  step {step.name}"] + after
    return lines + last
