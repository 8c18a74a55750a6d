"""The slots of texts: `{you}`, `{n}`, `{spend|spends}`, `{s}`, `{card.title}`."""

from __future__ import annotations

import re
from collections.abc import Iterator

_SLOT = re.compile(r"\{([^{}]*)\}")


def slots(text: str) -> Iterator[tuple[str, ...]]:
    """The named slots of a text as chains of names; numbers of the subject and plurals are left out.

    >>> list(slots("{you} {spend|spends} {n} card{s} of {x.owner}"))
    [('you',), ('n',), ('x', 'owner')]
    """
    for found in _SLOT.finditer(text):
        inner = found.group(1).strip()
        if inner and inner != "s" and "|" not in inner:
            yield tuple(inner.split("."))
