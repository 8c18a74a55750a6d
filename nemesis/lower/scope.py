"""Which names a piece of code may read, and where their values lie at run time."""

from __future__ import annotations

import attrs

from rulescript import tree as t


@attrs.define
class Scope:
    """Names of one code unit.

    `slots` are its own locals (`L[i]`), `outer` those of the procedure whose step a rule hooks or whose rows a card resolves (`O[i]`),
    `python` names that are plain Python variables (parameters and `let`s of a query).
    """

    slots: dict[str, int] = attrs.field(factory=dict)
    types: dict[str, t.TypeRef] = attrs.field(factory=dict)
    outer: Scope | None = None
    python: dict[str, str] = attrs.field(factory=dict)
    size: int = 0
    objects: set[str] = attrs.field(factory=set)

    def add(self, name: str, type_: t.TypeRef | None = None) -> int:
        """The slot of a local; the same name has one slot in the whole unit."""
        if name not in self.slots:
            self.slots[name] = self.size
            self.size += 1
        if type_ is not None:
            self.types[name] = type_
        return self.slots[name]

    def hide(self, name: str) -> None:
        """Let a name mean what it means outside this unit, for a while."""
        self.slots.pop(name, None)

    def rebind(self, name: str, type_: t.TypeRef | None = None) -> int:
        """A fresh slot for a loop's name."""
        self.slots.pop(name, None)
        return self.add(name, type_)

    def unbind(self, name: str, before: int | None) -> None:
        """The end of a loop: its name means again what it meant before."""
        self.slots.pop(name, None)
        if before is not None:
            self.slots[name] = before

    def temporary(self) -> int:
        self.size += 1
        return self.size - 1

    def code(self, name: str) -> str | None:
        """The Python text that reads a name, or None if it is not bound here."""
        if name in self.python:
            return self.python[name]
        if name in self.slots:
            return f"L[{self.slots[name]}]"
        if self.outer is not None and name in self.outer.slots:
            return f"O[{self.outer.slots[name]}]"
        return None

    def type_of(self, name: str) -> t.TypeRef | None:
        found = self.types.get(name)
        if found is None and self.outer is not None and name not in self.slots:
            return self.outer.types.get(name)
        return found
