"""Questions to the state that generated code asks: contents, places, sets, comparisons. Nothing here writes. Their checked twins for
trials stand in `sight`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from nemesis.world.thing import Deed, Ref, Stale

if TYPE_CHECKING:
    from nemesis.state import State

NEVER = 1 << 30


def seq(x: Any) -> tuple[Any, ...]:
    """Anything as a set: none is empty, one thing is a set of one.

    >>> seq(None), seq((1, 2))
    ((), (1, 2))
    """
    if x is None or type(x) is Stale:
        return ()
    if type(x) is tuple:
        return x
    if type(x) is list:
        return tuple(x)
    return (x,)


def items(S: State, x: Any) -> tuple[Any, ...]:
    """Anything as a set; a zone stands for what lies in it."""
    if type(x) is Ref and S.program.is_zone[x]:
        return S.inside[x]
    return seq(x)


def those(S: State, x: Any) -> tuple[Any, ...]:
    """A named thing as a set: of one if it is in play, else of none."""
    return (x,) if type(x) is Ref and in_play(S, x) else ()


def one(x: Any) -> Any:
    """The one thing of a set, for places that want one."""
    if type(x) is tuple or type(x) is list:
        return x[0] if x else None
    if type(x) is Stale:
        return None
    return x


def fld(S: State, address: list[int], x: Any) -> Any:
    return S.v[address[x]] if type(x) is Ref else None


def inside_of(S: State, place: Any) -> tuple[Ref, ...]:
    return S.inside[place] if type(place) is Ref else ()


def place_ref(S: State, x: Any) -> Any:
    if type(x) is Ref:
        place = S.place[x]
        return S.program.refs[place] if place >= 0 else None
    return None


def last_ref(S: State, x: Any) -> Any:
    if type(x) is Ref:
        place = S.last[x]
    elif type(x) is Stale and x.incarnation == S.incarnation[x.thing] - 1:
        place = S.left[x.thing]
    else:
        return None
    return S.program.refs[place] if place >= 0 else None


def in_play(S: State, x: int) -> bool:
    place = S.place[x]
    place_of, up, flag = S.place, S.program.up, S.program.out
    while place >= 0:
        if flag[place]:
            return False
        place = up[place] if up[place] >= 0 else place_of[place]
    return True


def of_name(S: State, things: tuple[Any, ...], wanted: Any) -> list[Any]:
    """Those of a set that are what a value says: `things where it is wanted`."""
    if type(wanted) is str and S.program.names_a_definition(wanted):
        made = S.program.made_ids
        return [x for x in things if type(x) is Ref and made[x] == wanted]
    return [x for x in things if is_value(S, x, wanted)]


def set_of(S: State, members: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Those of a kind that are in play, by number."""
    place, out = S.place, S.program.out
    return tuple([x for x in members if (place[x] < 0 or not out[place[x]]) and in_play(S, x)])


def at_kind(S: State, mask: bytes, place: Any) -> tuple[Ref, ...]:
    """Those of a kind inside a place (or several), at any depth, by number; in their order for an ordered zone."""
    if type(place) is Ref:
        program = S.program
        inside, zones = S.inside, program.zones_of[place]
        if not zones and not inside[place]:
            return ()
        open_zones = program.open_zones
        found: list[Ref] = []
        todo: list[Any] | None = None
        for x in inside[place]:
            if mask[x]:
                found.append(x)
            if inside[x] or open_zones[x]:
                todo = [x] if todo is None else [*todo, x]
        if zones:
            out = program.out
            for zone in zones:
                if not out[zone]:
                    for x in inside[zone]:
                        if mask[x]:
                            found.append(x)
                        if inside[x] or open_zones[x]:
                            todo = [x] if todo is None else [*todo, x]
        while todo:
            deep = todo.pop()
            for x in inside[deep]:
                if mask[x]:
                    found.append(x)
                if inside[x] or open_zones[x]:
                    todo.append(x)
            for zone in open_zones[deep]:
                if inside[zone] and not program.out[zone]:
                    todo.append(zone)
        if len(found) > 1 and not program.ordered[place]:
            found.sort()
        return tuple(found)
    if place is None or type(place) is Stale:
        return ()
    several: list[Ref] = []
    for each in place:
        inner = at_kind(S, mask, each)
        if inner:
            several.extend(inner)
    return tuple(several) if len(several) < 2 else tuple(sorted(set(several)))


