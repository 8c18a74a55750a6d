"""`nemesis-cli rules`: how a numbered rule is read where it is open, where the content has it, and which tests prove it."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from cli.look_up import index_of
from cli.messages import OK, Stop, counted, did_you_mean
from cli.show_cards import ruling_lines

if TYPE_CHECKING:
    from rulescript.lookup import Cited, RuleEntry


def show_rules(args: argparse.Namespace) -> int:
    """Run the command: the rules named in full, else a list of all."""
    rules = index_of(args).rules
    found = named_rules(rules, args.ids)
    if args.json:
        print(json.dumps([as_json(rule) for rule in found], ensure_ascii=False))
    elif args.ids:
        print("\n".join("\n".join(rule_lines(rule)) for rule in found))
    else:
        print("\n".join([*map(list_line, found), counted(len(found), "rule")]))
    return OK


def named_rules(rules: Mapping[str, RuleEntry], ids: Sequence[str]) -> list[RuleEntry]:
    """Those with the ids, or whose ids go on from them (`ABC-MOVE`); all without one. `Stop` with the nearest for an unknown one.

    A word that begins no id means the rules that have it in their id, or that are cited by what is called so.
    """
    if not ids:
        return list(rules.values())
    found: dict[str, RuleEntry] = {}
    for name in ids:
        word = name.strip().upper().replace("_", "-")
        hits = [rules[word]] if word in rules else [rule for rule in rules.values() if word and rule.id.startswith(f"{word.rstrip('-')}-")]
        hits = hits or [rule for rule in rules.values() if word in rule.id.split("-")] or _about(rules, name.strip().lower())
        if not hits:
            raise Stop(f"No rule `{name}` is cited or settled in these packs.{did_you_mean(word, rules)}")
        found |= {rule.id: rule for rule in hits}
    return list(found.values())


def _about(rules: Mapping[str, RuleEntry], words: str) -> list[RuleEntry]:
    """The rules that the content cites where something is called so."""
    return [rule for rule in rules.values() if words and any(words in cited.what.lower().replace("_", " ") for cited in rule.content)]


def list_line(rule: RuleEntry) -> str:
    """One rule of the list."""
    settled = f", {counted(len(rule.rulings), 'ruling')}" if rule.rulings else ""
    return f"{rule.id}: {counted(len(rule.content), 'line')}, {counted(len(rule.tests), 'test')}{settled}"


def rule_lines(rule: RuleEntry) -> list[str]:
    """A rule in full."""
    lines = [rule.id]
    for ruling in rule.rulings:
        lines += ruling_lines(ruling)
    if not rule.rulings:
        lines.append("  No ruling is recorded.")
    lines += ["  In the content:" if rule.content else "  No line of the content cites it.", *map(cited_line, rule.content)]
    return [*lines, "  Proved by:" if rule.tests else "  No test cites it.", *map(cited_line, rule.tests)]


def cited_line(cited: Cited) -> str:
    return f"    {cited.place}  {cited.what}"


def as_json(rule: RuleEntry) -> dict[str, object]:
    return {
        "id": rule.id,
        "content": [cited._asdict() for cited in rule.content],
        "tests": [cited._asdict() for cited in rule.tests],
        "rulings": [ruling._asdict() for ruling in rule.rulings],
    }
