"""What the commands say when something is in the way, and with which exit code they end."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from rulescript.nearest import nearest as nearest_word

OK, FINDING, MISUSE, STOPPED, INTERRUPTED = 0, 1, 2, 3, 130


class Stop(Exception):
    """Ends a command with a sentence for people and an exit code."""

    def __init__(self, text: str, code: int = MISUSE) -> None:
        super().__init__(text)
        self.code = code


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The word that was most likely meant, or None.

    >>> nearest("wlak", ["walk", "rest"])
    'walk'
    """
    known = {known.lower(): known for known in words}
    found = nearest_word(word.lower(), known)
    return None if found is None else known[found]


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """`` Did you mean `walk`?`` or nothing."""
    found = nearest(word, words)
    return f" Did you mean `{found}`?" if found else ""


def counted(n: int, word: str, plural: str | None = None) -> str:
    """A number with its noun.

    >>> counted(1, "answer"), counted(3, "entry", "entries")
    ('1 answer', '3 entries')
    """
    return f"{n} {word if n == 1 else plural or word + 's'}"


def listed(items: Iterable[str], last: str = "and") -> str:
    """Items in one phrase.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    parts = list(items)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}" if parts else ""


def filled(template: str, args: Mapping[str, Any]) -> str:
    """A template with its slots filled; a slot without an argument keeps its name.

    >>> filled("choose {var}", {"var": "target"})
    'choose target'
    """
    return re.sub(r"\{(\w+)\}", lambda slot: spoken(args.get(slot[1], slot[1])), template)


def spoken(value: Any) -> str:
    """A value of a view or a template as words: lists with commas, names without underscores, yes and no.

    >>> spoken(["iron_hat", True])
    'iron hat, yes'
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(spoken(part) for part in value) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{spoken(key)} {spoken(part)}" for key, part in value.items()) or "none"
    return re.sub(r"\.(?=\d)", " ", str(value).replace("_", " "))


def sentence(text: str) -> str:
    """With a capital and a full stop.

    >>> sentence("choose target")
    'Choose target.'
    """
    text = text.strip()
    if not text:
        return text
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?:" else ".")


def printable(text: str) -> str:
    """Without control characters, which could move the cursor or recolour the terminal."""
    return "".join(letter for letter in text if letter.isprintable())
