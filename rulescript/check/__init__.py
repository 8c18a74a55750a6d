"""Static checks of packs: names, shapes, types, choices, orders, rules."""

from rulescript.check.lint import lint_paths
from rulescript.check.run import check_packs

__all__ = ["check_packs", "lint_paths"]
