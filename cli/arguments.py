"""Arguments of the commands: a wrong one is refused with the usage of the command that got it, and the nearest right word."""

from __future__ import annotations

import argparse
from collections.abc import Sequence


def parsed(top: argparse.ArgumentParser, argv: Sequence[str] | None) -> argparse.Namespace:
    """`top.parse_args`, but an argument that a sub-command does not know is that command's error."""
    args, unknown = top.parse_known_args(argv)
    if not unknown:
        return args
    parser = _parser_of(top, getattr(args, "command", None))
    from rulescript.nearest import did_you_mean

    options = [word for action in parser._actions for word in action.option_strings if word.startswith("--")]
    hint = did_you_mean(unknown[0].partition("=")[0], options) if unknown[0].startswith("-") else None
    said = f"there is no {unknown[0]}" if unknown[0].startswith("-") else f"nothing takes {' '.join(unknown)}"
    parser.error(f"{said}; {hint}" if hint else said)


def _parser_of(top: argparse.ArgumentParser, command: str | None) -> argparse.ArgumentParser:
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction) and command in action.choices:
            found: argparse.ArgumentParser = action.choices[command]
            return found
    return top
