"""A state as plain JSON and back.

Things are written as ``["@", number]``, stale references as ``["~", thing, incarnation]``, abilities as ``["!", action, card, doer]``,
tuples as ``["t", …]``, lists as ``["l", …]``; words, numbers and flags stand for themselves. Code is
named by what it belongs to (`Code.key`).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

import attrs

from nemesis.kernel.frame import Event, Frame, Lasting, Pending
from nemesis.kernel.program import Program
from nemesis.state import State, next_map_version
from nemesis.world.thing import Deed, Ref, Stale

FORMAT = 1
SCALARS = ("seed", "seq", "hash", "done", "commits", "interest", "ended", "dirty", "barrier", "forced", "decisions", "refused", "windows")
BOUNDS: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "place": lambda things, seats: (-1, things - 1),
    "last": lambda things, seats: (-1, things - 1),
    "left": lambda things, seats: (-1, things - 1),
    "alias": lambda things, seats: (0, 100_000),
    "incarnation": lambda things, seats: (0, 1 << 40),
    "known": lambda things, seats: (0, 1 << 32 + seats),
}
COLUMNS = ("place", "incarnation", "last", "left", "known", "alias")


class SaveError(Exception):
    """A save that cannot be loaded; the text says why, for people."""


@attrs.frozen
class Save:
    """A game file's whole frame: which content it was made with, and the state.

    >>> read_save({"format": 1, "packs": [["a/b", "1", "9f"]], "names": ["a/b"], "items": {}, "state": {}}).names
    ('a/b',)
    """

    format: int
    packs: tuple[tuple[str, str, str], ...]
    names: tuple[str, ...]
    items: dict[str, str]
    state: dict[str, Any]


@functools.cache
def _converter() -> Any:
    import cattrs

    return cattrs.Converter(detailed_validation=False)


def read_save(data: Mapping[str, Any]) -> Save:
    """The frame of a save. Raises SaveError, with what is missing or odd, if it is none."""
    try:
        found: Save = _converter().structure(data, Save)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SaveError(f"the save is damaged ({type(error).__name__}: {error})") from error
    if found.format > FORMAT:
        raise SaveError(f"the save has format {found.format}, this program reads up to {FORMAT}")
    return found


def pack(x: Any) -> Any:
    kind = type(x)
    if kind is Ref:
        return ["@", int(x)]
    if x is None or kind is bool or kind is int or kind is str:
        return x
    if kind is Stale:
        return ["~", x.thing, x.incarnation]
    if kind is Deed:
        return ["!", x.action, pack(x.card), pack(x.doer)]
    if kind is tuple:
        return ["t", *map(pack, x)]
    if kind is list:
        return ["l", *map(pack, x)]
    raise TypeError(f"no plain form of {kind.__name__}")


def unpack(x: Any, refs: list[Ref]) -> Any:
    if type(x) is not list:
        return x
    sort = x[0]
    if sort == "@":
        return refs[x[1]]
    if sort == "t":
        return tuple([unpack(one, refs) for one in x[1:]])
    if sort == "l":
        return [unpack(one, refs) for one in x[1:]]
    if sort == "~":
        return Stale(x[1], x[2])
    if sort == "!":
        return Deed(x[1], unpack(x[2], refs), unpack(x[3], refs))
    raise SaveError(f"unknown form {sort!r}")


def pack_key(key: Any) -> Any:
    return [pack_key(part) for part in key] if isinstance(key, tuple) else key


def unpack_key(key: Any) -> Any:
    return tuple(unpack_key(part) for part in key) if isinstance(key, list) else key


def save_state(S: State) -> dict[str, Any]:
    """All of a state but its program and journal."""
    found: dict[str, Any] = {name: getattr(S, name) for name in SCALARS}
    for name in COLUMNS:
        found[name] = list(getattr(S, name))
    found["inside"] = {str(i): [int(x) for x in things] for i, things in enumerate(S.inside) if things}
    plain = S.program.world.v0
    found["v"] = {str(i): pack(x) for i, x in enumerate(S.v) if x is not plain[i] and (x != plain[i] or type(x) is not type(plain[i]))}
    found["options"] = {name: value for name, value in S.options.items()}
    found["seats"] = list(S.seat_names)
    found["result"] = pack(S.result)
    found["winners"] = [int(x) for x in S.winners]
    for name in ("ledger", "chance"):
        found[name] = [[pack_key(key), value] for key, value in sorted(getattr(S, name).items(), key=lambda item: str(item[0]))]
    found["periods"] = S.periods
    found["records"] = [[verb, step, {name: pack(x) for name, x in args.items()}] for verb, step, args in S.records]
    found["frames"] = [pack_frame(frame) for frame in S.frames]
    found["lasting"] = [
        [one.until, pack(one.locals), pack(one.this), pack(one.you), one.depth, one.event, pack_key(one.chain), pack_key(one.unit)]
        for one in S.lasting
    ]
    found["pending"] = pack_pending(S)
    found["warnings"] = S.warnings
    return found


def pack_frame(frame: Frame | Event) -> dict[str, Any]:
    if isinstance(frame, Frame):
        return {
            "code": pack_key(frame.code.key), "pc": frame.pc, "locals": None if frame.shared >= 0 else pack(frame.locals),
            "this": pack(frame.this), "you": pack(frame.you), "link": frame.link, "shared": frame.shared, "chain": pack_key(frame.chain),
            "commits": frame.commits, "ok": frame.ok, "quiet": frame.quiet, "result": pack(frame.result), "pay": pack(frame.pay),
            "sure": frame.sure, "deed": pack(frame.deed),
        }  # fmt: skip
    found: dict[str, Any] = {}
    for name in Event.__slots__:
        value = getattr(frame, name)
        if name == "args":
            found[name] = {key: pack(x) for key, x in value.items()}
        elif name == "body":
            found[name] = pack_body(value)
        elif name == "applied":
            found[name] = [[index, pack(this), pack(subject)] for index, this, subject in value]
        elif name == "rules":
            found[name] = [rule.index for rule in value]
        elif name == "queue":
            rows = [[rule.index, pack(this), pack(you), pack(subject)] for rule, this, you, subject in value or ()]
            found[name] = None if value is None else rows
        elif name == "chain":
            found[name] = pack_key(value)
        else:
            found[name] = pack(value)
    return found


def pack_body(body: tuple[Any, ...]) -> list[Any]:
    sort = body[0]
    if sort == "call":
        return ["call", body[1].index]
    if sort == "rule":
        rule, this, you, locals_, subject, variant = body[1]
        return [
            "rule",
            rule.index,
            pack(this),
            pack(you),
            pack(locals_),
            pack(subject),
            pack_key(variant.code.key) if variant.code else None,
        ]
    if sort == "write":
        return ["write", body[1], body[3], body[4]]
    return [sort, *map(pack, body[1:])]


def pack_pending(S: State) -> Any:
    pending = S.pending
    if pending is None or pending.target[0] == "window":
        return None
    return {
        "kind": pending.kind, "seat": pending.seat, "options": pack(pending.options), "target": pack(pending.target),
        "prompt": pending.prompt, "lid": pending.lid, "min": pending.minimum, "max": pending.maximum, "secret": pending.secret,
        "extra": pack(pending.extra), "labels": pack(pending.labels),
    }  # fmt: skip


def load_state(program: Program, data: dict[str, Any]) -> State:
    """A state from `save_state`'s data. Raises SaveError if the data does not fit the program."""
    refs = program.refs
    try:
        S = State(program, data["seed"], tuple(data["seats"]), dict(data["options"]))
        for name in SCALARS:
            setattr(S, name, data[name])
        for name in COLUMNS:
            column = data[name]
            if len(column) != len(refs):
                raise SaveError("the save is from content with other components")
            least, most = BOUNDS[name](len(refs), len(program.world.seats))
            if not all(isinstance(value, int) and not isinstance(value, bool) and least <= value <= most for value in column):
                raise SaveError(f"the save is damaged: odd values in {name}")
            setattr(S, name, list(column))
        for number, things in data["inside"].items():
            S.inside[int(number)] = tuple([refs[x] for x in things])
            if any(S.place[x] != int(number) for x in things):
                raise SaveError("the save is damaged: a thing lies in two places")
        for number, value in data["v"].items():
            S.v[int(number)] = unpack(value, refs)
        S.result = unpack(data["result"], refs)
        S.winners = tuple(refs[x] for x in data["winners"])
        S.ledger = {unpack_key(key): value for key, value in data["ledger"]}
        S.chance = {unpack_key(key): value for key, value in data["chance"]}
        S.periods = dict(data["periods"])
        S.records = [(verb, step, {name: unpack(x, refs) for name, x in args.items()}) for verb, step, args in data["records"]]
        for until, locals_, this, you, depth, event, chain, unit in data["lasting"]:
            program.code_by_key(unpack_key(unit)).ready()
            one = Lasting(until, unpack(locals_, refs), unpack(this, refs), unpack(you, refs), depth, unpack_key(chain))
            one.event = event
            one.unit = unpack_key(unit)
            S.lasting.append(one)
        for row in data.get("frames", ()):
            S.frames.append(load_frame(program, row, S.frames))
        know_lines(program)
        S.pending = load_pending(data["pending"], refs)
        S.warnings = list(data["warnings"])
    except (KeyError, IndexError, ValueError, TypeError, AttributeError) as error:
        raise SaveError(f"the save is damaged or from other content ({type(error).__name__}: {error})") from error
    S.map_version = next_map_version()
    S.distances = {}
    return S


