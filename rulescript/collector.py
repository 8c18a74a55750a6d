"""Python's cyclic collector, held back while much is built that stays for good."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """No collection inside; what is alive at the end is never looked through again.

    Loading makes some hundred thousand objects and no garbage, so each collection in between would be for nothing (about a third of
    a start), and each full one later would walk all of them. Does nothing if the collector is off already.

    >>> with paused():
    ...     gc.isenabled()
    False
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
