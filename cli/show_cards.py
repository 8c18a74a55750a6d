"""`nemesis-cli cards`: the text of cards, made from what they do, with where it comes from and how sure it is."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cli.look_up import index_of, slug
from cli.messages import OK, Stop, counted, did_you_mean, sentence

if TYPE_CHECKING:
    from rulescript.lookup import CardEntry, Ruling, StandIn

WIDTH = 100


def show_cards(args: argparse.Namespace) -> int:
    """Run the command: the cards named, else a list of all; with `--house` only what is a stand-in."""
    index = index_of(args)
    if args.house and not args.names:
        if args.json:
            print(json.dumps([row._asdict() for row in index.stand_ins], ensure_ascii=False))
        else:
            print("\n".join([*map(stand_in_line, index.stand_ins), counted(len(index.stand_ins), "stand-in")]))
        return OK
    cards = named_cards(index.cards, args.names)
    if args.house:
        cards = [card for card in cards if card.certainty == "house" or card.stand_ins]
    if args.json:
        print(json.dumps([as_json(card) for card in cards], ensure_ascii=False))
    elif args.names:
        print("\n".join("\n".join(card_lines(card)) for card in cards) or "None of them is a stand-in.")
    else:
        print("\n".join([*map(list_line, cards), counted(len(cards), "card")]))
    return OK


def named_cards(cards: Sequence[CardEntry], names: Sequence[str]) -> list[CardEntry]:
    """Those that are called so (id, title, kind, beginning of a title), all without a name; `Stop` with the nearest for an unknown one."""
    if not names:
        return list(cards)
    found: dict[str, CardEntry] = {}
    for name in names:
        word = slug(name)
        hits = [card for card in cards if word in (card.id, slug(card.title))]
        hits = hits or [card for card in cards if word in (card.kind, slug(card.kind_title))]
        hits = hits or [card for card in cards if word and slug(card.title).startswith(word)]
        if not hits:
            known = [*(card.title for card in cards), *(card.kind for card in cards)]
            raise Stop(f"No card and no kind of card is called `{name}`.{did_you_mean(name, known)}")
        found |= {card.id: card for card in hits}
    return list(found.values())


def list_line(card: CardEntry) -> str:
    """One card of the list."""
    copies = f" x{card.copies}" if card.copies > 1 else ""
    inner = f", {counted(len(card.stand_ins), 'stand-in')} in it" if card.stand_ins else ""
    return f"{card.title}{copies} ({card.kind_title}): {card.certainty or 'no source said'}{inner}"


def card_lines(card: CardEntry) -> list[str]:
    """A card in full: its text, who says so, which rules it cites, where it is written."""
    copies = f" x{card.copies}" if card.copies > 1 else ""
    said = ": ".join(filter(None, (card.certainty, card.source))) or "no source said"
    lines = [f"{card.title}{copies} ({card.kind_title})", *wrapped(card.text or "No text.")]
    lines += wrapped(sentence(said))
    lines += [line for row in card.stand_ins for line in wrapped(f"Stand-in at {row.place}: {row.why}")]
    lines += [line for ruling in card.rulings for line in ruling_lines(ruling)]
    if card.cites:
        lines += wrapped(f"Rules: {', '.join(card.cites)}")
    return [*lines, f"  {card.pack}, {card.place}"]


def ruling_lines(ruling: Ruling) -> list[str]:
    """What was open, and how it is read."""
    lines = [f"Open: {ruling.question}", f"Read as: {ruling.choice}", f"Not as: {'; or '.join(ruling.others)}"]
    lines.append(f"On the word of: {ruling.source} ({ruling.certainty})")
    return [part for line in lines for part in wrapped(line)]


def stand_in_line(row: StandIn) -> str:
    return f"{row.place}: {row.what}: {row.why}"


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False, break_long_words=False)


def as_json(card: CardEntry) -> dict[str, object]:
    parts = {"stand_ins": [row._asdict() for row in card.stand_ins], "rulings": [ruling._asdict() for ruling in card.rulings]}
    return card._asdict() | parts
