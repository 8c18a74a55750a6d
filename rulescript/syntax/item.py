"""A parsed file: its items, each with its tree, its place, its text and its hash."""

from __future__ import annotations

import pickle
import typing

import attrs

from rulescript.diagnostic import Diagnostic
from rulescript.tree import Node, Span


class Item:
    """One top-level item of a file. Its tree may lie pickled until `node` is asked for the first time."""

    __slots__ = ("_data", "_node", "hash", "span", "text")

    def __init__(self, span: Span, hash_: str, text: str, node: Node | None = None, data: bytes | None = None) -> None:
        self.span = span
        self.hash = hash_
        self.text = text
        self._node = node
        self._data = data

    @property
    def node(self) -> Node:
        if self._node is None:
            assert self._data is not None
            self._node = pickle.loads(self._data)
            self._data = None
        return self._node

    def __reduce__(self) -> tuple[typing.Any, ...]:
        data = self._data if self._node is None else pickle.dumps(self._node, pickle.HIGHEST_PROTOCOL)
        return (Item, (self.span, self.hash, self.text, None, data))

    def __repr__(self) -> str:
        return f"Item({self.span.where}, {self.hash[:8]})"


@attrs.frozen
class ParsedFile:
    """What came of a text: items that parsed, and a finding for each that did not."""

    file: str
    items: tuple[Item, ...]
    diagnostics: tuple[Diagnostic, ...]
