"""`rows card for key`: the first row of a card that fits the key, then its `always` row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel.code import Code
from nemesis.kernel.frame import Frame
from nemesis.kernel.proposal import push
from nemesis.kernel.reading import is_value, is_word, one
from nemesis.lower.scope import Scope
from nemesis.world.thing import Ref
from rulescript import tree as t

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State
    from rulescript.table.definition import Definition


def do_rows(S: State, f: Frame, lid: int, card: Any, key: Any) -> bool:
    card = one(card)
    S.done = True
    if type(card) is not Ref:
        return False
    program = S.program
    made = program.world.definition[card]
    if made is None:
        return False
    owner_at = f.shared if f.shared >= 0 else len(S.frames) - 1
    first = None
    always = None
    for index, row in enumerate(made.rows):
        if any(isinstance(k, t.Name) and k.name == "always" for k in row.keys):
            always = always if always is not None else index
        elif first is None and fits(S, f, made, index, row, key, card):
            first = index
    pushed = False
    for found in (always, first):
        if found is not None:
            code = row_code(program, made, found, f.code)
            frame = Frame(code, [None] * code.ready(), card, f.you, (lid, f.chain), S.commits)
            frame.link = owner_at
            frame.quiet = True
            push(S, frame)
            pushed = True
    return pushed


def fits(S: State, f: Frame, made: Definition, index: int, row: t.Row, key: Any, card: Ref) -> bool:
    if not row.otherwise and row.keys:
        hit = False
        for k in row.keys:
            if isinstance(k, t.Name):
                hit = hit or (is_word(S, key, k.name) if key is not None else False)
            elif isinstance(k, t.Number):
                hit = hit or key == k.value
            elif isinstance(k, t.Flag):
                hit = hit or key is k.value
            elif isinstance(k, t.Range) and isinstance(k.high, t.Number):
                hit = hit or (isinstance(key, int) and k.low <= key <= k.high.value)
            else:
                hit = hit or is_value(S, key, S.program.world.literal(k, None))
        if not hit:
            return False
    if row.condition is None:
        return True
    test = S.program.row_test(made, index, f.code, S.trial is not None)
    O = f.locals  # noqa: E741 - the name that generated code uses
    return bool(test(S, f.you, card, O))


def row_scope(unit: Code) -> Scope:
    """Rows read the locals of the procedure that resolves them."""
    unit.ready()
    return Scope(outer=Scope(dict(unit.names), dict(unit.scope.types), None, {}, unit.size))


def row_code(program: Program, made: Definition, index: int, unit: Code) -> Code:
    key = (made.id, index, unit.number)
    code = program.row_codes.get(key)
    if code is None:
        row = made.rows[index]
        strict = any(
            program.table.kinds[up].mode == "strict"
            for kind in made.kinds
            for up in program.table.ancestors(kind)
            if up in program.table.kinds
        )
        name = (
            "else"
            if row.otherwise
            else ",".join(getattr(k, "name", getattr(k, "value", "?")) if not isinstance(k, t.Number) else str(k.value) for k in row.keys)
        )
        code = Code(
            program, f"{made.source.pack}:{made.kind}/{made.id}.{name}", row.block, row_scope(unit), strict=strict,
            cites=(*made.notes.cites, *row.notes.cites), key=("row", made.id, index, unit.key), item=made.source.hash,
        )  # fmt: skip
        program.row_codes[key] = code
    return code
