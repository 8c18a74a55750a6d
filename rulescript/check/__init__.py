"""Static checks of packs: names, shapes, types, choices, orders, rules."""

from rulescript.check.run import check_packs

__all__ = ["check_packs"]
