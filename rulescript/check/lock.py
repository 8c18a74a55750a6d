"""`ids.lock`: ids that were once given stay, whatever the title becomes."""

from __future__ import annotations

from rulescript.check.report import Report
from rulescript.check.vocabulary import Vocabulary
from rulescript.pack.load import LoadedPack, LoadedPacks
from rulescript.pack.roots import shown
from rulescript.tree import Span

NAME = "ids.lock"


def read_lock(pack: LoadedPack) -> list[tuple[str, str, str]]:
    """The rows (id, kind, title) of a pack's lock file; none if it has no such file."""
    path = pack.manifest.folder / NAME
    if not path.is_file():
        return []
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [(row[0], row[1] if len(row) > 1 else "", row[2] if len(row) > 2 else "") for row in rows]


def check_locks(loaded: LoadedPacks, words: Vocabulary, report: Report) -> None:
    """E-DUP for a locked id that is gone: saves and transcripts name it."""
    for pack in loaded.packs:
        file = shown(pack.manifest.folder / NAME)
        for number, (made, kind, title) in enumerate(read_lock(pack), 1):
            if made in words.table.definitions:
                continue
            same = [one for one in words.table.definitions.values() if one.title == title or one.kind == kind]
            hint = f"a {kind} with a new title keeps it by a line: id {made}" if same else None
            report.add("E-DUP", f"the locked id '{made}' ({title}) is gone", Span(file, number, 1, number, len(made) + 1), hint=hint)


def fix_lock(pack: LoadedPack, words: Vocabulary) -> int:
    """Adds the ids of a pack's new definitions to its lock file, sorted; old rows stay. The number of new rows."""
    rows = {row[0]: row for row in read_lock(pack)}
    new = {
        made.id: (made.id, made.kind, made.title)
        for made in words.table.definitions.values()
        if made.source.pack == pack.id and made.id not in rows
    }
    if new:
        text = "".join("\t".join(row) + "\n" for _, row in sorted((rows | new).items()))
        (pack.manifest.folder / NAME).write_text(text, encoding="utf-8")
    return len(new)
