"""Text to trees: every line form, the cut, hashes, several faults in one file, kept results."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulescript import tree as t
from rulescript.syntax import cut, parse_text
from rulescript.table.survey import walk

ROOT = Path(__file__).parents[2]


def one(text: str) -> t.Node:
    parsed = parse_text(text, "a.nrs", cached=False)
    assert parsed.diagnostics == ()
    assert len(parsed.items) == 1
    return parsed.items[0].node


def in_body(text: str) -> t.Node:
    node = one("procedure p {\n  " + text + "\n}")
    assert isinstance(node, t.Procedure) and node.block is not None
    return node.block.lines[0]


def value(text: str) -> t.Node:
    node = in_body(f"give ({text})")
    assert isinstance(node, t.Give)
    return node.value


def name(word: str) -> t.Name:
    return t.Name(word, span=t.Span("", 0, 0, 0, 0))


def number(value: int) -> t.Number:
    return t.Number(value, span=t.Span("", 0, 0, 0, 0))


def test_head_with_an_amount() -> None:
    node = one("procedure lose n health by character { }")
    assert isinstance(node, t.Procedure)
    assert (node.head.amount, node.head.object, node.head.operand) == ("n", "health", None)
    preposition, binder = node.head.binders[0]
    assert (preposition, binder.name, binder.type.name, binder.bare) == ("by", "character", "character", True)


def test_head_with_operand_and_marks() -> None:
    node = one("procedure enter xs: beast* into room via p: place? by you: figure? { }")
    assert isinstance(node, t.Procedure) and node.head.operand is not None
    assert (node.head.operand.name, node.head.operand.type.mark) == ("xs", "*")
    assert [(p, b.name, b.type.mark) for p, b in node.head.binders] == [("into", "room", ""), ("via", "p", "?"), ("by", "you", "?")]


def test_call_with_everything() -> None:
    node = in_body('draw 2 from deck to hand as cards x2 cites A-B-01 once per turn as key because "why" { } else { stop }')
    assert isinstance(node, t.Line)
    assert (node.word, node.result, node.operand) == ("draw", "cards", number(2))
    assert node.args == (("from", name("deck")), ("to", name("hand")))
    assert (node.notes.copies, node.notes.cites, node.notes.because) == (2, ("A-B-01",), "why")
    assert (node.notes.once[0].period, node.notes.once[0].key) == ("turn", "key")
    assert node.otherwise is not None and isinstance(node.otherwise.lines[0], t.Stop)


@pytest.mark.parametrize(("text", "operator"), [("at least", ">="), ("at most", "<="), ("more than", ">"), ("less than", "<")])
def test_worded_comparisons(text: str, operator: str) -> None:
    node = value(f"x is {text} 2")
    assert isinstance(node, t.Compare) and (node.op, node.worded) == (operator, True)


def test_is_not_and_flags() -> None:
    assert value("x is not y") == t.Is(name("x"), name("y"), True, span=t.Span("", 0, 0, 0, 0))
    assert value("no") == t.Flag(False, span=t.Span("", 0, 0, 0, 0))
    assert isinstance(value("no x"), t.No) and isinstance(value("any x at y"), t.Any)


def test_brackets_alone_are_no_node() -> None:
    assert value("((x))") == name("x")
    node = value("(x where it.a by it.b down, c)")
    assert isinstance(node, t.Select) and [key.direction for key in node.keys] == ["down", ""]


def test_and_is_flat_only_where_it_is_written_so() -> None:
    node = value("a and b and c")
    assert isinstance(node, t.And) and len(node.items) == 3
    node = value("a or b and c")
    assert isinstance(node, t.Or) and isinstance(node.items[1], t.And)


def test_quantities() -> None:
    node = in_body("gain 1 of want by you")
    assert isinstance(node, t.Line) and isinstance(node.operand, t.Quantity)
    assert node.operand.computed == name("want") and node.operand.unit is None
    node = in_body("gain (n + 1) health")
    assert isinstance(node, t.Line) and isinstance(node.operand, t.Quantity) and node.operand.unit == "health"


def test_else_if_is_a_block_with_one_line() -> None:
    node = in_body("if a { } else if b { } else { stop }")
    assert isinstance(node, t.If) and node.otherwise is not None
    inner = node.otherwise.lines[0]
    assert isinstance(inner, t.If) and inner.otherwise is not None


def test_rules() -> None:
    node = one("second: may before movement.noise by you with x: word? if a once per card { }")
    assert isinstance(node, t.Hook)
    assert (node.label, node.may, node.timing, node.pattern.verb, node.pattern.step) == ("second", True, "before", "movement", "noise")
    assert isinstance(node.pattern.args[1][1], t.NamedArg)
    node = one("instead   of gain n wound by x { usual }")
    assert isinstance(node, t.Hook) and node.timing == "instead"
    node = one("modify room.size at most 3 if x")
    assert isinstance(node, t.Modify) and (node.receiver, node.member, node.op) == ("room", "size", "at_most")
    node = one('forbid place noise in corridor if any noise at corridor strict because "full"')
    assert isinstance(node, t.Forbid) and node.strict and node.notes.because == "full"


def test_rows_tell_keys_from_conditions() -> None:
    node = in_body("match v { row a, b if c { }; row else { }; row 3 { } }")
    assert isinstance(node, t.Match)
    assert [(len(row.keys), row.otherwise, row.condition is not None) for row in node.rows] == [
        (2, False, True),
        (0, True, False),
        (1, False, False),
    ]


def test_a_line_that_begins_with_a_preposition_goes_on() -> None:
    node = in_body("move x\n    to y\n    with z\n  stop")
    assert isinstance(node, t.Line) and [word for word, _ in node.args] == ["to", "with"]


def test_spans_point_into_the_file() -> None:
    parsed = parse_text("# top\n\nkind rat {\n  limit 3\n}\nkind cat\n", "a.nrs", cached=False)
    assert [item.span.where for item in parsed.items] == ["a.nrs:3:1", "a.nrs:6:1"]
    node = parsed.items[0].node
    assert isinstance(node, t.Kind) and node.block is not None
    assert node.block.lines[0].span == t.Span("a.nrs", 4, 3, 4, 10)


def test_hash_ignores_layout_comments_and_sources() -> None:
    def hash_of(text: str) -> str:
        return parse_text(text, "a.nrs", cached=False).items[0].hash

    base = hash_of("procedure p by x { lose 1 health; stop }")
    assert base == hash_of('procedure p by x cites A-B-01, A-B-02 because "so" {\n  # note\n  lose 1 health\n  stop\n}')
    assert base == hash_of('procedure p by x house "why" { lose 1 health;; stop; }')
    assert base != hash_of("procedure p by x { lose 2 health; stop }")
    assert base != hash_of("procedure p by x { lose 1 health stop }".replace(" stop", "; stop p"))


def test_every_broken_item_is_reported_once() -> None:
    text = "kind a is\nkind b\nprocedure p {\n  x to }\n}\nkind c { limit }} \nkind d\n"
    parsed = parse_text(text, "a.nrs", cached=False)
    assert [item.text.split()[1] for item in parsed.items] == ["b", "d"]
    assert [finding.span.line for finding in parsed.diagnostics] == [1, 4, 6]


def test_cut_keeps_closing_brackets_and_drops_comments() -> None:
    chunks = cut("kind a {\n  # in\n}\n# between\n\nkind b\n")
    assert [(chunk.line, chunk.text) for chunk in chunks] == [(1, "kind a {\n  # in\n}\n"), (6, "kind b\n")]


def test_windows_line_ends() -> None:
    assert len(parse_text("kind a {\r\n  limit 3\r\n}\r\nkind b\r\n", "a.nrs", cached=False).items) == 2


def test_a_damaged_kept_result_is_parsed_again(tmp_path: Path) -> None:
    text = "kind a { limit 3 }\n"
    first = parse_text(text, "a.nrs", tmp_path)
    kept = list((tmp_path / "files").iterdir())
    assert len(kept) == 1
    assert parse_text(text, "a.nrs", tmp_path).items[0].node == first.items[0].node
    kept[0].write_bytes(b"rubbish")
    assert parse_text(text, "a.nrs", tmp_path).items[0].node == first.items[0].node


def test_all_content_parses() -> None:
    for path in sorted((ROOT / "content").rglob("*.nrs")):
        parsed = parse_text(path.read_text(encoding="utf-8"), path.name)
        assert parsed.diagnostics == (), path
        for item in parsed.items:
            assert all(isinstance(node, t.Node) for node in walk(item.node))
