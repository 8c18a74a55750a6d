"""How values are spoken: names of things, words, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.world.thing import Deed, Ref, Stale

if TYPE_CHECKING:
    from nemesis.state import State


def spoken(word: str) -> str:
    """
    >>> spoken("heavily_injured")
    'heavily injured'
    """
    return word.replace("_", " ")


def thing_text(S: State, x: Any) -> str:
    """A thing's title, with its name where it is numbered: `Bite (bite#2)`, `adult 3`."""
    if type(x) is not Ref:
        return value_text(S, x)
    world = S.program.world
    made = world.definition[x]
    name = S.name(x)
    if made is not None and made.title:
        return made.title if made.copies == 1 else f"{made.title} {S.alias[x]}"
    if S.program.is_zone[x]:
        return spoken(name).replace(".", "'s ")
    return spoken(name).replace("#", " ")


def value_text(S: State, x: Any) -> str:
    if type(x) is Ref:
        return S.name(x)
    if type(x) is Stale:
        return S.program.world.name_of(x.thing)
    if type(x) is Deed:
        return S.program.actions[x.action].name
    if x is None:
        return "none"
    if x is True or x is False:
        return "yes" if x else "no"
    if isinstance(x, tuple):
        return ", ".join(value_text(S, one) for one in x) or "nothing"
    return str(x)


def plain_value(S: State, x: Any) -> Any:
    """A value for JSON: things by name."""
    if x is None or isinstance(x, bool) or (isinstance(x, int) and type(x) is not Ref):
        return x
    if isinstance(x, tuple) and not isinstance(x, Stale | Deed):
        return [plain_value(S, one) for one in x]
    return value_text(S, x)
