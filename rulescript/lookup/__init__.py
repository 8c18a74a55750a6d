"""What people look up in packs: cards with where their text comes from, and rules with their rulings, places and tests."""

from rulescript.lookup.entry import CardEntry, Cited, Index, RuleEntry, Ruling, StandIn
from rulescript.lookup.index import look_up

__all__ = ["CardEntry", "Cited", "Index", "RuleEntry", "Ruling", "StandIn", "look_up"]
