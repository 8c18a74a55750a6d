"""From what a person typed to an answer: numbers, option ids, unique beginnings, words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from cli.compass import SHORT
from cli.messages import did_you_mean, listed
from cli.refusals import fixed_number
from nemesis.bots.uniform import wants_list

if TYPE_CHECKING:
    from nemesis.decision import Decision, Option


@frozen
class Offered:
    """An option as it stands at the prompt: the game's id, and the words that the table shows."""

    id: str
    text: str
    cost: int | None = None


Numbered = Sequence[tuple[int, Offered]]
Choice = str | int | list[str]


class Unclear(Exception):
    """Nothing was chosen; the text says why and what would be clear."""


class Unknown(Unclear):
    """No option is meant at all (so it may be a command)."""


def _plain(option: Option) -> str:
    return option.text


def number_options(
    decision: Decision, fixed: Sequence[str] = (), words: Callable[[Option], str] = _plain, pad: Mapping[str, int] | None = None
) -> list[tuple[int, Offered]]:
    """Options with the numbers under which they are offered, in the ``words`` of the table.

    Actions keep the places that the pack gives them (``fixed``; its last is 0), whatever else is offered; ways out have the number pad's
    digits (``pad``); options that are whole numbers are their own numbers; all else counts from 1, with `none` as 0.
    """
    options = [Offered(option.id, words(option), option.cost) for option in decision.options]
    if options and all(re.fullmatch(r"-?\d+", option.id) for option in options):
        return [(int(option.id), option) for option in options]
    if pad:
        return sorted(((pad[option.id], option) for option in options), key=lambda pair: (pair[0] == 0, -pair[0]))
    if decision.kind != "action" or not fixed:
        some = [option for option in options if option.id != "none"]
        none = [(0, option) for option in options if option.id == "none"]
        return [*enumerate(_told_apart(some), 1), *none]
    taken: dict[int, Offered] = {}
    rest: list[Offered] = []
    for option in options:
        at = fixed_number(option.id, fixed)
        if at is None or at in taken:
            rest.append(option)
        else:
            taken[at] = option
    free = max(len(fixed), 1)
    numbered = list(taken.items()) + [(free + step, option) for step, option in enumerate(rest)]
    return sorted(numbered, key=lambda pair: (pair[0] == 0, pair[0]))


def _told_apart(options: list[Offered]) -> list[Offered]:
    """Options that read alike, with a word each to tell them apart: `second`, `third` …"""
    seen: dict[str, int] = {}
    made = []
    for option in options:
        seen[option.text] = seen.get(option.text, 0) + 1
        n = seen[option.text]
        made.append(option if n == 1 else Offered(option.id, f"{option.text} (no. {n})", option.cost))
    return made


def read_answer(text: str, decision: Decision, numbered: Numbered) -> Choice:
    """The answer that ``text`` means; `Unclear` if it means none or several. Nothing is spent by an unclear word."""
    text = text.strip()
    if decision.kind == "amount":
        return _amount(text, decision)
    if wants_list(decision):
        return _several(text, decision, numbered)
    if text.lower() == "none" and decision.min == 0 and all(option.id != "none" for option in decision.options):
        return "none"
    chosen: str = read_option(text, numbered).id
    return chosen


def exact_option(text: str, numbered: Numbered) -> Offered | None:
    """The option whose id or number is just ``text``."""
    text = text.strip().lower()
    for number, option in numbered:
        if option.id.lower() == text or str(number) == text:
            return option
    return None


