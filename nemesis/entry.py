"""Journal entries as a seat may read them: what happened, before and after, and why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import attrs

from nemesis.wording import deed_text, listed, name_text, plain_value, spoken, thing_text, value_text
from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from collections.abc import Iterator

    from nemesis.state import State

MOVES = frozenset({"place", "move", "return", "remove", "draw", "swap", "attach", "renew"})
LEVELS = {
    "inputs": frozenset({"choose"}),
    "story": frozenset({"choose", "call", "roll", "win", "end_game", "note", "over"}),
    "events": frozenset({"choose", "call", "roll", "win", "end_game", "note", "over", "set", "look", "reveal", "shuffle", "rule", *MOVES}),
}
PAST = {"place": "is placed in", "move": "moves to", "return": "goes back to", "remove": "leaves the game for", "draw": "is drawn to",
        "swap": "changes to", "attach": "is attached to", "renew": "is shuffled into"}  # fmt: skip


@attrs.frozen
class Entry:
    """One entry for one pair of eyes. `causes` are addresses from the inside out, `rules` the cited rule ids."""

    seq: int
    event: str
    text: str
    causes: tuple[str, ...]
    rules: tuple[str, ...]
    seen_by: str
    args: dict[str, Any]
    changes: tuple[tuple[Any, ...], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "s": self.seq, "e": self.event, "a": self.args, "d": [list(change) for change in self.changes], "c": list(self.causes),
            "r": list(self.rules), "v": self.seen_by,
        }  # fmt: skip


def entries(S: State, eyes: int | None, since: int, level: str) -> Iterator[Entry]:
    """The journal for a seat (0-based), for the table (-1) or for all eyes (None)."""
    wanted = LEVELS.get(level)
    for raw in S.journal:
        if raw[0] <= since:
            continue
        if (
            wanted is not None
            and raw[1] not in wanted
            and not (comes_out(S, raw) if level == "story" else level == "events" and is_pick(raw))
        ):
            continue
        made = make_entry(S, raw, eyes)
        if made is not None:
            yield made


def is_pick(raw: tuple[Any, ...]) -> bool:
    """Whether something was picked among several without anybody's choice, or the tie policy ranked them."""
    return raw[1] == "policy" or (raw[1] == "take" and len(raw[5]) > 3 and bool(raw[5][3]))


def comes_out(S: State, raw: tuple[Any, ...]) -> bool:
    """Whether a thing that only its owner saw comes before everybody's eyes, a hidden tile onto the map, or a piece from the stock onto it:
    the story tells that too."""
    if raw[1] not in MOVES or raw[4] != -1 or len(raw[5]) < 3:
        return False
    x, source, to = raw[5][:3]
    shows = S.program.shows
    if raw[1] == "place" and source in S.program.pool_set and to >= 0:
        return bool(S.program.place_mask[to])
    if source < 0 or to < 0 or shows[to]:
        return False
    return shows[source] == 1 or bool(shows[source] and source not in S.program.gone_set and S.program.place_mask[x])


def make_entry(S: State, raw: tuple[Any, ...], eyes: int | None) -> Entry | None:
    """An entry as those eyes may read it; None if nothing of it is theirs."""
    seq, word, lid, chain, seats, facts = raw
    sees = eyes is None or seats == -1 or (eyes >= 0 and bool(seats >> eyes & 1))
    told = tell(S, word, facts, sees, eyes)
    if told is None:
        return None
    text, args, changes = told
    causes, rules = why(S, lid, chain)
    return Entry(seq, word, text, causes, rules, seen_text(S, seats), args, changes)


def seen_text(S: State, seats: int) -> str:
    if seats == -1:
        return "all"
    names = [name for n, name in enumerate(S.seat_names) if seats >> n & 1]
    return ",".join(f"seat:{name}" for name in names) or "none"


