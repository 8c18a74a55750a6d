"""Expressions as phrases."""

from __future__ import annotations

from rulescript import tree as t
from rulescript.render.words import a, joined, plain, plural, title
from rulescript.table.declarations import Declarations

_AMOUNTS = {"=": "exactly", "<": "fewer than", "<=": "at most", ">": "more than", ">=": "at least"}
_OWNERS = {"it": "its", "them": "their", "you": "your"}
_LINKS = ("at", "in", "to", "from", "by", "of", "on", "for", "with")
_VERBS = frozenset({"is", "are", "was", "were", "has", "can", "may"})
_SIGNS = {"=": "is", "!=": "is not", "<": "is less than", "<=": "is at most", ">": "is more than", ">=": "is at least"}


class PhraseWriter:
    """Writes values, sets and conditions in words."""

    def __init__(self, table: Declarations) -> None:
        self.table = table
        self.names: dict[str, str] = {}  # what a bound name is called here
        self.sets: dict[str, t.Expression] = {}  # the sets that names stand for

    def name(self, word: str) -> str:
        """A word as people write it: kinds and things by title."""
        if word in self.names:
            return self.names[word]
        if word in ("you", "this", "it", "none", "result"):
            return {"this": "this card", "none": "nothing"}.get(word, word)
        made = self.table.definitions.get(word.split("#")[0])
        if made is not None:
            return made.title
        if word in self.table.kinds or "#" in word:
            return title(word)
        single = self.table.singular(word)
        if single != word and single in self.table.kinds:
            return plural(title(single))
        if word in self.table.dice:
            return plain(word)
        if word in self.table.zones or word in self.table.tracks:
            return f"the {plain(word) if len(word) > 2 else title(word)}" if word not in ("table", "box") else word
        if word in ("table", "box"):
            return f"the {word}"
        label = next((action.node.label or title(word) for action in self.table.actions if action.name == word), None)
        if label is not None:
            return label
        if any(word in words for words in self.table.words.values()):
            return title(word)
        return f"that {plain(word)}" if word not in self.table.orders else plain(word)

    def word(self, node: t.Node) -> str:
        """A word in a list or a comparison: what is not bound stands for itself."""
        if isinstance(node, t.Name) and node.name not in self.names and self.name(node.name).startswith("that "):
            return title(node.name)
        return self.value(node)

    def units(self, amount: str, unit: str) -> str:
        """`2 Silver Coins`, `3 Honour`, `any Silver Coin`."""
        single = self.table.singular(unit)
        if single in self.table.kinds:
            info = self.table.kinds[single]
            many = title(info.plural) if info.plural else plural(title(single))
            return f"{amount} {title(single) if amount in ('1', 'any') else many}"
        return f"{amount} {title(unit.removesuffix('s') if amount == '1' else unit)}"

    def value(self, node: t.Node) -> str:
        """A value or a thing."""
        match node:
            case t.Name():
                return self.name(node.name)
            case t.AllOf():
                return f"every {title(node.kind)}"
            case t.Everyone():
                return "everybody"
            case t.Number():
                return str(node.value)
            case t.Text():
                return node.value
            case t.Flag():
                return "yes" if node.value else "no"
            case t.Range():
                return f"{node.low} to {self.value(node.high)}"
            case t.Your():
                return f"your {self.member(node.member)}" + self.arguments(node.args, node.member)
            case t.Get():
                return self.owned(node)
            case t.Ask():
                return self.owned(node) + self.arguments(node.args, node.member)
            case t.Function():
                return self.function(node)
            case t.ListOf():
                return joined([self.word(item) for item in node.items]) or "nothing"
            case t.Select():
                return self.chosen(node)
            case t.At():
                return f"{self.value(node.source)} {self.where(node.place)}"
            case t.Quantity():
                return self.quantity(node)
            case t.Arithmetic():
                return self.arithmetic(node)
            case t.Negative():
                return f"minus {self.value(node.value)}"
            case t.Count():
                return f"the number of {self.many(node.value)}"
            case _:
                return self.condition(node)

    def member(self, name: str) -> str:
        """A field or question as a noun; kinds of the packs by their title, those that the kernel knows as plain words."""
        info = self.table.kinds.get(name)
        return title(name) if info is not None and info.source.pack != "kernel" else plain(name)

    def owned(self, node: t.Get | t.Ask) -> str:
        base = node.base
        if isinstance(base, t.Name) and base.name in ("game", "map"):
            return f"the {plain(node.member)}"
        if node.member in ("cards", "first", "last") and not isinstance(node, t.Ask):
            if node.member == "cards":
                return self.value(base)
            return (
                f"the {node.member} {self.without_article(base)}" if isinstance(base, t.At) else f"the {node.member} of {self.value(base)}"
            )
        said = self.value(base)
        return f"{_OWNERS[said]} {self.member(node.member)}" if said in _OWNERS else f"the {self.member(node.member)} of {said}"

    def arguments(self, args: tuple[t.Expression, ...] | None, member: str = "") -> str:
        """What a question is asked about: `shut at` your Room, `targetable` for you; numbers in brackets."""
        if not args:
            return ""
        said = joined([self.word(arg) for arg in args])
        if all(isinstance(arg, t.Number) for arg in args):
            return f" {said}" if member.endswith("number") else f" ({said})"
        return f" {said}" if member.rpartition("_")[2] in _LINKS else f" for {said}"

    def function(self, node: t.Function) -> str:
        if node.name == "cause_of" and node.args:
            return f"the {self.name_of_verb(node.args[0])} before"
        if node.name in ("sum", "lowest", "highest") and len(node.args) == 2:
            word = {"sum": "total", "lowest": "lowest", "highest": "highest"}[node.name]
            if isinstance(node.args[1], t.Get) and _is_it(node.args[1].base):
                return f"the {word} {self.member(node.args[1].member)} of {self.many(node.args[0])}"
            return f"the {word} of {self.value(node.args[1])} of {self.many(node.args[0])}"
        return f"the {plain(node.name)}" + (f" of {joined([self.word(arg) for arg in node.args])}" if node.args else "")

    def name_of_verb(self, node: t.Node) -> str:
        return plain(node.name) if isinstance(node, t.Name) else self.value(node)

    def where(self, place: t.Node) -> str:
        """`in your Room`, `on you`."""
        if isinstance(place, t.Name) and place.name in ("you", "this", "it"):
            return f"on {self.value(place)}"
        return f"in {self.value(place)}"

    def chosen(self, node: t.Select) -> str:
        text = self.value(node.source)
        return text if node.where is None else f"{text} {self.which(node.where)}"

    def which(self, condition: t.Expression) -> str:
        """A condition on `it` as an adjective clause: `that is not broken and has a Token`."""
        items = condition.items if isinstance(condition, t.And) else (condition,)
        return " and ".join(self._which(item) for item in items)

    def _which(self, node: t.Node) -> str:
        inner, negated = (node.value, True) if isinstance(node, t.Not) else (node, False)
        found = self._which_owned(inner, negated)
        if found is not None:
            return found
        if isinstance(inner, t.Ask) and inner.member == "is" and _is_it(inner.base) and inner.args:
            return f"that is{' not' if negated else ''} {self.word(inner.args[0])}"
        if isinstance(inner, t.Get | t.Ask) and _is_it(inner.base):
            args = self.arguments(inner.args, inner.member) if isinstance(inner, t.Ask) else ""
            return f"that {state(inner.member, 'is', negated)}{args}"
        if isinstance(inner, t.Ask | t.Your) and inner.args is not None and len(inner.args) == 1 and _is_it(inner.args[0]):
            subject = "you" if isinstance(inner, t.Your) else self.value(inner.base)
            return f"that {subject} {state(inner.member, 'are' if subject == 'you' else 'is', negated)}"
        if isinstance(inner, t.Any | t.No) and isinstance(inner.value, t.At) and _is_it(inner.value.place):
            without = isinstance(inner, t.No) is not negated
            return f"with{'out' if without else ''} any {self.without_article(inner.value.source)}"
        if isinstance(inner, t.Has) and isinstance(inner.left, t.ListOf) and isinstance(inner.right, t.Get) and _is_it(inner.right.base):
            return f"whose {self.member(inner.right.member)} is{' not' if negated else ''} {self._either(inner.left)}"
        if (
            isinstance(inner, t.Is)
            and isinstance(inner.left, t.Get)
            and _is_it(inner.left.base)
            and inner.right != t.Name("none", span=inner.span)
        ):
            no = " not" if inner.negated is not negated else ""
            return f"whose {self.member(inner.left.member)} is{no} {self.word(inner.right)}"
        if isinstance(inner, t.Compare) and isinstance(inner.left, t.Get) and _is_it(inner.left.base):
            return f"whose {self.member(inner.left.member)} {_negated(_SIGNS[inner.op], negated)} {self.word(inner.right)}"
        return f"where {self.condition(inner, negated)}"

    def _which_owned(self, node: t.Node, negated: bool) -> str | None:
        """Conditions on what `it` has or is, as clauses: `with any Token in its hand`, `whose signs include Round`, `that is A or B`."""
        if isinstance(node, t.Any | t.No):
            without = isinstance(node, t.No) is not negated
            value = node.value
            if isinstance(value, t.At) and isinstance(value.place, t.Get) and _is_it(value.place.base):
                inside = f"in its {self.member(value.place.member)}"
                return f"with{'out' if without else ''} any {self.without_article(value.source)} {inside}"
            if isinstance(value, t.Get) and _is_it(value.base):
                return f"with{'out' if without else ''} any {self.member(value.member)}"
        if isinstance(node, t.Has) and isinstance(node.left, t.Get) and _is_it(node.left.base):
            return f"whose {self.member(node.left.member)} {'do not include' if negated else 'include'} {self.word(node.right)}"
        if isinstance(node, t.Is) and _is_it(node.left) and isinstance(node.right, t.Name):
            return f"that is{' not' if node.negated is not negated else ''} {self.named(node.right)}"
        if (
            isinstance(node, t.Is)
            and isinstance(node.left, t.Get)
            and _is_it(node.left.base)
            and node.right == t.Name("none", span=node.span)
        ):
            return f"with{'' if node.negated is not negated else 'out'} {plain(node.left.member)}"
        if isinstance(node, t.Compare) and isinstance(node.left, t.Count) and isinstance(node.left.value, t.Get) and not negated:
            held = node.left.value
            if _is_it(held.base) and node.op in _AMOUNTS:
                return f"with {_AMOUNTS[node.op]} {self.value(node.right)} {plain(held.member)}"
        if isinstance(node, t.Or) and not negated:
            parts = [self._which(item) for item in node.items]
            if all(part.startswith("that is ") for part in parts):
                return "that is " + joined([part.removeprefix("that is ") for part in parts], "or")
        return None

    def named(self, node: t.Name) -> str:
        """What something is said to be: a kind with its article, a thing or a word by its name."""
        return a(title(node.name)) if node.name in self.table.kinds and node.name not in self.names else self.word(node)

    def _either(self, node: t.ListOf) -> str:
        return joined([self.word(item) for item in node.items], "or")

    def many(self, node: t.Node) -> str:
        """A set in the plural."""
        if isinstance(node, t.Name) and node.name in self.table.kinds:
            info = self.table.kinds[node.name]
            return title(info.plural) if info.plural else plural(title(node.name))
        if isinstance(node, t.At):
            return f"{self.many(node.source)} {self.where(node.place)}"
        if isinstance(node, t.Select):
            return self.many(node.source) + (f" {self.which(node.where)}" if node.where is not None else "")
        if isinstance(node, t.AllOf):
            return self.many(t.Name(node.kind, span=node.span))
        if isinstance(node, t.Arithmetic) and node.op in ("|", "except"):
            return f"{self.many(node.left)} {'and' if node.op == '|' else 'except'} {self.many(node.right)}"
        return self.value(node)

    def one(self, node: t.Node) -> str:
        """One of a set: `a Castle`, `one of your Castles`."""
        if isinstance(node, t.Name) and (node.name in self.table.kinds and node.name not in self.names):
            return a(title(node.name))
        if isinstance(node, t.AllOf):
            return a(title(node.kind))
        if isinstance(node, t.At):
            return f"{self.one(node.source)} {self.where(node.place)}"
        if isinstance(node, t.Select):
            return self.one(node.source) + (f" {self.which(node.where)}" if node.where is not None else "")
        if isinstance(node, t.Arithmetic) and node.op in ("|", "except"):
            right = f"or {self.one(node.right)}" if node.op == "|" else f"except {self.value(node.right)}"
            return f"{self.one(node.left)} {right}"
        if isinstance(node, t.Name) and node.name in ("you", "this"):
            return self.value(node)
        return f"one of {self.value(node)}"

    def quantity(self, node: t.Quantity) -> str:
        amount = self.value(node.amount)
        if node.computed is not None:
            return f"{amount} {self.value(node.computed)}"
        return self.units(amount, node.unit or "")

    def arithmetic(self, node: t.Arithmetic) -> str:
        left, right = self.value(node.left), self.value(node.right)
        word = {"+": "plus", "-": "minus", "*": "times", "|": "and", "except": "except"}[node.op]
        return f"{left} {word} {right}"

    # ---- conditions

    def condition(self, node: t.Node, negated: bool = False) -> str:
        """A yes-or-no expression as a clause."""
        no = " not" if negated else ""
        match node:
            case t.Not():
                return self.condition(node.value, not negated)
            case t.And() | t.Or():
                word = "and" if isinstance(node, t.And) is not negated else "or"
                return f" {word} ".join(self.condition(item, negated) for item in node.items)
            case t.Any():
                return self.there_is(node.value, not negated)
            case t.No():
                return self.there_is(node.value, negated)
            case t.Compare():
                cause = self._own_cause(node)
                if cause is not None:
                    return f"it is{no} your {self.name_of_verb(cause)}"
                return f"{self.value(node.left)} {_negated(_SIGNS[node.op], negated)} {self.value(node.right)}"
            case t.Is():
                return self._is(node, node.negated is not negated)
            case t.Has():
                if isinstance(node.left, t.ListOf):
                    return f"{self.value(node.right)} is{no} {self._either(node.left)}"
                verb = "do not include" if negated else "include"
                return f"{self.value(node.left)} {verb} {self.value(node.right)}"
            case t.Did():
                return f"this has{no} happened: {plain(node.pattern.verb)}"
            case t.Your():
                return f"you {state(node.member, 'are', negated)}" + self.arguments(node.args, node.member)
            case t.Get() | t.Ask():
                args = self.arguments(node.args, node.member) if isinstance(node, t.Ask) else ""
                base = node.base
                if isinstance(base, t.Name) and base.name == "game":
                    return self._holds(node.member, node.args if isinstance(node, t.Ask) else (), negated)
                if node.member == "is" and isinstance(node, t.Ask) and node.args:
                    return f"{self.value(base)} is{no} {self.word(node.args[0])}"
                subject = self.value(base)
                return f"{subject} {state(node.member, 'is', negated)}{args}"
            case t.Function():
                return self._holds(node.name, node.args, negated)
            case t.Flag():
                return "always" if node.value is not negated else "never"
            case t.Name() if self.names.get(node.name) in ("it", "the result"):
                return f"{'not ' if negated else ''}so"
            case _:
                return f"{'not ' if negated else ''}{self.value(node)}"

    def there_is(self, node: t.Node, some: bool) -> str:
        """Whether a set has something in it."""
        word = "any" if some else "no"
        if isinstance(node, t.Name) and node.name in self.names:
            return f"there is {'one' if some else 'none'}"
        if isinstance(node, t.Get | t.Ask | t.Your) or (isinstance(node, t.Select) and isinstance(node.source, t.Get | t.Ask | t.Your)):
            return f"there is {'any' if some else 'none'} of {self.value(node)}"
        return f"there is {word} {self.without_article(node)}"

    def _holds(self, name: str, args: tuple[t.Expression, ...], negated: bool) -> str:
        """A question of the game: `the dragon is gone` for `dragon_is_gone`; a name without a verb is quoted."""
        about = f" for {joined([self.word(arg) for arg in args])}" if args else ""
        words = name.split("_")
        at = next((at for at, word in enumerate(words) if at and word in _VERBS), 0)
        if at:
            subject = self.name("_".join(words[:at])).removeprefix("that ")
            told = state("_".join(words[at:]), "is", negated) if words[at] in ("has", "can", "may") else ""
            told = told or f"{words[at]}{' not' if negated else ''} {plain('_'.join(words[at + 1 :]))}"
            return f"the {subject.removeprefix('the ')} {told}{about}"
        return f"'{plain(name)}' {'does not hold' if negated else 'holds'}{about}"

    def _own_cause(self, node: t.Compare) -> t.Expression | None:
        """The procedure in `cause_of(procedure).you = you`."""
        left, right = node.left, node.right
        if not isinstance(left, t.Get) or left.member != "you" or node.op != "=" or not isinstance(right, t.Name) or right.name != "you":
            return None
        base = left.base
        return base.args[0] if isinstance(base, t.Function) and base.name == "cause_of" and base.args else None

    def without_article(self, node: t.Node) -> str:
        if isinstance(node, t.Name) and node.name in self.table.kinds:
            return title(node.name)
        if isinstance(node, t.AllOf):
            return title(node.kind)
        if isinstance(node, t.At):
            return f"{self.without_article(node.source)} {self.where(node.place)}"
        if isinstance(node, t.Select):
            return self.without_article(node.source) + (f" {self.which(node.where)}" if node.where is not None else "")
        return self.value(node).removeprefix("the ")

    def _is(self, node: t.Is, negated: bool) -> str:
        no = " not" if negated else ""
        right = node.right
        if isinstance(right, t.Name) and right.name == "none":
            left = node.left
            if isinstance(left, t.Name) and left.name in self.names:
                return f"there is {'one' if negated else 'none'}"
            if isinstance(left, t.Get | t.Your):
                who = "you have" if isinstance(left, t.Your) else f"{self.value(left.base)} has"
                return f"{who} {a(self.member(left.member)) if negated else 'no ' + self.member(left.member)}"
            return f"there is {'a' if negated else 'no'} {self.value(left).removeprefix('the ')}"
        if isinstance(right, t.Name) and right.name in self.table.kinds and right.name not in self.names:
            return f"{self.value(node.left)} is{no} {a(title(right.name))}"
        verb = "are" if isinstance(node.left, t.Name) and node.left.name == "you" else "is"
        return f"{self.value(node.left)} {verb}{no} {self.word(right)}"


def _is_it(node: t.Node) -> bool:
    return isinstance(node, t.Name) and node.name == "it"


def _negated(sign: str, negated: bool) -> str:
    if not negated:
        return sign
    return sign.replace("is not", "is") if "not" in sign else sign.replace("is", "is not", 1)


def state(member: str, verb: str, negated: bool) -> str:
    """`are in combat`, `do not have the data`."""
    no = " not" if negated else ""
    first, _, rest = member.partition("_")
    if first in ("has", "have") and rest:
        have = "have" if verb == "are" else "has"
        return f"{'do' if verb == 'are' else 'does'} not have {plain(rest)}" if negated else f"{have} {plain(rest)}"
    if rest == "" and first.endswith("s") and first not in ("is", "has") and not first.endswith("ss"):
        bare = first.removesuffix("es") if first.endswith(("ches", "shes")) else first.removesuffix("s")
        return f"{'do' if verb == 'are' else 'does'} not {bare}" if negated else bare if verb == "are" else first
    if first in ("can", "may", "must") and rest:
        return f"{first}{no} {plain(rest)}"
    return f"{verb}{no} {plain(member)}"
