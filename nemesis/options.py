"""The options that every game has; the modes of its packs come on top (`docs/formats.md` section 9)."""

OPTIONS = ("windows", "nesting", "fuel", "purse", "leaves")
