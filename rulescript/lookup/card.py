"""Cards as they are looked up: their text, and how sure it is."""

from __future__ import annotations

from collections.abc import Iterator

from rulescript import tree as t
from rulescript.check.vocabulary import parts
from rulescript.lookup.entry import CardEntry, Ruling, StandIn
from rulescript.lookup.rule import item_name
from rulescript.pack.load import LoadedPacks
from rulescript.render.card import CardWriter
from rulescript.render.words import title
from rulescript.table.declarations import Declarations
from rulescript.table.definition import Definition


def place_of(span: t.Span) -> str:
    return f"{span.file}:{span.line}"


def house_lines(node: t.Node, what: str) -> Iterator[StandIn]:
    """Every `house` note on an item or in it."""
    for part in parts(node):
        notes = getattr(part, "notes", None)
        if isinstance(notes, t.Notes) and notes.certainty == "house":
            yield StandIn(place_of(part.span), what, notes.source or "no reason given")


def card_entries(table: Declarations, rulings: tuple[Ruling, ...]) -> Iterator[CardEntry]:
    """All titled definitions, in the order of their packs and files."""
    writer = CardWriter(table)
    made = sorted(table.definitions.values(), key=lambda one: (one.source.rank, one.source.order))
    yield from (card_entry(one, writer, rulings) for one in made if one.title)


def card_entry(made: Definition, writer: CardWriter, rulings: tuple[Ruling, ...]) -> CardEntry:
    notes = made.notes
    inner = tuple(one for one in house_lines(made.node, made.title) if one.place != place_of(made.node.span) or notes.certainty != "house")
    return CardEntry(
        made.id, made.title, made.kind, title(made.kind), made.copies, writer.card(made), notes.certainty or "", notes.source or "",
        notes.cites, made.source.pack, place_of(made.node.span), inner,
        tuple(ruling for ruling in rulings if made.id in ruling.cards),
    )  # fmt: skip


def stand_ins(loaded: LoadedPacks) -> Iterator[StandIn]:
    """Everything in the packs that is a stand-in, file by file."""
    for item, _ in loaded.items():
        yield from house_lines(item.node, item_name(item.node))
