"""What is no choice now, and why: refused options as the game gives its reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cli.messages import spoken

if TYPE_CHECKING:
    from nemesis.game import Decision, Game

SHOWN = 12
"""Refused options listed under a prompt; `why-not` alone lists all."""


def refusals_of(game: Game, decision: Decision, fixed: Sequence[str]) -> list[dict[str, Any]]:
    """Every refused option of ``decision`` with its reason; of actions also those that the pack always shows (``fixed``)."""
    found = [dict(reason) for reason in game.why_not("", decision.chooser)]
    if decision.kind == "action":
        named = {str(reason["id"]) for reason in found} | {option.id for option in decision.options}
        for action in fixed:
            if action not in named:
                found += [dict(reason) for reason in game.why_not(action, decision.chooser)[:1]]
    places = {name: fixed_number(name, fixed) or len(fixed) for name in fixed}
    return sorted(found, key=lambda reason: places.get(str(reason["id"]), len(fixed) + 1))


def fixed_number(name: str, fixed: Sequence[str]) -> int | None:
    """The number under which an action always stands (the last of ``fixed`` is 0), or None.

    >>> fixed_number("b", ["a", "b", "c"]), fixed_number("c", ["a", "b", "c"])
    (2, 0)
    """
    if name not in fixed:
        return None
    return (fixed.index(name) + 1) % len(fixed)


def refusal_lines(refused: Iterable[Mapping[str, Any]], full: bool = False, fixed: Sequence[str] = ()) -> list[str]:
    """``2 Fly: refused, no wings.`` for each, with the rules cited if ``full``."""
    lines: list[str] = []
    for reason in refused:
        place = fixed_number(str(reason.get("id")), fixed)
        number = "" if place is None else f"{place} "
        because = spoken(reason.get("because") or "not possible now").rstrip(".")
        cites = [str(cite) for cite in reason.get("cites") or ()]
        cited = f" ({', '.join(cites)})" if full and cites else ""
        name = str(reason["text"]) if reason.get("text") else spoken(reason.get("id", "that")).replace("#", " ")
        lines.append(f"{number}{name[:1].upper()}{name[1:]}: refused, {because[:1].lower()}{because[1:]}{cited}.")
    if full or len(lines) <= SHOWN:
        return lines
    return [*lines[:SHOWN], f"{len(lines) - SHOWN} more are refused: `why-not` lists them."]
