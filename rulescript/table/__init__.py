"""The signature table of the loaded packs."""
