"""Standard streams that the caller has closed (`>&-`): the null device stands in for them."""

from __future__ import annotations

import os
import sys


def stand_in() -> None:
    """Give a program the streams that it was started without: what it prints goes nowhere, and its input has ended."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - open as long as the program
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
