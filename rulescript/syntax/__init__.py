"""The `.nrs` text and the text form of positions, to trees."""

from rulescript.syntax.cut import cut
from rulescript.syntax.fragment import FragmentError, parse_fragment
from rulescript.syntax.item import Item, ParsedFile
from rulescript.syntax.parse import parse_file, parse_text

__all__ = ["FragmentError", "Item", "ParsedFile", "cut", "parse_file", "parse_fragment", "parse_text"]