def why(S: State, lid: Any, chain: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Addresses from the inside out, and the rule ids cited on the way (those of the innermost line that cites any)."""
    causes: list[str] = []
    rules: tuple[str, ...] = ()
    lines = S.program.lines
    ids = [lid] if isinstance(lid, int) else []
    at = chain
    while at is not None:
        ids.append(at[0])
        at = at[1]
    for number in ids:
        if number in lines:
            address, cites, _ = lines[number]
            if not causes or causes[-1] != address:
                causes.append(address)
            if not rules and cites:
                rules = tuple(dict.fromkeys(cites))
    return tuple(causes), rules


def named(S: State, x: Any, alias: int) -> str:
    base = S.program.world.base_name[x]
    return f"{base}#{alias}" if alias else base


def unseen(S: State, veil: tuple[tuple[Ref, int, int], ...], eyes: int | None) -> dict[Ref, str]:
    """What those eyes did not see of the things that an entry names, each with what everybody knows of it."""
    if eyes is None:
        return {}
    return {x: hidden_name(S, place, -1) for x, mask, place in veil if eyes < 0 or not mask >> eyes & 1}


def named_to(S: State, value: Any, hidden: dict[Ref, str]) -> str:
    """A value for people, without the names of what is hidden from them."""
    if hidden and type(value) is tuple:
        return listed([named_to(S, one, hidden) for one in value]) or "nothing"
    return hidden[value] if type(value) is Ref and value in hidden else thing_text(S, value)


def plain_to(S: State, value: Any, hidden: dict[Ref, str]) -> Any:
    """The same by ids."""
    if hidden and type(value) is tuple:
        return [plain_to(S, one, hidden) for one in value]
    return hidden[value] if type(value) is Ref and value in hidden else plain_value(S, value)


def tell(
    S: State, word: str, facts: tuple[Any, ...], sees: bool, eyes: int | None
) -> tuple[str, dict[str, Any], tuple[tuple[Any, ...], ...]] | None:
    """(text, arguments, changes) of an entry; what is not seen is told without its name, or not at all.

    The text is for people, arguments and changes hold ids.
    """
    world = S.program.world
    if word in MOVES:
        x, source, to, *rest = facts if len(facts) >= 3 else (*facts, -1, -1)
        there, before = place_name(S, to), place_name(S, source)
        name = named(S, x, rest[0]) if sees and rest else world.name_of(x) if sees else hidden_name(S, source, to)
        text = f"{thing_text(S, x) if sees and type(x) is Ref else name} {PAST[word]} {name_text(S, there)}"
        return text, {"0": name, "to": there}, ((name, "place", before, there),)
    if word == "set":
        if not sees:
            return None
        x, name, before, after, alias, veil = facts
        hidden = unseen(S, veil, eyes)
        thing = named(S, x, alias) if x is not None else name
        owner = thing_text(S, x) if type(x) is Ref else name_text(S, thing)
        of = f"{owner}: {spoken(name)}" if thing not in ("game", name) else f"{spoken(name)}:"
        change = (thing, name, plain_to(S, before, hidden), plain_to(S, after, hidden))
        return f"{of} {named_to(S, before, hidden)} -> {named_to(S, after, hidden)}", {"0": thing}, (change,)
    if word == "choose":
        seat, kind, prompt, ids, deeds = facts
        labels = tuple(deed_text(S, deed) for deed in deeds)
        text = f"{S.seat_names[seat]} {choice_text(S, kind, prompt, ids, labels) if sees else 'chooses something'}"
        return text, {"by": S.seat_names[seat], "what": list(ids) if sees else []}, ()
    if word == "roll":
        die, face, by = facts
        return f"{spoken(die)}: {spoken(str(face))}", {"0": die, "face": face, "by": plain_value(S, by)}, ()
    if word == "call":
        head = S.program.table.heads[facts[0]]
        return call_text(S, head, facts[1], unseen(S, facts[2], eyes)), {"verb": head.verb}, ()
    if word in ("look", "reveal"):
        name = value_text(S, facts[0]) if sees else "a card"
        return f"{thing_text(S, facts[0]) if sees else name} is {'looked at' if word == 'look' else 'revealed'}", {"0": name}, ()
    if word == "shuffle":
        return f"{name_text(S, place_name(S, facts[0]))} is shuffled", {"0": place_name(S, facts[0])}, ()
    if word == "rule":
        return f"rule {facts[0]}", {"0": facts[0]}, ()
    if word == "win":
        names = [S.seat_names[world.copy[x] - 1] for x in facts]
        return f"{listed(names) or 'nobody'} {'win' if len(names) > 1 else 'wins'}", {"by": names}, ()
    if word == "end_game":
        return f"the game ends{': ' + facts[0] if facts[0] else ''}", {"because": facts[0]}, ()
    if word == "over":
        return f"the game ends: {spoken(facts[0].rpartition('.')[2])}", {"because": facts[0]}, ()
    if not sees:
        return None
    if word == "take" and len(facts) > 3:
        return pick_told(S, facts, eyes)
    if word == "policy":
        ranked = [f"{thing_text(S, x)} ({', '.join(str(n) for n in value) or 'impossible'})" for x, value in facts]
        return f"the tie policy compares {listed(ranked)}", {"what": [plain_value(S, one) for one in facts]}, ()
    if word == "note":
        return ", ".join(thing_text(S, one) for one in facts), {"what": [plain_value(S, one) for one in facts]}, ()
    shown = [plain_value(S, one) for one in facts]
    return f"{spoken(word)}: {', '.join(thing_text(S, one) for one in facts)}" if shown else spoken(word), {"what": shown}, ()


PICKED = {"order": "by", "narrow": "narrowed by", "policy": "by the tie policy after", "chance": "by chance after"}


def pick_told(S: State, facts: tuple[Any, ...], eyes: int | None) -> tuple[str, dict[str, Any], tuple[tuple[Any, ...], ...]]:
    """A pick that nobody made: what was taken, by what, and all that stood there.

    All eyes have them from the first to the last. An order may read what is hidden, so a seat has them by their numbers.
    """
    name, how, taken, ranks, lid, veil = facts
    hidden = unseen(S, veil, eyes)
    if eyes is not None and ranks:
        ranks = (tuple(sorted((x for group in ranks for x in group), key=by_number)),)
    args = {"what": [name, how, plain_to(S, taken, hidden)], "among": [plain_to(S, group, hidden) for group in ranks]}
    text = f"{spoken(name)}: {named_to(S, taken, hidden)}"
    if not ranks:
        return f"{text} (nothing else was there)", args, ()
    order = listed([key_words(S, key) for key in S.program.orders.get(lid, ())])
    rule = f"{PICKED[how]} {order}" if order else PICKED[how].removesuffix(" after")
    return f"{text} ({rule}; from {', then '.join(named_to(S, group, hidden) for group in ranks)})", args, ()


def by_number(x: Any) -> tuple[bool, int, str]:
    return (False, int(x), "") if isinstance(x, int) else (True, 0, str(x))


def key_words(S: State, key: Any) -> str:
    """A sort key for people."""
    from rulescript.render.phrase import PhraseWriter

    words = PhraseWriter(S.program.table).value(key.value).partition(" for ")[0]
    return f"{words}{f' {key.direction}' if key.direction else ''}".removeprefix("that ").replace("it is you first", "the doer first")


def choice_text(S: State, kind: str, prompt: str, ids: tuple[str, ...], deeds: tuple[str, ...] = ()) -> str:
    """What a seat chose, in words; an action or ability by its label, a yes or no by what was asked."""
    if kind == "may" and ids in (("yes",), ("no",)):
        return f"chooses {'to' if ids[0] == 'yes' else 'not to'} {spoken(prompt)}"
    if prompt == "react":
        return "does not react" if ids == ("none",) else f"reacts: {name_text(S, ids[0])}"
    if kind == "action":
        card, _, name = ids[0].rpartition(".")
        label = next((action.node.label for action in S.program.actions if action.name == name and action.node.label), spoken(name))
        return f"chooses: {name_text(S, card)}: {label}" if card else f"chooses: {label}"
    if deeds:
        return f"chooses: {listed(list(deeds))}"
    if kind == "amount":
        return f"chooses {ids[0]}"
    if kind == "choose_one" and prompt == "choose":
        return f"chooses: {spoken(ids[0])}"
    names = [name_text(S, one) for one in ids if one != "none"]
    return f"chooses {listed(names) or 'nothing'}"


def place_name(S: State, place: int) -> str:
    return S.program.world.name_of(place) if place >= 0 else "nowhere"


def hidden_name(S: State, source: int, to: int) -> str:
    """What everybody knows of an unseen thing: the kind that its zone holds."""
    for place in (source, to):
        info = S.program.zone_info.get(place)
        if info is not None and info.holds:
            return f"{'an' if info.holds[0] in 'aeiou' else 'a'} {spoken(info.holds)}"
    return "a card"


def call_text(S: State, head: Any, values: tuple[Any, ...], hidden: dict[Ref, str]) -> str:
    """A procedure's text template with its arguments. `{one|many}` is a verb's form, `{s}` a plural after the number before it."""
    names = S.program.slots_of(head)
    shape = head.head
    given = dict(zip(names, values, strict=False))
    found = {name: named_to(S, value, hidden) for name, value in given.items()}
    subject: Any = given.get("by")
    if shape.amount is not None:
        found[shape.amount] = found.get("n", "")
        found[shape.object or "object"] = spoken(found.get("object", ""))
    if shape.operand is not None:
        found[shape.operand.name] = found.get("0", "")
    for word, binder in shape.binders:
        found[binder.name] = found.get(word, "")
    if "you" in given:
        subject = given["you"]
    found.setdefault("you", found.get("by", "somebody"))
    template = head.text or spoken(head.verb)
    first = re.match(r"\{(\w+)\}", template)
    if first is not None and first[1] != "you":
        subject = given.get("0") if shape.operand is not None and shape.operand.name == first[1] else given.get(first[1])
    many = type(subject) is tuple and len(subject) > 1
    amount = "1"

    def fill(match: re.Match[str]) -> str:
        nonlocal amount
        inner = match.group(1)
        if "|" in inner:
            return inner.split("|")[0 if many else 1]
        if inner == "s":
            return "" if amount == "1" else "s"
        text = found.get(inner, inner)
        if text.isdigit():
            amount = text
        return text

    return re.sub(r"\{([^}]*)\}", fill, template)


def about(S: State, raw: tuple[Any, ...]) -> set[str]:
    """Names that an entry is about, for `why`."""
    return {S.name(x) for x in raw[5] if type(x) is Ref}
