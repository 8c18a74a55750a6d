"""How values are spoken: names of things, words, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.world.thing import Deed, Ref, Stale

if TYPE_CHECKING:
    from nemesis.state import State


def spoken(word: str) -> str:
    """
    >>> spoken("half_open")
    'half open'
    """
    return word.replace("_", " ")


def plural(noun: str) -> str:
    """
    >>> plural("big card"), plural("box"), plural("body"), plural("key")
    ('big cards', 'boxes', 'bodies', 'keys')
    """
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "ch", "sh")) else "s")


def thing_text(S: State, x: Any) -> str:
    """A value for people: a thing by its title, a numbered one by kind and number, a seat by its name, words without underscores.

    Copies of one card read alike, as they do on the table; things without a title keep their numbers (`pawn 3`).
    """
    kind = type(x)
    if kind is Stale:
        return name_text(S, S.program.world.name_of(x.thing))
    if kind is Deed:
        return deed_text(S, x)
    if kind is tuple:
        return listed([thing_text(S, one) for one in x]) or "nothing"
    if kind is not Ref:
        return spoken(value_text(S, x))
    made = S.program.world.definition[x]
    return made.title if made is not None and made.title else name_text(S, S.name(x))


def name_text(S: State, name: str) -> str:
    """What a name (`pawn#3`, `seat#1.hand`) is called; also one from the journal, whatever lies under it now.

    A name that is no thing's is spoken as a word.
    """
    world = S.program.world
    base, _, number = name.partition("#")
    ref = world.by_name.get(name)
    if base == "seat" and ref is not None and ref in world.seats:
        return S.seat_names[world.copy[ref] - 1]
    ends = world.ends.get(ref) if ref is not None else None
    if ends:
        return f"the way between {' and '.join(spoken(world.name_of(end)) for end in ends)}"
    made = world.definition[ref] if ref is not None else S.program.table.definitions.get(base)
    if made is not None and made.title:
        return made.title
    holder, dot, zone = name.rpartition(".")
    if dot and zone.isdigit():
        return f"{spoken(holder)} {zone}"
    if dot and holder in world.by_name:
        return f"the {spoken(zone)} of {name_text(S, holder)}"
    if base.endswith(")") and "(" in base:
        zone, _, key = base[:-1].partition("(")
        return f"{spoken(zone)} ({spoken(key)})"
    return f"{spoken(base)} {number}" if number else spoken(base)


def deed_text(S: State, deed: Deed) -> str:
    """An ability: its label, with the card that offers it."""
    action = S.program.actions[deed.action]
    label = action.node.label or spoken(action.name)
    return f"{thing_text(S, deed.card)}: {label}" if type(deed.card) is Ref else label


def listed(parts: list[str], last: str = "and") -> str:
    """
    >>> listed(["a", "b", "c"]), listed(["a", "b"], "or")
    ('a, b and c', 'a or b')
    """
    return f" {last} ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def value_text(S: State, x: Any) -> str:
    """A value by ids, as commands and files take it."""
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