def know_lines(program: Program) -> None:
    """Number the lines that no code unit holds: procedures that the kernel starts, rules, costs. Saved causes may name them."""
    for name in (program.ruleset.main, program.ruleset.ending):
        for head in program.table.verbs.get(name or "", ())[:1]:
            program.add_line(f"{head.source.pack}:{head.verb}", head.node.notes.cites, head.node.span)
    for rule in program.all_rules():
        program.add_line(rule.address, rule.node.notes.cites, rule.node.span)
    for action in program.actions:
        program.add_line(f"{action.address}/cost", action.node.notes.cites, action.node.span)


def load_frame(program: Program, row: dict[str, Any], below: list[Any]) -> Any:
    refs = program.refs
    if "code" in row:
        code = program.code_by_key(unpack_key(row["code"]))
        code.ready()
        locals_ = below[row["shared"]].locals if row["shared"] >= 0 else unpack(row["locals"], refs)
        frame = Frame(code, locals_, unpack(row["this"], refs), unpack(row["you"], refs), unpack_key(row["chain"]), row["commits"])
        for name in ("pc", "link", "shared", "ok", "quiet", "sure"):
            setattr(frame, name, row[name])
        for name in ("result", "pay", "deed"):
            setattr(frame, name, unpack(row[name], refs))
        return frame
    event = Event.__new__(Event)
    for name, value in row.items():
        if name == "args":
            event.args = {key: unpack(x, refs) for key, x in value.items()}
        elif name == "body":
            event.body = load_body(program, value)
        elif name == "applied":
            event.applied = [(index, unpack(this, refs), unpack(subject, refs)) for index, this, subject in value]
        elif name == "rules":
            event.rules = tuple(program.rule_by_index(index) for index in value)
        elif name == "queue":
            event.queue = (
                None if value is None
                else [(program.rule_by_index(i), unpack(a, refs), unpack(b, refs), unpack(c, refs)) for i, a, b, c in value]
            )  # fmt: skip
        elif name == "chain":
            event.chain = unpack_key(value)
        else:
            setattr(event, name, unpack(value, refs))
    return event


