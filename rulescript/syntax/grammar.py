"""The grammar files and the parsers made from them, each built once and only when it is needed."""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import typing
from pathlib import Path

if typing.TYPE_CHECKING:
    from lark import Lark

_PACKAGE = Path(__file__).resolve().parent.parent


def grammar_path(name: str) -> Path:
    """The file of a grammar: beside the checkout first, else the copy inside the installed package.

    >>> grammar_path("nrs").name
    'nrs.lark'
    """
    beside = _PACKAGE.parent / "grammar" / f"{name}.lark"
    return beside if beside.is_file() else _PACKAGE / "_data" / "grammar" / f"{name}.lark"


@functools.cache
def grammar_text(name: str) -> str:
    return grammar_path(name).read_text(encoding="utf-8")


def cache_directory() -> Path:
    """Where parsed files are kept: `$XDG_CACHE_HOME/rulescript`, else `~/.cache/rulescript`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "rulescript"


@functools.cache
def parser(name: str) -> Lark:
    """The parser of a grammar (LALR, contextual lexer); its tables are kept in the cache directory where that can be written."""
    from lark import Lark

    text = grammar_text(name)
    # Older kept tables of another grammar or Python simply have another name.
    stamp = hashlib.blake2b((text + sys.version).encode(), digest_size=8).hexdigest()
    cache: str | bool = False
    directory = cache_directory()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if os.access(directory, os.W_OK):
            cache = str(directory / f"{name}-{stamp}.tables")
    except OSError:
        cache = False
    return Lark(text, parser="lalr", lexer="contextual", keep_all_tokens=True, maybe_placeholders=False, cache=cache)
