"""Which names are bound where a line stands, and who is `you` there."""

from __future__ import annotations

import attrs

from rulescript.check.types import Type


@attrs.define
class Scope:
    """Bound names with their types (None = not known). `open` scopes know names that cannot be listed."""

    names: dict[str, Type | None] = attrs.field(factory=dict)
    parent: Scope | None = None
    you: bool = True
    place: str = "body"  # body | query | test | action | rule
    verbs: tuple[str, ...] = ()
    cancels: tuple[str, ...] = ()
    hooks: bool = False
    usual: bool = False

    def child(self, **names: Type | None) -> Scope:
        return Scope(dict(names), self, self.you, self.place, self.verbs, self.cancels, self.hooks, self.usual)

    def holds(self, name: str) -> bool:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return True
            scope = scope.parent
        return False

    def parent_holds(self, name: str) -> bool:
        return self.parent is not None and self.parent.holds(name)

    def type_of(self, name: str) -> Type | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def all_names(self) -> set[str]:
        found: set[str] = set()
        scope: Scope | None = self
        while scope is not None:
            found |= scope.names.keys()
            scope = scope.parent
        return found