def any_at(S: State, mask: bytes, place: Any) -> bool:
    if type(place) is Ref:
        program, inside = S.program, S.inside
        deep: Any = program.zones_of[place]
        open_zones = program.open_zones
        for x in inside[place]:
            if mask[x]:
                return True
            if inside[x] or open_zones[x]:
                deep = True
        if not deep:
            return False
    return bool(at_kind(S, mask, place))


def at_set(S: State, things: Any, place: Any) -> tuple[Any, ...]:
    """Those of a set that lie inside a place, in the set's order."""
    places = {int(p) for p in seq(place) if type(p) is Ref}
    return tuple([x for x in seq(things) if is_inside(S, x, places)])


def is_inside(S: State, x: Any, places: set[int]) -> bool:
    if type(x) is not Ref:
        return False
    at = S.place[x]
    up, place_of, owns = S.program.up, S.place, S.program.owns
    while at >= 0:
        if at in places:
            return True
        if S.program.out[at]:
            return False
        if up[at] >= 0:
            if up[at] in places:
                return True
            if owns[up[at]]:
                return False
            at = place_of[up[at]]
        else:
            at = place_of[at]
    return False


def place_of_kind(S: State, x: Any, mask: bytes) -> Any:
    """The nearest container up the chain that is of a kind."""
    if type(x) is not Ref:
        return None
    at = S.place[x]
    up = S.program.up
    while at >= 0:
        if mask[at]:
            return S.program.refs[at]
        if up[at] >= 0:
            at = up[at]
            if mask[at]:
                return S.program.refs[at]
        at = S.place[at]
    return None


def spot(S: State, x: Any) -> Any:
    """The map node or link that x is or lies on."""
    if type(x) is not Ref:
        return None
    on_map, up = S.program.on_map, S.program.up
    at: int = x
    while at >= 0:
        if on_map[at]:
            return S.program.refs[at]
        at = up[at] if up[at] >= 0 else S.place[at]
    return None


def tile(S: State, x: Any) -> Any:
    if type(x) is not Ref:
        return None
    mask = S.program.place_mask
    for inner in S.inside[x]:
        if mask[inner]:
            return inner
    return None


def spot_value(S: State, node: Ref) -> Ref:
    """What the name of a node means: the tile on it, if one lies there."""
    return tile(S, node) or node


def owner(S: State, x: Any) -> Any:
    """Nearest thing up the chain of places whose kind owns."""
    if type(x) is not Ref:
        return None
    owns, up = S.program.owns, S.program.up
    at = S.place[x] if not S.program.is_zone[x] else x
    while at >= 0:
        if owns[at]:
            return S.program.refs[at]
        at = up[at] if up[at] >= 0 else S.place[at]
    return None


def top(S: State, x: Any) -> Any:
    if S.script:
        S.script.setdefault("", []).append(x)
    if type(x) is tuple:
        return x[-1] if x else None
    if type(x) is not Ref:
        return None
    inside = S.inside[x]
    return inside[-1] if inside else None


def bottom(S: State, x: Any) -> Any:
    if S.script:
        S.script.setdefault("", []).append(x)
    if type(x) is tuple:
        return x[0] if x else None
    if type(x) is not Ref:
        return None
    inside = S.inside[x]
    return inside[0] if inside else None


def position(S: State, x: Any) -> Any:
    if type(x) is not Ref or S.place[x] < 0:
        return None
    return S.inside[S.place[x]].index(x) + 1


def count(x: Any) -> int:
    return len(seq(x))


def is_word(S: State, x: Any, word: str) -> bool:
    """Whether x is of that kind, has that title or face, or is that word."""
    if type(x) is Ref:
        return S.program.thing_is(S, x, word)
    if type(x) is str:
        return x == word or S.program.word_below(x, word)
    if type(x) is Stale:
        return S.program.stale_is(x, word)
    if type(x) is Deed:
        return S.program.actions[x.action].name == word
    if type(x) is tuple:
        return len(x) == 1 and is_word(S, x[0], word)
    return False


