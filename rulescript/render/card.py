"""Whole cards: kind, traits, fields, rules, actions, rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rulescript import tree as t
from rulescript.check.vocabulary import parts
from rulescript.nearest import did_you_mean
from rulescript.pack.load import load_packs
from rulescript.pack.manifest import PackError
from rulescript.pack.roots import shown
from rulescript.render.rule import RuleWriter
from rulescript.render.words import joined, title
from rulescript.table.declarations import Declarations, HeadInfo, declare, slug
from rulescript.table.definition import Definition


class CardWriter:
    """Texts of definitions and actions of one set of packs."""

    def __init__(self, table: Declarations) -> None:
        self.table = table
        self._by_kind = self._lines()

    def card(self, made: Definition) -> str:
        """The text of a definition, without its title: traits, fields, then what it does."""
        found: list[str] = []
        traits = [title(kind) for kind in made.kinds[1:] if not self._says(kind)]
        if traits:
            found.append(joined(traits) + ".")
        for name, value in made.values.items():
            found.append(self._field(name, value))
        for kind in made.kinds:
            info = [line for up in self.table.ancestors(kind) for line in self._kind_lines(up)]
            found += [text for line in info if (text := RuleWriter(self.table).rule(line))]
        for line in made.node.block.lines if made.node.block else ():
            writer = RuleWriter(self.table)
            if isinstance(line, t.Row):
                found.append(self.row(line, made))
            elif not isinstance(line, t.Line) and (text := writer.rule(line)):
                found.append(text)
        return " ".join(part for part in dict.fromkeys(found) if part)

    def _kind_lines(self, kind: str) -> list[t.Node]:
        return self._by_kind.get(kind, [])

    def _lines(self) -> dict[str, list[t.Node]]:
        found: dict[str, list[t.Node]] = {}
        for rule in self.table.rules:
            if rule.kind is not None and not rule.guards:
                found.setdefault(rule.kind, []).append(rule.node)
        for action in self.table.actions:
            if action.kind is not None:
                found.setdefault(action.kind, []).append(action.node)
        return found

    def _says(self, kind: str) -> bool:
        """A trait that only carries the text of a card is no word on it."""
        info = self.table.kinds.get(kind)
        return info is None or (bool(self._kind_lines(kind)) and info.name.endswith("_card"))

    def _field(self, name: str, value: t.Expression) -> str:
        writer = RuleWriter(self.table)
        if isinstance(value, t.Flag):
            return f"{title(name)}." if value.value else ""
        if isinstance(value, t.ListOf):
            return f"{title(name)}: {', '.join(title(writer.word(item)) for item in value.items) or 'none'}."
        return f"{title(name)}: {writer.word(value)}."

    def _reads(self, line: t.Line, head: HeadInfo, made: Definition) -> bool:
        """Does this `rows` line of a procedure read the rows of such a card?"""
        word = line.operand.name if isinstance(line.operand, t.Name) else ""
        binders = [binder for binder in (head.head.operand, *(b for _, b in head.head.binders)) if binder is not None]
        kind = next((binder.type.name for binder in binders if binder.name == word), word)
        return any(kind in self.table.ancestors(own) for own in made.kinds)

    def _same_keys(self, kind: str) -> bool:
        """Whether all cards of a kind have the same single row: then its key is no word on them."""
        rows = [made.rows for made in self.table.definitions.values() if made.kind == kind and made.rows]
        keys = {tuple(key.name if isinstance(key, t.Name) else "" for row in own for key in row.keys) for own in rows}
        return len(keys) == 1 and len(next(iter(keys))) == 1 and not any(name in self.table.kinds for name in next(iter(keys)))

    def row(self, row: t.Row, made: Definition) -> str:
        writer = RuleWriter(self.table)
        for head in self.table.heads:
            reads = [part for part in parts(head.node.block) if isinstance(part, t.Line) and part.word == "rows"]
            if any(self._reads(part, head, made) for part in reads):
                writer.name_head(head)
        text = " ".join(writer.body(row.block)) or "Nothing happens."
        if self._same_keys(made.kind):
            return text
        keys = [str(key.value) if isinstance(key, t.Number) else title(key.name) for key in row.keys if isinstance(key, t.Name | t.Number)]
        start = joined(keys, "or") if keys else "Otherwise"
        condition = f" if {writer.condition(row.condition)}" if row.condition is not None else ""
        return f"{start}{condition}: {text}" if keys != ["Always"] else text


def render_cards(what: Sequence[str], packs: Sequence[str] = (), roots: Sequence[Path] = ()) -> str:
    """Title and text of cards named by file, id, title or kind. Raises PackError if a name fits nothing."""
    from rulescript.check.lint import root_of

    files = [Path(word) for word in what if word.endswith(".nrs") or Path(word).is_dir()]
    chosen, where = list(packs), list(roots)
    for path in files:
        if not path.exists():
            raise PackError(f"{path}: there is no such file", misuse=True)
        root, pack = root_of(path if path.is_dir() else path.parent)
        where.append(root)
        chosen.append(pack)
    loaded = load_packs(list(dict.fromkeys(chosen)), where)
    table = declare(loaded.nodes())
    writer = CardWriter(table)
    found: list[Definition] = []
    for word in what:
        path = Path(word)
        key = slug(word)
        if path in files:
            names = {shown(path)} if path.is_file() else {shown(file) for file in path.glob("*.nrs")}
            hits = [made for made in table.definitions.values() if made.node.span.file in names]
        else:
            hits = [made for made in table.definitions.values() if made.id == key or slug(made.title) == key or made.kind == word]
        if not hits and path not in files:
            known = [*table.definitions, *(made.kind for made in table.definitions.values())]
            raise PackError("; ".join(filter(None, (f"no card is called '{word}'", did_you_mean(key, known)))), misuse=True)
        found += hits
    blocks = []
    for made in dict.fromkeys(made.id for made in found):
        card = table.definitions[made]
        count = f" x{card.copies}" if card.copies > 1 else ""
        blocks.append(f"{card.title}{count} ({title(card.kind)})\n  {writer.card(card) or '-'}")
    return "\n".join(blocks)
