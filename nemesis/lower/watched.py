"""Marks in generated code for a program whose coverage is noted (`nemesis.coverage`); no text at all in any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.kernel.program import Program


def _number(program: Program, node: t.Node, way: str) -> int:
    return program.watch.number(node, way) if program.watch is not None and way else 0


def ran(program: Program, node: t.Node, way: str = "ran") -> list[str]:
    """The line that notes a place as reached, if it is one."""
    number = _number(program, node, way)
    return [f"ran(S, {number})"] if number else []


def held(program: Program, node: t.Node, text: str, yes: str = "", no: str = "not") -> str:
    """A condition that notes how it came out in play."""
    numbers = _number(program, node, yes), _number(program, node, no)
    return f"held(S, {numbers[0]}, {numbers[1]}, {text})" if any(numbers) else text


def asked(program: Program, node: t.Node, text: str, yes: str = "", no: str = "refused") -> str:
    """A condition or answer that notes how it came out, also in a trial or a look."""
    numbers = _number(program, node, yes), _number(program, node, no)
    return f"asked({numbers[0]}, {numbers[1]}, {text})" if any(numbers) else text


def question_ran(program: Program, node: t.Node | None, way: str = "ran") -> list[str]:
    """The line that notes a place as reached also where it is asked in a trial."""
    number = _number(program, node, way) if node is not None else 0
    return [f"asked({number}, {number})"] if number else []


def modifies(program: Program, node: t.Modify, text: str) -> str:
    """The value of a modifier, which notes that it was applied, and for a computed flag how it came out."""
    number = _number(program, node, "ran")
    if number:
        return f"asked({number}, {number}, {text})"
    return asked(program, node, text, "yes", "no")
