"""A decision as a face sees it: who is asked, for what, and which options there are (`docs/formats.md` section 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from nemesis.kernel.decide import option_id
from nemesis.kernel.offer import deed_cost
from nemesis.kernel.sight import seen_by
from nemesis.wording import deed_text, plural, spoken, thing_text
from nemesis.world.thing import Deed, Ref

if TYPE_CHECKING:
    from nemesis.kernel.frame import Pending
    from nemesis.state import State


@attrs.frozen
class Option:
    """One thing that may be answered; `id` is stable, `text` is for people."""

    id: str
    text: str
    kind: str
    cost: int | None = None

    @property
    def label(self) -> dict[str, Any]:
        return {"template": "{text}", "args": {"text": self.text}}

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {"id": self.id, "label": self.label, "kind": self.kind}
        if self.cost is not None:
            found["cost"] = self.cost
        return found


@attrs.frozen
class Decision:
    """The open decision. `seq` is the length of the journal when it was asked; `min` and `max` say how many options an answer takes."""

    id: str
    seq: int
    kind: str
    asker: dict[str, Any]
    chooser: str
    viewers: tuple[str, ...]
    prompt: dict[str, Any]
    min: int
    max: int
    options: tuple[Option, ...]

    def to_json(self) -> dict[str, Any]:
        found = {field.name: getattr(self, field.name) for field in attrs.fields(Decision)}
        found["options"] = [option.to_json() for option in self.options]
        found["viewers"] = list(self.viewers)
        found["forced"] = False
        return found


def make_decision(S: State) -> Decision:
    """The pending decision of a state in words."""
    pending = S.pending
    assert pending is not None
    address, cites, _ = S.program.line(pending.lid)
    chooser = S.seat_names[pending.seat]
    options = tuple([make_option(S, pending, i) for i in range(len(pending.options))])
    return Decision(
        f"d{S.decisions}",
        S.seq,
        pending.kind,
        {"address": address, "title": asker_title(S, address), "cites": list(cites)},
        chooser,
        (chooser,),
        {"template": prompt_text(S, pending), "args": {}},
        pending.minimum,
        pending.maximum,
        options,
    )


def asker_title(S: State, address: str) -> str:
    """`retaliation/base:action/shoot:12` -> Shoot; a card's title for a line of a card."""
    body = address.split(":", 1)[-1].split(":")[0]
    name = body.split("/")[0]
    made = S.program.table.definitions.get(name.split(".")[0])
    if made is not None:
        return made.title
    return spoken(body.split("/")[-1].split(".")[0])


GENERIC = frozenset(
    {
        "one",
        "thing",
        "gone",
        "sort",
        "kept",
        "found",
        "what",
        "which",
        "made",
        "old",
        "pick",
        "picked",
        "part",
        "some",
        "mine",
        "spare",
        "dropped",
        "who",
        "deed",
    }  # fmt: skip
)
"""Names of choices that say nothing to a person; the kind of what is offered says more."""


def prompt_text(S: State, pending: Pending) -> str:
    """What is asked: the content's own words where it has some, else what kind of thing is wanted, and how many."""
    if pending.kind == "action":
        return "choose an action"
    if pending.target[0] == "window":
        return "react, or let it happen"
    if pending.kind == "may":
        return f"{spoken(pending.prompt)}?"
    if pending.kind == "order":
        return "put in order"
    if pending.target[0] == "divide":
        return f"how much for {spoken(pending.prompt).replace('#', ' ')}"
    if pending.target[0] == "jump":
        return "choose what to do"
    if pending.kind == "amount" or pending.options and all(type(x) is int for x in pending.options):
        return f"choose {spoken(pending.prompt)}" if pending.prompt not in GENERIC and len(pending.prompt) > 2 else "choose a number"
    what, kind = noun(S, pending)
    if pending.kind != "choose_some":
        more = f" ({kind})" if kind and kind not in what and what not in kind else ""
        return f"choose {'an' if what[0] in 'aeiou' else 'a'} {what}{more}" if what else "choose one"
    least, most = pending.minimum, pending.maximum
    how_many = str(most) if least == most else f"up to {most}" if least == 0 else f"{least} to {most}"
    return f"choose {how_many} {what if most == 1 or not what else plural(what)}".rstrip()


def noun(S: State, pending: Pending) -> tuple[str, str]:
    """What one of the options is, and of which kind: the content's name for the choice, or, if that says nothing, the kind that all share.

    Both are empty where words are offered that share nothing.
    """
    said = spoken(pending.prompt) if pending.prompt not in GENERIC and len(pending.prompt) > 2 else ""
    world = S.program.world
    shared: list[str] | None = None
    for x in pending.options:
        if x is None:
            continue
        if type(x) is not Ref:
            return said, ""
        line = [up for own in world.kinds[x] for up in S.program.table.ancestors(own)]
        shared = line if shared is None else [kind for kind in shared if kind in line]
    kind = spoken(shared[0]) if shared else ""
    return said or kind or "thing", kind if kind not in ("thing", "place") else ""


def make_option(S: State, pending: Pending, index: int) -> Option:
    option = pending.options[index]
    name = option_id(S, pending, index)
    if pending.kind == "action":
        deed = option[0]
        return Option(name, deed_text(S, deed), "action", deed_cost(S, deed))
    if pending.target[0] == "window":
        if option is None:
            return Option(name, "let it happen", "none")
        because = option[0].because or "react"
        return Option(name, f"{thing_text(S, option[1])}: {because}" if type(option[1]) is Ref else because, "rule")
    if pending.target[0] == "jump":
        labels = pending.extra
        return Option(name, spoken(labels[index]) if labels else spoken(name), "word")
    if option is None:
        return Option(name, "none", "none")
    if type(option) is Deed:
        return Option(name, deed_text(S, option), "action", None)
    if type(option) is Ref:
        seen = seen_by(S, option, pending.seat)
        return Option(name if seen else f"unseen_{index + 1}", thing_text(S, option) if seen else f"card {index + 1}, not seen", "thing")
    return Option(name, spoken(name), "amount" if isinstance(option, int) else "word")
