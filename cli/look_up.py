"""What `cards` and `rules` share: the index of the packs that are meant, and names as they are compared."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from cli.messages import Stop
from cli.packs import content_roots

if TYPE_CHECKING:
    from rulescript.lookup import Index


def index_of(args: argparse.Namespace) -> Index:
    """The index of the packs of `--pack`, else of the default pack. `Stop` for packs that cannot be read."""
    from rulescript.lookup import look_up
    from rulescript.pack.manifest import PackError

    roots = content_roots(args.content)
    try:
        return look_up([args.pack] if args.pack else [], roots)
    except PackError as error:
        raise Stop(f"--pack: {error}" if error.misuse else str(error)) from error


def slug(text: str) -> str:
    """A name without what people type differently.

    >>> slug("The Captain's Hat")
    'the_captain_s_hat'
    """
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