def read_option(text: str, numbered: Numbered) -> Offered:
    """One option: by id, by number, by the end of its id (``406`` for ``link#406``), by a unique beginning of its words."""
    found = exact_option(text, numbered)
    if found is not None:
        return found
    wanted = _words(text)
    if not wanted:
        raise Unknown("Nothing was typed.")
    # A digit alone, or several numbers, are numbers at the prompt, never in some option's words.
    for fits in (
        () if re.fullmatch(r"\d|\d+(\s+\d+)+", text.strip()) else (_whole_text, _tail, _whole_words, _in_order, _anywhere, _towards)
    ):
        hits = [option for _, option in numbered if fits(text.lower().strip(), wanted, option)]
        if len(hits) == 1:
            return hits[0]
        if hits:
            names = listed([f"`{option.text}` ({number})" for number, option in numbered if option in hits], "or")
            raise Unclear(f"`{text}` may mean {names}. Nothing was spent.")
    words = [word for _, option in numbered for word in (*_words(option.text), option.id)]
    guess = "" if text.strip().isdigit() else did_you_mean(text, words)
    raise Unknown(f"No `{text}`.{guess} Nothing was spent.")


def split_answer(text: str, numbered: Numbered) -> tuple[Offered, str] | None:
    """For ``move b2``: the option that the first words name, and the words left for the next choice."""
    parts = text.split()
    for cut in range(len(parts) - 1, 0, -1):
        try:
            return read_option(" ".join(parts[:cut]), numbered), " ".join(parts[cut:])
        except Unclear:
            continue
    return None


def _amount(text: str, decision: Decision) -> int:
    if not re.fullmatch(r"-?\d+", text):
        raise Unknown(f"`{text}` is no number. Nothing was spent.")
    allowed = [int(option.id) for option in decision.options] or list(range(decision.min, decision.max + 1))
    if int(text) not in allowed:
        raise Unclear(f"{text} is not possible: {listed([str(n) for n in allowed], 'or')}. Nothing was spent.")
    return int(text)


def _several(text: str, decision: Decision, numbered: Numbered) -> list[str]:
    if text.lower() in ("none", "-") and decision.min == 0 and exact_option(text, numbered) is None:
        return []
    if text.lower() == "all":
        ids = [option.id for option in decision.options]
    else:
        separator = r"\s*[,;]\s*" if re.search("[,;]", text) else r"\s+"
        parts = [part for part in re.split(separator, text) if part]
        try:
            ids = [read_option(part, numbered).id for part in parts]
        except Unclear:
            if len(parts) < 2 or "," in text:
                raise
            ids = [read_option(text, numbered).id]
    if len(set(ids)) < len(ids):
        raise Unclear("One was named twice. Nothing was spent.")
    least, most = (len(decision.options),) * 2 if decision.kind == "order" else (decision.min, decision.max)
    if not least <= len(ids) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise Unclear(f"{len(ids)} named, {wanted} wanted. Nothing was spent.")
    return ids


def _words(text: str) -> list[str]:
    return re.findall(r"[\w#/-]+", text.lower().replace("_", " "))


def _unpriced(option: Offered) -> str:
    """The words of an option without its price: nobody means the price."""
    return option.text if option.cost is None else option.text.removesuffix(f", costs {option.cost}")


def _whole_text(text: str, wanted: list[str], option: Offered) -> bool:
    return option.text.lower().rstrip(".") == text or option.text.lower() == text


def _tail(text: str, wanted: list[str], option: Offered) -> bool:
    return option.id.lower().endswith(f"#{text}")


def _whole_words(text: str, wanted: list[str], option: Offered) -> bool:
    have = _words(_unpriced(option))
    return all(part in have for part in wanted)


def _in_order(text: str, wanted: list[str], option: Offered) -> bool:
    return any(
        len(have) >= len(wanted) and all(there.startswith(part) for part, there in zip(wanted, have, strict=False))
        for have in (_words(_unpriced(option)), _words(option.id))
    )


def _anywhere(text: str, wanted: list[str], option: Offered) -> bool:
    have = [*_words(_unpriced(option)), *_words(option.id)]
    return all(any(there.startswith(part) for there in have) for part in wanted)


def _towards(text: str, wanted: list[str], option: Offered) -> bool:
    return text in SHORT and _words(option.text)[:1] == [SHORT[text]]