def kind_is(S: State, x: Any, mask: bytes, word: str) -> bool:
    """`x is kind`, where the word can mean nothing else."""
    if type(x) is Ref:
        return bool(mask[x])
    return is_word(S, x, word)


def is_value(S: State, a: Any, b: Any) -> bool:
    if b is None or type(b) is Stale:
        return a is None or type(a) is Stale or a == ()
    if type(b) is str:
        return S.program.thing_is(S, a, b) if type(a) is Ref else is_word(S, a, b)
    if type(a) is str and type(b) is Ref:
        made = S.program.world.definition[b]
        return made is not None and made.id == a
    if type(a) is Deed and type(b) is Deed:
        return a == b
    if type(a) is tuple and type(b) is Ref:
        return len(a) == 1 and a[0] == b
    return bool(a == b and type(a) is type(b))


def is_none(x: Any) -> bool:
    return x is None or type(x) is Stale or x == ()


def eq(a: Any, b: Any) -> bool:
    """Equal values; none equals nothing, not even none."""
    if a is None or b is None or type(a) is Stale or type(b) is Stale:
        return False
    if type(a) is tuple and type(b) is Ref:
        return len(a) == 1 and bool(a[0] == b)
    if type(b) is tuple and type(a) is Ref:
        return len(b) == 1 and bool(b[0] == a)
    return bool(a == b)


def ne(a: Any, b: Any) -> bool:
    return a is not None and b is not None and type(a) is not Stale and type(b) is not Stale and not eq(a, b)


def lt(a: Any, b: Any) -> bool:
    return a is not None and b is not None and bool(a < b)


def le(a: Any, b: Any) -> bool:
    return a is not None and b is not None and bool(a <= b)


def has(S: State, xs: Any, x: Any) -> bool:
    """`S has x`: a thing or word among several; a kind word also stands for the kinds below it."""
    if x is None:
        return False
    items = seq(xs)
    if x in items:
        return True
    if type(x) is tuple:
        return all(has(S, items, one_) for one_ in x)
    if type(x) is str:
        return any(type(w) is str and S.program.word_below(x, w) for w in items)
    return False


def num(x: Any) -> int:
    return x if x is not None else 0


def plus(a: Any, b: Any) -> Any:
    if type(a) is tuple or type(b) is tuple:
        return union(a, b)
    return (a or 0) + (b or 0)


def union(a: Any, b: Any) -> tuple[Any, ...]:
    """All of both, each once, the left ones first."""
    left = seq(a)
    return left + tuple([x for x in seq(b) if x not in left])


def minus_set(a: Any, b: Any) -> tuple[Any, ...]:
    drop = seq(b)
    return tuple([x for x in seq(a) if x not in drop])


def key(x: Any) -> Any:
    """A sort key: smallest first, no before yes, none last."""
    if x is True:
        return 1
    if x is False:
        return 0
    if x is None or type(x) is Stale:
        return NEVER
    if type(x) is str:
        return x
    return int(x)


def key_down(x: Any) -> Any:
    if x is True:
        return 0
    if x is False:
        return 1
    if x is None or type(x) is Stale:
        return NEVER
    return -int(x)


def ordered_by(xs: Iterable[Any], k: Callable[[Any], Any]) -> tuple[Any, ...]:
    return tuple(sorted(xs, key=k))


def total(xs: Iterable[Any]) -> int:
    return sum([x for x in xs if x is not None])


def lowest(xs: Iterable[Any]) -> Any:
    return min([x for x in xs if x is not None], default=None)


def highest(xs: Iterable[Any]) -> Any:
    return max([x for x in xs if x is not None], default=None)


def nth(x: Any, n: int) -> tuple[Any, ...]:
    return seq(x)[: max(n, 0)]


def top_cards(S: State, x: Any, n: Any) -> tuple[Any, ...]:
    if type(x) is not Ref:
        return ()
    return tuple(reversed(S.inside[x][-n:])) if n else ()
