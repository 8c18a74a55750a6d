"""The functions that generated code may call, by name."""

from __future__ import annotations

from typing import Any

from nemesis.kernel import (
    decide,
    ending,
    event,
    geography,
    look_step,
    matching,
    offer,
    property,
    proposal,
    reading,
    rows,
    sight,
    trial,
    unwinding,
    verb_facts,
    verb_things,
)

MODULES = (
    look_step, reading, sight, property, geography, verb_things, verb_facts, event, proposal, matching, unwinding, decide, offer, rows,
    ending, trial,
)  # fmt: skip


def library() -> dict[str, Any]:
    """All public functions of the kernel's modules for generated code."""
    found: dict[str, Any] = {}
    for module in MODULES:
        for name, value in vars(module).items():
            if not name.startswith("_") and callable(value):
                found[name] = value
    found["END"] = verb_facts.END
    return found
