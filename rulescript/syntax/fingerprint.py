"""What an item says, as a hash: its tokens without comments and spacing, and without `cites`, `because` and certainty notes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from lark import Token


def _kept(tokens: Iterable[Token]) -> Iterable[str]:
    dropping = ""
    waiting = ""
    after_open = True
    for token in tokens:
        kind = token.type
        if dropping == "CITES" and kind in ("RULE_ID", "COMMA"):
            continue
        if dropping in ("BECAUSE", "CERTAINTY") and kind == "STRING":
            dropping = ""
            continue
        dropping = ""
        if kind in ("CITES", "BECAUSE", "CERTAINTY"):
            dropping = kind
            continue
        if kind in ("_NL", "SEMICOLON"):
            waiting = "" if after_open else ";"
            continue
        if waiting and kind != "RBRACE":
            yield waiting
        waiting = ""
        after_open = kind == "LBRACE"
        yield " ".join(str(token).split()) if kind != "STRING" else str(token)


def fingerprint(tokens: Iterable[Token]) -> str:
    """blake2b of the tokens that count, 32 hex digits."""
    return hashlib.blake2b("\n".join(_kept(tokens)).encode(), digest_size=16).hexdigest()


def top_level(tokens: list[Token]) -> list[list[Token]]:
    """The tokens of each line that stands outside of all brackets."""
    groups: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.type == "LBRACE":
            depth += 1
        elif token.type == "RBRACE":
            depth -= 1
        if depth == 0 and token.type in ("_NL", "SEMICOLON"):
            groups.append([])
        else:
            groups[-1].append(token)
    return [group for group in groups if group]
