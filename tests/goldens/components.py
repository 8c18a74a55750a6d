"""The components of a pack as a table: every definition with its copies and the values of its fields, every limit, every zone."""

from __future__ import annotations

from nemesis.world.world import World
from rulescript.pack.load import LoadedPacks
from rulescript.table.declarations import declare


def component_table(loaded: LoadedPacks, seats: int = 3) -> list[str]:
    """One line for each kind of component, sorted by name: `colour red; slots [ammo]` and the like, what is empty left out."""
    table = declare(list(loaded.nodes()))
    world = World(table, seats)
    rows = []
    for kind in table.kinds.values():
        limits = [
            f"limit {kind.limit}" if kind.limit else "",
            *(f"one in {place}" for place in kind.one_in),
            *(f"up to {n} in {p}" for n, p in kind.up_to),
        ]
        if any(limits):
            rows.append(f"kind {kind.name}: {', '.join(limit for limit in limits if limit)}")
    seen: set[str] = set()
    for x in world.refs:
        made = world.definition[x]
        name = f"{world.kind[x]} {world.base_name[x]}" + (
            f" {world.copy[x]}" if made is not None and made.copies == 1 and world.copy[x] > 1 else ""
        )
        if (made is None and x not in world.ends and x not in world.links) or name in seen:
            continue
        seen.add(name)
        values = []
        for field, address in sorted(world.field_at.items()):
            value = world.v0[address[x]] if address[x] >= 0 else None
            if address[x] >= 0 and value not in (None, ()):
                values.append(f"{field} {_plain(value)}")
        values += [f"{query} {_plain(said[x])}" for query, said in sorted(world.overrides.items()) if x in said]
        rows.append(f"{name} x{made.copies if made is not None else 1}: {'; '.join(values)}")
    return sorted(rows)


def _plain(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_plain, value))}]"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
