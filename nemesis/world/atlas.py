"""Maps as graphs: built with networkx to be checked, never asked in play (`nemesis.kernel.geography` keeps tables for that)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.world.thing import Ref

if TYPE_CHECKING:
    from nemesis.state import State
    from nemesis.world.world import World


def board_graph(world: World) -> Any:
    """The printed board as a networkx multigraph: nodes by name, an edge per link with its labels.

    >>> from nemesis.programs import program_of
    >>> graph = board_graph(program_of(("classic/base",), 2)[0].world)
    >>> graph.number_of_nodes() > 20 and graph.number_of_edges() > graph.number_of_nodes()
    True
    """
    import networkx

    graph: Any = networkx.MultiGraph()
    for node in world.links:
        graph.add_node(world.name_of(node))
    for link, (one, other) in world.ends.items():
        graph.add_edge(world.name_of(one), world.name_of(other), key=world.name_of(link), labels=world.labels.get(link))
    return graph


def walking_graph(S: State) -> Any:
    """The graph that figures walk on now: what the pack's `exits` question says of every place."""
    import networkx

    from nemesis.kernel.geography import exits

    graph: Any = networkx.DiGraph()
    mask = S.program.place_mask
    for place in S.program.refs:
        if mask[place] and (S.place[place] >= 0 or S.program.on_map[place]):
            for to in exits(S, place):
                graph.add_edge(int(place), int(to))
    return graph


def board_faults(world: World) -> list[str]:
    """What is wrong with a printed board, in words: parts that hang together with nothing, links that lead nowhere."""
    import networkx

    graph = board_graph(world)
    faults = [f"{node} has no link" for node in networkx.isolates(graph)]
    parts = [sorted(part) for part in networkx.connected_components(graph)]
    if len(parts) > 1:
        faults += [f"the board falls apart: {', '.join(part[:4])} …" for part in sorted(parts)[1:]]
    faults += [f"{key} leads back to {one}" for one, other, key in networkx.selfloop_edges(graph, keys=True) if one == other]
    return faults


def shortest(S: State, start: Ref, goal: Ref) -> tuple[int | None, set[int]]:
    """(steps, first steps) between two places by networkx: the oracle of the tables."""
    import networkx

    graph = walking_graph(S)
    if start not in graph or goal not in graph or not networkx.has_path(graph, int(start), int(goal)):
        return None, set()
    ways = networkx.all_shortest_paths(graph, int(start), int(goal))
    first = {way[1] for way in ways if len(way) > 1}
    return int(networkx.shortest_path_length(graph, int(start), int(goal))), first
