"""rulescript."""
