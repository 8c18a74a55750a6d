"""What a test has written: values of its lists, words of its lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulescript import tree as t
from rulescript.table.survey import walk


def texts(node: t.Expression | None) -> tuple[str, ...]:
    items = node.items if isinstance(node, t.ListOf) else (node,)
    return tuple(item.value for item in items if isinstance(item, t.Text))


def literals(node: t.Expression | None) -> list[Any]:
    if isinstance(node, t.ListOf):
        return [literal(item) for item in node.items]
    return [] if node is None else [literal(node)]


def literal(node: t.Expression) -> Any:
    if isinstance(node, t.Name):
        return node.name
    if isinstance(node, t.Number | t.Text | t.Flag):
        return node.value
    if isinstance(node, t.ListOf):
        return tuple(literal(item) for item in node.items)
    if isinstance(node, t.Get):
        return f"{literal(node.base)}.{node.member}"
    return source_text(node.span)


def zone_text(node: t.Get | t.Function) -> str:
    if isinstance(node, t.Function):
        return f"{node.name}({literal(node.args[0])})"
    return f"{literal(node.base)}.{node.member}"


def parts(node: t.Expression) -> list[t.Expression]:
    if isinstance(node, t.And | t.Or):
        return [part for item in node.items for part in parts(item)]
    return [node]


def source_text(span: t.Span) -> str:
    """The words of a span in its file."""
    try:
        lines = Path(span.file).read_text(encoding="utf-8").splitlines()
    except OSError:
        return span.where
    if span.line == span.end_line:
        return lines[span.line - 1][span.column - 1 : span.end_column - 1]
    return lines[span.line - 1][span.column - 1 :]


def source_text_of(node: t.Node) -> str:
    """All words of a tree, for a look at which seats it names."""
    return " ".join(one.name for one in walk(node) if isinstance(one, t.Name))
