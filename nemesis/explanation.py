"""Why something happened: the chain of causes of a journal entry, from the inside out, down to the choice before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.decision import asker_title
from nemesis.entry import Entry, is_pick, make_entry
from nemesis.wording import listed, spoken

if TYPE_CHECKING:
    from nemesis.state import State


def explain(S: State, raw: tuple[Any, ...], eyes: int | None) -> list[str]:
    """The entry, each cause with the place where it is written and the rules it cites, and the choice that led there; for those eyes.

    Empty if they may not read the entry.
    """
    entry = make_entry(S, raw, eyes)
    if entry is None:
        return []
    lines = [f"#{entry.seq} {entry.text}"]
    said = ""
    at: Any = (raw[2], raw[3])
    while at is not None:
        number, at = at
        if not isinstance(number, int) or number not in S.program.lines:
            continue
        address, cites, span = S.program.lines[number]
        where = cause_text(S, address)
        written = f"{span.file.rpartition('/')[2]}:{span.line}" if span is not None else ""
        cause = f"because of {where}"
        if cause != said:
            said = cause
            lines.append(f"{cause} ({', '.join([*([written] if written else []), *dict.fromkeys(cites)])})")
    lines += [f"picked at #{pick.seq} {pick.text}" for pick in picks_before(S, raw, eyes)]
    if raw[1] != "choose":
        chosen = choice_before(S, raw[0], eyes)
        if chosen is not None:
            lines.append(f"after #{chosen.seq} {chosen.text}")
    return lines


def cause_text(S: State, address: str) -> str:
    """`pack:procedure/turn.act:12` -> `turn, act`; a card or an action by its title; an unnamed rule as a rule of its pack.

    The address ends with the line of the text; what stands before it names the item and its step.
    """
    pack, _, body = address.partition(":")
    body = body.partition(":")[0]
    sort, _, name = body.partition("/")
    if sort == "rule":
        return f"a rule of {pack}"
    step = name.partition(".")[2]
    if sort == "action":
        bare = name.partition(".")[0]
        label = next((action.node.label for action in S.program.actions if action.name == bare and action.node.label), None)
        return label or spoken(bare)
    title = asker_title(S, address)
    step = listed(step.split(","), "or")
    return f"{title}, {spoken(step)}" if step and not step.isdigit() else title


def picks_before(S: State, raw: tuple[Any, ...], eyes: int | None) -> list[Entry]:
    """The picks among several that the lines above an entry made since the last choice, in their order."""
    above: list[Any] = [raw[3]]
    while above[-1] is not None:
        above.append(above[-1][1])
    chains = {id(chain) for chain in above if chain is not None}
    found: dict[tuple[int, int], tuple[Any, ...]] = {}
    for one in S.journal:
        if one[0] >= raw[0]:
            break
        if one[1] == "choose":
            found.clear()
        elif is_pick(one) and id(one[3]) in chains:
            found.pop((id(one[3]), one[2]), None)  # the latest stands last
            found[id(one[3]), one[2]] = one
    return [entry for one in found.values() if (entry := make_entry(S, one, eyes)) is not None]


def choice_before(S: State, seq: int, eyes: int | None) -> Any:
    """The last choice before an entry that those eyes may read."""
    found = None
    for raw in S.journal:
        if raw[0] >= seq:
            break
        if raw[1] == "choose":
            found = raw
    return make_entry(S, found, eyes) if found is not None else None


def loop_text(S: State, reason: str, cycle: tuple[str, ...]) -> str:
    """What goes round and round, once, each part with where it is written.

    ``cycle`` is the end of the stack by addresses, outermost first.
    """
    round_ = shortest_round(cycle)
    parts = []
    for address in round_:
        found = next((span for known, _, span in S.program.lines.values() if span and known.startswith(address)), None)
        where = f" ({found.file}:{found.line})" if found is not None else ""
        parts.append(f"{cause_text(S, address) if '/' in address else spoken(address)}{where}")
    for address in round_:
        reason = reason.replace(address, cause_text(S, address))
    return f"{reason}. Round and round go: {' > '.join(parts)}"


def shortest_round(cycle: tuple[str, ...]) -> tuple[str, ...]:
    """The part that repeats at the end of a list of names; all of it if nothing does.

    >>> shortest_round(("x", "a", "b", "a", "b")), shortest_round(("x", "a"))
    (('a', 'b'), ('x', 'a'))
    """
    for size in range(1, len(cycle) // 2 + 1):
        if cycle[-size:] == cycle[-2 * size : -size]:
            return cycle[-size:]
    return cycle
