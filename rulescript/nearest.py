"""The nearest right word to a wrong one."""

from __future__ import annotations

from collections.abc import Iterable


def distance(left: str, right: str, most: int = 3) -> int:
    """Edits between two words (insert, drop, change, swap of neighbours); `most + 1` if there are more than `most`.

    >>> distance("brigde", "bridge"), distance("byt", "by"), distance("wood", "water")
    (1, 1, 4)
    """
    if abs(len(left) - len(right)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        previous, row = row, [i]
        for j, b in enumerate(right, 1):
            best = min(previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            row.append(best)
        before = previous
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


def nearest(word: str, right: Iterable[str], most: int | None = None) -> str | None:
    """The right word with the fewest edits; of several one of the same letters, then of the same first letter, then by the alphabet.

    None if all are too far.

    >>> nearest("wiht", ["with", "where"])
    'with'
    >>> nearest("zzz", ["where"]) is None
    True
    >>> nearest("nto", ["into", "not"])
    'not'
    """
    limit = most if most is not None else 1 if len(word) <= 4 else 2 if len(word) <= 8 else 3
    best: tuple[int, bool, bool, str] | None = None
    letters = sorted(word)
    for candidate in set(right):
        away = distance(word, candidate, limit)
        if away <= limit:
            key = (away, sorted(candidate) != letters, candidate[:1] != word[:1], candidate)
            best = key if best is None else min(best, key)
    return None if best is None else best[3]


def did_you_mean(word: str, right: Iterable[str]) -> str | None:
    """A hint, or None.

    >>> did_you_mean("plce", ["place", "move"])
    "did you mean 'place'?"
    """
    found = nearest(word, right)
    return None if found is None or found == word else f"did you mean '{found}'?"