def load_body(program: Program, body: list[Any]) -> tuple[Any, ...]:
    refs = program.refs
    sort = body[0]
    if sort == "call":
        return ("call", program.table.heads[body[1]])
    if sort == "rule":
        rule = program.rule_by_index(body[1])
        key = unpack_key(body[6]) if body[6] is not None else None
        outer = program.code_by_key(key[2]) if key is not None and key[2] is not None else None
        hit = (rule, unpack(body[2], refs), unpack(body[3], refs), unpack(body[4], refs), unpack(body[5], refs), rule.variant(outer, False))
        return ("rule", hit)
    if sort == "write":
        address: Any = program.world.field_at.get(body[2])
        if address is None:
            address = program.world.track_at[body[2]]
        return ("write", body[1], address, body[2], body[3])
    return (sort, *(unpack(x, refs) for x in body[1:]))


def load_pending(row: Any, refs: list[Ref]) -> Pending | None:
    if row is None:
        return None
    pending = Pending(
        row["kind"], row["seat"], unpack(row["options"], refs), unpack(row["target"], refs), row["prompt"], row["lid"], row["min"],
        row["max"], row["secret"], unpack(row["extra"], refs),
    )  # fmt: skip
    pending.labels = unpack(row["labels"], refs)
    return pending


def item_hashes(S: State) -> dict[str, str]:
    """Content hashes of what stands on the stack or lasts."""
    found: dict[str, str] = {}
    for frame in S.frames:
        if isinstance(frame, Frame):
            found[frame.code.address] = frame.code.item
    for one in S.lasting:
        code = S.program.code_by_key(one.unit)
        found[code.address] = code.item
    return found


def changed_items(program: Program, data: dict[str, Any], items: dict[str, str]) -> list[str]:
    """Addresses on the saved stack whose content is not what it was."""
    now: dict[str, str] = {}
    for row in data.get("frames", ()):
        if "code" in row:
            try:
                code = program.code_by_key(unpack_key(row["code"]))
            except (KeyError, IndexError):
                continue
            now[code.address] = code.item
    return sorted(address for address, item in items.items() if now.get(address) != item)


def state_hash(S: State) -> str:
    """A hash of everything in the state."""
    text = json.dumps(save_state(S), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return blake2b(text.encode(), digest_size=16).hexdigest()
