"""The words of the grammar, and what its terminals are called when one speaks to people."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PREPOSITIONS: typing.Final = ("to", "in", "on", "from", "by", "with", "via", "for", "into", "among")
RESERVED: typing.Final = _words(
    "action after all among and any as at because before by cancel change choose cites cost count did each either else except expect for"
    " forbid from give has house if in instead into is kind let match may modify no not of on once option or order per printed procedure"
    " query repeat reported require row secret step stop test to try until up usual via where while with yes your"
)
_LINE_STARTS = _words(
    "ACTION CANCEL CHANGE CHOOSE EACH EITHER EXPECT FORBID GIVE IF KIND LET MATCH MAY MODIFY ORDER PROCEDURE QUERY REPEAT REQUIRE ROW STEP"
    " STOP TEST TIMING TRY UNTIL USUAL WHILE"
)
_EXPRESSION_STARTS = _words("ALL ANY COUNT DID INT LPAR LSQB MINUS NAME NO STRING YES YOUR")
_OPERATORS = _words("AND OR CMP EQUAL IS HAS PLUS MINUS VBAR EXCEPT STAR AT")
_NOTES = _words("COPIES CERTAINTY CITES ONCE BECAUSE SECRET")
_PREP = frozenset({"PREP", "BY", "IN", "FROM"})
_ENDS = frozenset({"_NL", "SEMICOLON", "$END"})
_NAMED: typing.Final[Mapping[str, str]] = {
    "NAME": "a name", "MEMBER": "a name", "INT": "a whole number", "STRING": 'a text in "quotes"', "LBRACE": "'{'", "RBRACE": "'}'",
    "LPAR": "'('", "RPAR": "')'", "LSQB": "'['", "RSQB": "']'", "COLON": "':'", "COMMA": "','", "DOT": "'.'", "EQUAL": "'='",
    "STAR": "'*'", "PLUS": "'+'", "MINUS": "'-'", "VBAR": "'|'", "CMP": "a comparison (= != < <= > >=)",
    "RULE_ID": "a rule id such as ABC-ONE-01", "TIMING": "'before', 'after' or 'instead of'", "COPIES": "a number of copies such as x2",
    "CERTAINTY": "'printed', 'reported' or 'house'", "UPTO": "'up to'", "BOUND": "'at least', 'at most', 'more than' or 'less than'",
    "TYPEMARK": "a mark ('?', '*' or '[]')", "MODOP": "'=', '+', '-', '|', 'except', 'at least' or 'at most'",
    "__ANON_0": "'..'", "SEMICOLON": "';'", "REF": "a thing such as name#1",
}  # fmt: skip


def spoken(terminals: Iterable[str]) -> tuple[str, ...]:
    """Terminals as phrases: families of words become one phrase each.

    >>> spoken({"PREP", "BY", "IN", "FROM", "LBRACE", "_NL"})
    ("'{'", 'a preposition (to, in, on, from, by, with, via, for, into, among)', 'the end of the line')
    """
    left = set(terminals)
    phrases: list[str] = []
    if len(_LINE_STARTS & left) > 12:
        left -= _LINE_STARTS | {"NAME", "HAS"}
        phrases.append("a new line of rules")
    for family, phrase in (
        (_EXPRESSION_STARTS, "a value"),
        (_NOTES, "a note (cites, once per …, because …)"),
        (_OPERATORS, "an operator (and, or, is, =, +, …)"),
        (_PREP, f"a preposition ({', '.join(PREPOSITIONS)})"),
    ):
        if len(family & left) >= min(len(family), 4):
            left -= family
            phrases.append(phrase)
    if _ENDS & left:
        left -= _ENDS
        phrases.append("the end of the line")
    for name in left - {"WS", "COMMENT"}:
        phrases.append(_NAMED.get(name) or f"'{name.lower()}'")
    return tuple(sorted(set(phrases)))


def keywords(terminals: Iterable[str]) -> frozenset[str]:
    """The written words that these terminals stand for."""
    words: set[str] = set()
    for name in terminals:
        if name == "PREP":
            words |= {"to", "on", "with", "via", "for", "into", "among"}
        elif name == "TIMING":
            words |= {"before", "after", "instead"}
        elif name == "CERTAINTY":
            words |= {"printed", "reported", "house"}
        elif name.lower() in RESERVED or name in ("DOWN", "FIRST", "STRICT", "SHOWS"):
            words.add(name.lower())
    return frozenset(words)
