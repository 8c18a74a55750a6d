"""`read NAME`: the text of a card or of an action, made from the content itself."""

from __future__ import annotations

from typing import Any

from cli.messages import did_you_mean, sentence


def card_text(game: Any, text: str) -> list[str]:
    """Title and text of every card and action that is called ``text``; a sentence if there is none."""
    program = getattr(game, "program", None)
    if program is None:
        return ["No card texts are known here."]
    from rulescript.render.card import CardWriter
    from rulescript.render.rule import RuleWriter
    from rulescript.table.declarations import slug

    wanted = slug(text)
    table = program.table
    if not wanted:
        return ["Say what: `read NAME`."]
    cards = {made.id: made for made in table.definitions.values() if made.title}
    actions = [action for action in table.actions if action.definition is None and action.node.label]
    hits = [made for made in cards.values() if wanted in (made.id, slug(made.title))]
    found = [action for action in actions if wanted in (action.name, slug(action.node.label or ""))]
    if not hits and not found:
        hits = [made for made in cards.values() if slug(made.title).startswith(wanted)][:6]
        found = [action for action in actions if slug(action.node.label or "").startswith(wanted)][:6]
    writer = CardWriter(table)
    lines = [f"{made.title}: {sentence(writer.card(made) or 'no text')}" for made in hits]
    lines += [f"{action.node.label}: {RuleWriter(table).rule(action.node)}" for action in found]
    known = [*(made.title for made in cards.values()), *(action.node.label or "" for action in actions)]
    return list(dict.fromkeys(lines)) or [f"No card or action is called `{text}`.{did_you_mean(text, known)}"]
