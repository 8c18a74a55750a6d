"""Which packs a request means, and their rank: inner first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rulescript.nearest import did_you_mean
from rulescript.pack.manifest import Manifest, PackError, read_manifest, whole_name
from rulescript.pack.roots import shown


def _manifest(pack: str, known: Mapping[str, Path], wanted_by: str | None) -> Manifest:
    if pack not in known:
        tail = {name.rsplit("/", 1)[-1]: name for name in known}
        hint = did_you_mean(pack, known) or did_you_mean(pack.rsplit("/", 1)[-1], tail)
        by = f" (required by {wanted_by})" if wanted_by else ""
        names = ", ".join(known) or "none"
        raise PackError(f"there is no pack '{pack}'{by}{'; ' + hint if hint else '.'} Known packs: {names}", misuse=wanted_by is None)
    folder = known[pack]
    return read_manifest(folder, pack, shown(folder / "pack.yaml"))


def default_pack(known: Mapping[str, Path]) -> str:
    """The pack that says `default: yes`. Raises PackError if there is none, or more than one."""
    marked = [pack for pack in known if _manifest(pack, known, None).default]
    if len(marked) == 1:
        return marked[0]
    if len(known) == 1:
        return next(iter(known))
    if not marked:
        raise PackError(f"no pack is marked 'default: yes'; name one of {', '.join(known) or 'none'}", misuse=True)
    raise PackError(f"several packs are marked 'default: yes': {', '.join(marked)}")


def resolve(names: Sequence[str], known: Mapping[str, Path]) -> list[Manifest]:
    """The manifests of the named packs and of all that they require, in rank order. Without a name: the default pack.

    A name without `/` takes the game of the first. Raises PackError.
    """
    words = [word.strip() for name in names for word in name.split(",") if word.strip()] or [default_pack(known)]
    game = words[0].rsplit("/", 1)[0] if "/" in words[0] else ""
    chosen: dict[str, Manifest] = {}
    waiting: list[tuple[str, str | None]] = [(word if word in known else whole_name(word, game), None) for word in words]
    while waiting:
        pack, wanted_by = waiting.pop(0)
        if pack not in chosen:
            chosen[pack] = _manifest(pack, known, wanted_by)
            waiting += [(other, pack) for other in chosen[pack].requires]
    for manifest in chosen.values():
        for other in manifest.excludes:
            if other in chosen:
                raise PackError(f"'{manifest.id}' cannot be played together with '{other}'", misuse=True)
    return _ranked(chosen)


def _ranked(chosen: Mapping[str, Manifest]) -> list[Manifest]:
    """Topological order of `requires` and `after`, of several that could come next the first by id."""
    inner = {pack: {other for other in (*m.requires, *m.after) if other in chosen} for pack, m in chosen.items()}
    order: list[Manifest] = []
    while inner:
        ready = sorted(pack for pack, others in inner.items() if not others)
        if not ready:
            raise PackError("'requires' and 'after' run in a circle: " + ", ".join(sorted(inner)))
        order.append(chosen[ready[0]])
        del inner[ready[0]]
        for others in inner.values():
            others.discard(ready[0])
    return order
