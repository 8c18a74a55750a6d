"""Cycles of questions and calls, and whether the game ends."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary, parts
from rulescript.pack.load import LoadedPacks
from rulescript.table.declarations import QueryInfo
from rulescript.table.definition import Source


def check_graphs(loaded: LoadedPacks, entries: list[tuple[t.Node, Source]], words: Vocabulary, report: Report) -> None:
    """E-CYCLE for questions that ask themselves, E-ENDLESS for a game that nothing ends, E-PACK for names the rule set lacks."""
    _question_cycles(words, report)
    _ruleset(loaded, words, report)


def _query_key(query: QueryInfo) -> str:
    return f"{query.receiver}.{query.name}"


def _question_cycles(words: Vocabulary, report: Report) -> None:
    """Only plain self-questions are followed: `this.name` on the same receiver, and bare questions of the game."""
    queries = {_query_key(query): query for found in words.table.queries.values() for query in found if query.definition is None}
    edges: dict[str, list[str]] = {}
    for key, query in queries.items():
        edges[key] = sorted(_asked(query, queries, words))
    done: set[str] = set()
    for start in sorted(edges):
        path: list[str] = []
        _follow(start, edges, path, done, queries, report)


def _asked(query: QueryInfo, queries: dict[str, QueryInfo], words: Vocabulary) -> set[str]:
    found: set[str] = set()
    for part in parts(query.node.block):
        receiver: str | None = None
        name = ""
        if isinstance(part, t.Get | t.Ask) and isinstance(part.base, t.Name) and part.base.name == "this":
            receiver, name = query.receiver, part.member
        elif isinstance(part, t.Function):
            receiver, name = "game", part.name
        elif isinstance(part, t.Get | t.Ask) and isinstance(part.base, t.Name) and part.base.name == "game":
            receiver, name = "game", part.member
        if receiver is not None:
            for up in words.table.ancestors(receiver):
                if f"{up}.{name}" in queries:
                    found.add(f"{up}.{name}")
                    break
    return found


def _follow(key: str, edges: dict[str, list[str]], path: list[str], done: set[str], queries: dict[str, QueryInfo], report: Report) -> None:
    if key in path:
        cycle = [*path[path.index(key) :], key]
        query = queries[cycle[0]]
        report.add("E-CYCLE", "this question asks itself: " + " -> ".join(cycle), report.span_of(query.name, query.node.span))
        return
    if key in done:
        return
    path.append(key)
    for following in edges[key]:
        _follow(following, edges, path, done, queries, report)
    path.pop()
    done.add(key)


def _ruleset(loaded: LoadedPacks, words: Vocabulary, report: Report) -> None:
    rules = loaded.ruleset
    manifest = next((m for m in loaded.manifests if m.ruleset.main is not None), None)
    if manifest is None:
        return
    at = t.Span(manifest.file, 1, 1, 1, 2)
    table = words.table
    for what, name in (("main", rules.main), ("ending", rules.ending), ("pay", rules.pay)):
        if name is not None and name not in table.verbs:
            report.add("E-PACK", f"the rule set's {what} is '{name}', but no pack has such a procedure", _in_manifest(name, at, report))
    for what, found, known in (
        ("over", (rules.over or "").removeprefix("game."), {n for n, q in table.queries.items() if any(x.receiver == "game" for x in q)}),
        ("harm", rules.harm or "", set(table.harms)),
        ("hope", rules.hope or "", set(table.hopes)),
        ("asks", rules.asks or "", set(table.orders) | {"seating"}),
        ("chance_period", rules.chance_period or "", words.periods),
    ):
        if found and found not in known:
            report.add("E-PACK", f"the rule set's {what} is '{found}', but no pack declares it", _in_manifest(found, at, report))
    if rules.main is None or rules.main not in table.verbs:
        return
    reached = _reached(rules.main, words)
    counted = any(isinstance(part, t.Repeat) for head in table.verbs[rules.main] for part in parts(head.node.block))
    if "end_game" not in reached and not counted and rules.over is None:
        head = table.verbs[rules.main][0]
        report.add(
            "E-ENDLESS",
            "nothing ends this game: no 'end_game' is reached and nothing counts the rounds",
            report.span_of(head.verb, head.node.span),
        )


def _in_manifest(name: str, at: t.Span, report: Report) -> t.Span:
    try:
        with open(at.file, encoding="utf-8") as handle:
            report.add_text(at.file, handle.read())
    except OSError:
        return at
    return report.span_of(name, t.Span(at.file, 1, 1, 10_000, 1))


def _reached(start: str, words: Vocabulary) -> set[str]:
    """The verbs that are called from a procedure, directly or not, rules on them included."""
    called: dict[str, set[str]] = {}
    for head in words.table.heads:
        called.setdefault(head.verb, set()).update(part.word for part in parts(head.node.block) if isinstance(part, t.Line))
    for rule in words.table.rules:
        if isinstance(rule.node, t.Hook):
            lines = {part.word for part in parts(rule.node.block) if isinstance(part, t.Line)}
            called.setdefault(rule.node.pattern.verb, set()).update(lines)
    found: set[str] = set()
    waiting = [start]
    while waiting:
        verb = waiting.pop()
        if verb not in found:
            found.add(verb)
            waiting += called.get(verb, ())
    return found
