"""Directions on a map whose places have a line and a column: words for people, and the number pad's digits for choices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Spot = tuple[int, int]
"""Line (from the top) and column (from the left)."""

PAD: dict[str, int] = {
    "north-west": 7, "north": 8, "north-east": 9, "west": 4, "east": 6, "south-west": 1, "south": 2, "south-east": 3,
}  # fmt: skip
SHORT: dict[str, str] = {"nw": "north-west", "n": "north", "ne": "north-east", "w": "west", "e": "east", "sw": "south-west",
                         "s": "south", "se": "south-east"}  # fmt: skip


def direction(here: Spot, there: Spot) -> str | None:
    """The nearest of eight directions; None if both are one spot.

    >>> direction((3, 3), (2, 2)), direction((3, 3), (3, 9)), direction((1, 1), (1, 1))
    ('north-west', 'east', None)
    """
    down, right = there[0] - here[0], there[1] - here[1]
    vertical = "south" if down > 0 else "north" if down < 0 else ""
    horizontal = "east" if right > 0 else "west" if right < 0 else ""
    if vertical and horizontal:
        # Flatter than one in three counts as straight.
        if abs(down) * 3 < abs(right):
            vertical = ""
        elif abs(right) * 3 < abs(down):
            horizontal = ""
    return "-".join(part for part in (vertical, horizontal) if part) or None


def pad_numbers(ids: Sequence[str], directions: Mapping[str, str | None]) -> dict[str, int]:
    """The digits of the options that are the ways out, if each has a direction of its own; else nothing.

    >>> pad_numbers(["a", "b", "none"], {"a": "west", "b": "north-east"})
    {'a': 4, 'b': 9, 'none': 0}
    """
    found: dict[str, int] = {}
    for name in ids:
        towards = directions.get(name)
        digit = 0 if name == "none" else PAD.get(towards or "", -1)
        if digit < 0 or digit in found.values():
            return {}
        found[name] = digit
    return found
