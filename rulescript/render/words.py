"""English for names: titles, plurals, gerunds, sentences."""

from __future__ import annotations

import re

_SMALL = frozenset({"of", "the", "a", "an", "and", "in", "on", "to", "at", "by", "for", "with"})
_SHORT = _SMALL | {"no", "up", "it", "is", "am", "be", "my", "me", "we", "us", "he", "do", "go", "or", "if", "as", "so"}
_VOWELS = frozenset("aeiou")


def title(name: str) -> str:
    """Abbreviations of two letters are written large.

    >>> title("silver_coin"), title("ogre#2"), title("state_of_play"), title("nw")
    ('Silver Coin', 'Ogre 2', 'State of Play', 'NW')
    """
    words = name.replace("#", "_").split("_")
    return " ".join(word if word in _SMALL and place else _capital(word) for place, word in enumerate(words))


def _capital(word: str) -> str:
    return word.upper() if len(word) == 2 and word.islower() and word not in _SHORT else word[:1].upper() + word[1:]


def plain(name: str) -> str:
    """
    >>> plain("in_combat")
    'in combat'
    """
    return name.replace("#", " ").replace("_", " ")


def plural(phrase: str) -> str:
    """
    >>> plural("Bridge"), plural("Enemy"), plural("Box")
    ('Bridges', 'Enemies', 'Boxes')
    """
    if phrase.endswith("s") and not phrase.endswith("ss"):
        return phrase
    if phrase.endswith("y") and phrase[-2:-1] not in _VOWELS:
        return phrase[:-1] + "ies"
    return phrase + ("es" if phrase.endswith(("s", "x", "ch", "sh")) else "s")


def gerund(verb: str) -> str:
    """
    >>> [gerund(word) for word in ("give", "spend", "die", "put", "see", "whistle")]
    ['giving', 'spending', 'dying', 'putting', 'seeing', 'whistling']
    """
    low = verb.lower()
    if low.endswith("ie"):
        return verb[:-2] + "ying"
    if low.endswith("e") and not low.endswith(("ee", "oe", "ye")):
        return verb[:-1] + "ing"
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", low):
        return verb + verb[-1] + "ing"
    return verb + "ing"


def a(phrase: str) -> str:
    """
    >>> a("Ogre"), a("Hut")
    ('an Ogre', 'a Hut')
    """
    return ("an " if phrase[:1].lower() in _VOWELS else "a ") + phrase


def sentence(text: str) -> str:
    """A capital at the start, a full stop at the end.

    >>> sentence("spend 2 Coins")
    'Spend 2 Coins.'
    """
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def singular(noun: str) -> str:
    """
    >>> singular("silver coins"), singular("enemies"), singular("boxes"), singular("glass")
    ('silver coin', 'enemy', 'box', 'glass')
    """
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("xes", "ches", "shes", "sses")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


def joined(parts: list[str], last: str = "and") -> str:
    """
    >>> joined(["a", "b", "c"], "or")
    'a, b or c'
    """
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + f" {last} " + parts[-1] if parts else ""
