"""Lowering: effect trees to numbered blocks of Python; expressions to Python expressions."""
