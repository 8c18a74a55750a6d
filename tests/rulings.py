"""`docs/rulings.md` from the `rulings.yaml` of the packs: `python -m tests.rulings` writes it anew."""

from __future__ import annotations

from pathlib import Path

from rulescript.lookup import Index, Ruling, look_up
from rulescript.lookup.index import RULINGS
from rulescript.lookup.ruling import read_rulings
from rulescript.pack.manifest import read_manifest
from rulescript.pack.roots import known_packs

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/rulings.md"
COLUMNS = "| rules | open | read as | and not | who says so |"
HEAD = """# Rulings

What the rules leave open, how the content reads it, and on whose word. This page is made from the `rulings.yaml` of the packs by
`python -m tests.rulings`; do not edit it here. `nemesis-cli rules ID` shows the same for one rule, with the lines of the content that have
it and the tests that prove it.

Who says so: **printed** the publisher (rulebook, sheets, the official FAQ), **reported** others who have the game before them, **house**
ourselves. Where nothing else decides, the reading is taken that is worse for the players (RET-GOLD-01). Rulings for what no pack here
holds are recorded with the pack that will hold it.
"""


def packs_with_rulings() -> dict[str, Path]:
    return {pack: folder for pack, folder in known_packs([ROOT / "content"]).items() if (folder / RULINGS).is_file()}


def page() -> str:
    """The whole page."""
    lines = [HEAD.rstrip("\n")]
    for pack, folder in packs_with_rulings().items():
        index = look_up([pack], [ROOT / "content"])
        rulings = read_rulings(folder / RULINGS)
        for here, title in ((True, ""), (False, ", without a line of the content of its own")):
            rows = [row(ruling) for ruling in rulings if in_content(ruling, index) is here]
            if rows:
                name = read_manifest(folder, pack, str(folder / "pack.yaml")).title
                lines += [
                    "",
                    f"## {name} (`{pack}`){title}",
                    "| rules | open | read as | and not | who says so |",
                    "|---|---|---|---|---|",
                    *rows,
                ]
    return "\n".join(lines) + "\n"


def in_content(ruling: Ruling, index: Index) -> bool:
    """Whether the pack has anything that the ruling decides: a line or a test that cites one of its rules, or one of its cards."""
    cited = any(index.rules[rule].content or index.rules[rule].tests for rule in ruling.rules)
    return cited or any(card.id in ruling.cards for card in index.cards)


def row(ruling: Ruling) -> str:
    about = ", ".join((*ruling.rules, *(f"`{card}`" for card in ruling.cards)))
    cells = (about, ruling.question, ruling.choice, "; or ".join(ruling.others), f"{ruling.source} ({ruling.certainty})")
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
