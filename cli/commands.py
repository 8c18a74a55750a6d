"""The words that can be typed beside the choices; every face has the same."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from cli.scene import Scene


def _nothing(scene: Scene, rest: str) -> list[str]:
    return []


@frozen
class Command:
    """A word, its one-letter forms, what it says of itself, and how it tells a scene (if that is all it does)."""

    help: str
    short: tuple[str, ...] = ()
    tell: Callable[[Scene, str], list[str]] = _nothing


COMMANDS: dict[str, Command] = {
    "look": Command("where you are, what is there, the ways out", (), lambda scene, rest: scene.where(rest) if rest else scene.look()),
    "status": Command("the game as a whole", ("s",), lambda scene, rest: scene.status()),
    "map": Command("every place, one a line", ("m",), lambda scene, rest: scene.map()),
    "hand": Command("what you hold", ("h",), lambda scene, rest: scene.hand()),
    "team": Command("every seat's figure", ("t",), lambda scene, rest: scene.team()),
    "near": Command("the ways out of where you are, or of `near PLACE`", (), lambda scene, rest: scene.ways(rest)),
    "route": Command("`route PLACE`: the shortest way there, as far as you know the map", (), lambda scene, rest: scene.route(rest)),
    "read": Command("`read NAME`: the text of a card or an action", ("r",)),
    "where": Command("`where NAME`: where something is", ("i", "inspect"), lambda scene, rest: scene.where(rest)),
    "why": Command("`why 212`, `why NAME`: what caused a line or a state", ("w",)),
    "why-not": Command("`why-not NAME`: why something is no choice; alone: all that is refused", ("n", "whynot")),
    "log": Command("`log 20`: the last lines", ("l",)),
    "again": Command("the choices once more", ("a",)),
    "undo": Command("one answer back, `undo 3` or `undo all`: at most to the last chance, sight or other seat's decision", ("u", "..")),
    "verbosity": Command("`verbosity brief`, `normal` or `full`"),
    "help": Command("this list", ("?",)),
    "quit": Command("keep the game and leave", ("q", "S", "save", "exit")),
}


def find_command(word: str, exact: bool) -> str | None:
    """The command that ``word`` means: its name or a short form, or (not ``exact``) the only name that begins so.

    >>> find_command("u", exact=True), find_command("verb", exact=False)
    ('undo', 'verbosity')
    """
    if word.lower() in COMMANDS:
        return word.lower()
    for name, command in COMMANDS.items():
        if word in command.short:
            return name
    begins = [name for name in COMMANDS if len(word) > 1 and name.startswith(word.lower())]
    return begins[0] if not exact and len(begins) == 1 else None


def help_lines() -> list[str]:
    """What can be typed."""
    lines = [
        "Choose by number, by name or by the beginning of its words; several at once with blanks or commas.",
        "Words beyond one choice answer the next. A word that is unclear spends nothing.",
    ]
    for name, command in COMMANDS.items():
        short = f" ({', '.join(command.short)})" if command.short else ""
        lines.append(f"{name}{short}: {command.help}.")
    return [*lines, "A `:` before a word makes it a command even if a choice is called the same."]
