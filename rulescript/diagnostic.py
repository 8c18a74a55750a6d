"""What a finding is: a code, a place in a source file, words for people; as text with carets or as JSON.

>>> from rulescript.tree import Span
>>> finding = Diagnostic("E-WORD", "unknown verb 'plce'", Span("a.nrs", 1, 3, 1, 7), hint="did you mean 'place'?")
>>> print(format_diagnostic(finding, {"a.nrs": "  plce 1 coin"}))
a.nrs:1:3: error E-WORD (unknown-word): unknown verb 'plce'
      plce 1 coin
      ^^^^
  did you mean 'place'?
"""

from __future__ import annotations

import json
import typing
from collections.abc import Iterable, Mapping

import attrs

from rulescript.tree.node import Span

NAMES: typing.Final[Mapping[str, str]] = {
    "E-SYNTAX": "syntax",
    "E-WORD": "unknown-word",
    "E-ARG": "wrong-argument",
    "E-TYPE": "wrong-type",
    "E-SCOPE": "not-bound",
    "E-RESERVED": "reserved-word",
    "E-YOU": "nobody-is-you",
    "E-SHADOW": "bound-name-as-set",
    "E-OPEN-CHOICE": "open-choice",
    "E-ORDER": "no-order",
    "E-EMPTY": "may-be-empty",
    "E-NO-HOOK": "never-matches",
    "E-CLASH": "packs-clash",
    "E-DRAW": "ambiguous-heads",
    "E-STOP": "bad-stop",
    "E-WRITE": "write-in-a-question",
    "E-CYCLE": "question-cycle",
    "E-ENDLESS": "endless",
    "E-BOUND": "no-bound",
    "E-LEAK": "hidden-fact-leaks",
    "E-CITE": "bad-rule-id",
    "E-COUNT": "wrong-count",
    "E-DUP": "declared-twice",
    "E-HOST": "wrong-host",
    "E-FIELD": "value-left-out",
    "E-LIFELESS": "lifeless-rule",
    "E-PACK": "bad-pack",
    "E-NO-USUAL": "usual-without-instead",
    "E-FRAGMENT": "bad-text-form",
    "W-SILENT": "set-for-one",
    "W-ELSE": "idle-else",
    "W-USUAL": "step-not-kept",
    "W-CYCLE": "call-cycle",
    "W-PEEK": "peek",
    "W-HOUSE": "house-rule",
    "W-DEAD": "never-reached",
    "W-UNREAD": "never-read",
    "W-RUNOUT": "pool-may-run-dry",
    "W-AMBIGUOUS": "word-and-kind",
    "W-EMPTY": "may-be-empty",
}


@attrs.frozen
class Diagnostic:
    """One finding. `code` begins with E (error) or W (warning); `expected` and `notes` are phrases for people.

    >>> Diagnostic("W-HOUSE", "a house rule", Span("a.nrs", 1, 1, 1, 2)).severity
    'warning'
    """

    code: str
    message: str
    span: Span
    expected: tuple[str, ...] = ()
    hint: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return NAMES.get(self.code, self.code.split("-", 1)[-1].lower())

    @property
    def severity(self) -> str:
        return "error" if self.code.startswith("E") else "warning"

    def as_json(self) -> dict[str, object]:
        """Plain data: keys code, name, severity, message, file, line, column, end_line, end_column, expected, hint, notes."""
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity,
            "message": self.message,
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "end_line": self.span.end_line,
            "end_column": self.span.end_column,
            "expected": list(self.expected),
            "hint": self.hint,
            "notes": list(self.notes),
        }


def sort_key(finding: Diagnostic) -> tuple[str, int, int, str, str]:
    return (finding.span.file, finding.span.line, finding.span.column, finding.code, finding.message)


def sorted_findings(findings: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By file, line, column, code; the same finding only once."""
    return sorted(dict.fromkeys(findings), key=sort_key)


def or_list(words: Iterable[str]) -> str:
    """
    >>> or_list(["a", "b", "c"])
    'a, b or c'
    """
    items = list(words)
    return items[0] if len(items) == 1 else ", ".join(items[:-1]) + " or " + items[-1] if items else ""


def a(noun: str) -> str:
    """
    >>> a("ogre"), a("hut")
    ('an ogre', 'a hut')
    """
    return ("an " if noun[:1] in "aeiou" else "a ") + noun


def source_line(finding: Diagnostic, sources: Mapping[str, str]) -> str | None:
    """The line a finding stands in, from the texts given or else from the file; None if there is none."""
    span = finding.span
    text = sources.get(span.file)
    if text is None:
        try:
            with open(span.file, encoding="utf-8") as handle:
                text = handle.read()
        except (OSError, UnicodeDecodeError):
            return None
    lines = text.split("\n")
    return lines[span.line - 1].rstrip("\r") if 0 < span.line <= len(lines) else None


def format_diagnostic(finding: Diagnostic, sources: Mapping[str, str] | None = None) -> str:
    """`file:line:column: error CODE (name): message`, the source line, carets under the words, then what helps."""
    span = finding.span
    parts = [f"{span.where}: {finding.severity} {finding.code} ({finding.name}): {finding.message}"]
    line = source_line(finding, sources or {})
    if line is not None and line.strip():
        end = span.end_column if span.end_line == span.line else len(line) + 1
        shown = line.replace("\t", " ")
        width = max(1, min(end, len(shown) + 1) - span.column)
        parts += ["    " + shown, "    " + " " * (span.column - 1) + "^" * width]
    if finding.expected:
        parts.append("  expected " + or_list(finding.expected))
    if finding.hint:
        parts.append("  " + finding.hint)
    parts += ["  " + note for note in finding.notes]
    return "\n".join(parts)


def format_findings(findings: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> str:
    return "\n".join(format_diagnostic(finding, sources) for finding in sorted_findings(findings))


def findings_as_json(findings: Iterable[Diagnostic]) -> str:
    """A JSON list, sorted, keys sorted."""
    return json.dumps([finding.as_json() for finding in sorted_findings(findings)], indent=1, sort_keys=True, ensure_ascii=False)
