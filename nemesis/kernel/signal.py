"""What may break off a run: trials that reached their end, and content that does not end."""

from __future__ import annotations


class Impossible(Exception):
    """A strict line could not be done; only a trial ever sees it."""

    def __init__(self, because: str = "", cites: tuple[str, ...] = ()) -> None:
        super().__init__(because)
        self.because = because
        self.cites = cites


class Unknown(Exception):
    """A trial met chance, a hidden fact or another seat's decision."""


class TrialEnd(Exception):
    """A trial reached the end that it was asked about."""


class LoopFound(Exception):
    """Content that repeats itself without an end; `cycle` names the rules or procedures, outermost first."""

    def __init__(self, reason: str, cycle: tuple[str, ...]) -> None:
        super().__init__(reason)
        self.reason = reason
        self.cycle = cycle


class ContentError(Exception):
    """Content asked for something that makes no sense at run time, for example an unknown place."""
