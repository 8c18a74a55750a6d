"""Abilities: which a thing offers, what they cost, how one begins and is paid for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nemesis.kernel import decide, matching, proposal, trial
from nemesis.kernel.code import Code
from nemesis.kernel.frame import Event, Frame, Pending
from nemesis.kernel.holder import Holder
from nemesis.kernel.ledger import ability_used_up, count_ability
from nemesis.kernel.modifier import any_live
from nemesis.kernel.reading import in_play
from nemesis.kernel.sight import see
from nemesis.kernel.signal import ContentError, Impossible, Unknown
from nemesis.kernel.verdict import MAYBE, NO, OPEN
from nemesis.lower.scope import Scope
from nemesis.world.thing import Deed, Ref
from rulescript.table.declarations import ActionInfo

if TYPE_CHECKING:
    from nemesis.kernel.program import Program
    from nemesis.state import State


def doer_kind(action: ActionInfo) -> str | None:
    """The kind of the one who does it (`by seat`), None for any thing that acts."""
    for word, binder in action.node.head.binders:
        if word == "by":
            return binder.type.name
    return None


def action_code(program: Program, index: int) -> Code:
    code = program.action_codes.get(index)
    if code is None:
        action = program.actions[index]
        scope = Scope()
        slots: list[tuple[str, int]] = []
        for word, binder in action.node.head.binders:
            slots.append((word, scope.add(binder.name, binder.type)))
        strict = True
        code = Code(
            program, action.address, action.node.block, scope, strict=strict, done="none", verb=action.name, step_verb=None,
            cites=action.node.notes.cites, arg_slots=tuple(slots), action=index, key=("action", index), item=action.source.hash,
        )  # fmt: skip
        program.action_codes[index] = code
    return code


def fits_doer(program: Program, action: ActionInfo, who: Ref) -> bool:
    kind = doer_kind(action)
    return program.acts[who] if kind is None else program.world.is_a(who, kind)


def written_on(program: Program, x: Ref) -> tuple[int, ...]:
    """Numbers of the actions written in a thing's definition or kinds."""
    found = program.written_actions.get(x)
    if found is None:
        world = program.world
        made = world.definition[x]
        lineage = {up for own in world.kinds[x] for up in program.table.ancestors(own)}
        found = tuple(
            a.index for a in program.actions
            if (a.definition is not None and made is not None and a.definition == made.id) or (a.kind is not None and a.kind in lineage)
        )  # fmt: skip
        program.written_actions[x] = found
    return found


def abilities(S: State, x: Any) -> tuple[Deed, ...]:
    """What a thing offers: for one that acts every ability of the menu, for another the actions written in it."""
    if type(x) is not Ref:
        return ()
    program = S.program
    if program.acts[x] or program.world.kind[x] == "seat":
        return tuple(menu(S, x))
    found = program.written_deeds.get(x)
    if found is None:
        found = program.written_deeds[x] = tuple(Deed(index, x, None) for index in written_on(program, x))
    return found


def abilities_c(S: State, x: Any) -> tuple[Deed, ...]:
    """In a trial: what is written in an unseen card is not known."""
    if type(x) is Ref:
        see(S, x)
    return abilities(S, x)


def menu(S: State, who: Ref) -> list[Deed]:
    """Every ability that stands open to someone: the common ones, and those with a cost in cards that live."""
    program = S.program
    found: list[Deed] = []
    this: Any
    for index, holder, guards in menu_rows(program, who):
        for this in NOWHERE if holder is None else holder.live(program, S):
            if not guards or all(guard(S, who, this) for guard in guards):
                found.append(Deed(index, this, who))
    return found


NOWHERE = (None,)


def menu_rows(program: Program, who: Ref) -> tuple[tuple[int, Holder | None, tuple[Any, ...]], ...]:
    """(action, where it stands if in things, its guards) of all that a thing may do by its kind, in the order of the files."""
    known = program.menus.get(who)
    if known is None:
        fitting = [action for action in map(program.actions.__getitem__, program.offers) if fits_doer(program, action, who)]
        known = tuple(
            (
                action.index,
                None if action.definition is None and action.kind is None else program.action_holder(action),
                program.action_guards(action),
            )
            for action in fitting
        )
        program.menus[who] = known
    return known


def deed_of(S: State, x: Any, name: str, you: Any) -> Any:
    """`card.play`: the action of that name written in a thing."""
    if type(x) is not Ref:
        return None
    for index in written_on(S.program, x):
        if S.program.actions[index].name == name:
            return Deed(index, x, None)
    return None


def deed_name(S: State, x: Any) -> Any:
    if type(x) is Deed:
        return S.program.actions[x.action].name
    return S.program.world.base_name[x] if type(x) is Ref else None


def deed_card(x: Any) -> Any:
    return x.card if type(x) is Deed else None


def deed_doer(x: Any) -> Any:
    return x.doer if type(x) is Deed else None


def base_cost(S: State, x: Any, *args: Any) -> int:
    """The cost an action names, before modifiers."""
    if type(x) is not Deed:
        return 0
    program = S.program
    function = program.cost_functions.get(x.action)
    if function is None:
        action = program.actions[x.action]
        if action.node.cost is None:

            def function(S: Any, you: Any, this: Any) -> int:
                return 0
        else:
            text = program.writer_class(program, Scope(), event="None").value(action.node.cost)
            function = program.function(f"def c(S, you, this):\n    return {text}", "c", action.address)
        program.cost_functions[x.action] = function
    return int(function(S, x.doer, x.card) or 0)


def deed_cost(S: State, x: Any) -> int:
    """What an ability costs now, in the ruleset's currency; asked once between two changes."""
    key = ("cost", x)
    found: int | None = S.memo.get(key)
    if found is None:
        program = S.program
        bent = program.is_modified("cost") and (S.lasting or any_live(program, S, "cost"))
        found = S.memo[key] = int(program.ask(S, "cost", x) or 0) if bent else base_cost(S, x)
    return found


# ---- doing one -----------------------------------------------------------------------------------------------------------
def do_use(S: State, f: Any, lid: int, deed: Any, by: Any, boss: Any, strict: bool) -> bool:
    """Propose the use of an ability. It costs nothing by itself; a cost handed on by an action's announcement is paid inside it."""
    S.done = False
    if type(deed) is tuple and len(deed) == 1:
        deed = deed[0]
    if type(deed) is not Deed or type(by) is not Ref:
        return False
    pay = None
    if getattr(f, "kind", 1) == 0:
        pay, f.pay = f.pay, None
    push_use(S, deed._replace(doer=by), by, boss, lid, f.chain, pay, strict)
    return True


def push_use(S: State, deed: Deed, by: Ref, boss: Any, lid: int, chain: Any, pay: Deed | None, strict: bool) -> Event:
    event = Event("use", None, ("use", deed), {"0": deed, "by": by}, lid, (lid, chain))
    if boss is not None:
        event.args["for"] = boss
        event.boss = boss
    event.you = by
    event.this = deed.card
    event.pay = pay
    event.strict = strict
    proposal.start(S, event)
    return event


def ability_barred(S: State, event: Event) -> str | None:
    """Why an ability cannot be used at all: its limit is used up, or it is not for this doer."""
    deed = event.args.get("0")
    if type(deed) is not Deed:
        return "no such ability"
    action = S.program.actions[deed.action]
    if action.node.notes.once and ability_used_up(S, action, deed.card, deed.doer):
        return "already used"
    if type(deed.doer) is Ref and not fits_doer(S.program, action, deed.doer):
        return "not for this doer"
    return None


def begin_ability(S: State, event: Event) -> None:
    program = S.program
    deed = event.args["0"]
    assert isinstance(deed, Deed)
    action = program.actions[deed.action]
    code = action_code(program, deed.action)
    locals_: list[Any] = [None] * code.ready()
    for word, slot in code.arg_slots:
        locals_[slot] = event.args.get(word)
    frame = Frame(code, locals_, deed.card, event.args.get("by"), event.chain, S.commits)
    frame.pay = event.pay
    frame.deed = deed
    if S.trial is None:
        count_ability(S, action, deed.card, deed.doer)
        S.periods["card"] = S.periods.get("card", 0) + 1
    proposal.push(S, frame)


def pay(S: State, f: Frame) -> bool:
    """After the announcement: pay what the action costs, by the rule set's procedure."""
    deed, f.pay = f.pay, None
    S.done = True
    if deed is None:
        return False
    cost = deed_cost(S, deed)
    if cost <= 0:
        return False
    program = S.program
    verb = program.ruleset.pay
    if verb is None:
        return False
    lid = program.add_line(f"{f.code.address}/cost", program.actions[deed.action].node.notes.cites, program.actions[deed.action].node.span)
    return proposal.call(S, f, lid, program.heads_for(verb, None), {"for": deed, "by": f.you, "with": cost}, False)


def check_paid(S: State, f: Frame) -> None:
    if not S.done:
        if S.trial is not None:
            raise Impossible("the cost cannot be paid")
        S.refused += 1


def hand_on_payment(f: Frame) -> None:
    """The announcement goes on into the ability that the next line uses: the cost is paid there."""


# ---- the menu --------------------------------------------------------------------------------------------------------------
def do_act(S: State, f: Any, lid: int, who: Any) -> bool:
    """Ask who acts for one of the actions that can be done now."""
    S.done = False
    if type(who) is not Ref:
        return False
    program = S.program
    if program.primitive_hooked("act", None):
        probe = Event("act", None, ("verb", "act"), {"by": who, "0": who}, lid, f.chain)
        probe.you = who
        probe.rules = matching.rules_for(S, "act", None, probe.args)
        if matching.hits(S, probe, "forbid", False):
            return False
    if S.interest:
        S.records.append(("act", None, {"by": who}))
    seat = decide.seat_for(S, f, who)
    if seat < 0:
        return False
    if S.trial is not None and S.trial.view != seat:
        raise Unknown
    deeds = menu(S, who)
    options = can_be_done(S, deeds, who, seat) if S.trial is None else [(deed, False) for deed in deeds]
    if not options:
        return False
    pending = Pending("action", seat, tuple(options), ("act", lid), "act", lid)
    pending.labels = tuple(deed_ids(S, [deed for deed, _ in options]))
    pending.extra = who
    S.pending = pending
    if len(options) == 1 and S.trial is None:
        S.forced += 1
        if program.forced_hook is not None:
            program.forced_hook(S, seat, pending.labels[0])
        decide.apply(S, 0)
    return True


def can_be_done(S: State, deeds: list[Deed], who: Ref, seat: int) -> list[tuple[Deed, bool]]:
    """(deed, whether it surely can be done) of those that are not found impossible: by a look each, then by trials where no look tells."""
    program = S.program
    barred = bool(S.lasting) or program.bans_abilities()
    paid: dict[int, str] = {}
    found: list[tuple[Deed, str]] = []
    eyes = trial.Trial(seat, 0)
    for deed in deeds:
        look = program.looks.of_action(deed.action).verdict(S, deed, who, eyes)
        if look == NO:
            continue
        if look == MAYBE or barred:
            found.append((deed, ""))
            continue
        cost = deed_cost(S, deed)
        if cost <= 0:
            verdict = "yes"
        elif deed.card is None:
            if cost not in paid:
                paid[cost] = trial.try_payment(S, deed, who, cost, seat)
            verdict = paid[cost]
        else:
            verdict = trial.try_payment(S, deed, who, cost, seat)
        found.append((deed, "unknown" if look == OPEN and verdict == "yes" else verdict))
    verdicts = [(deed, verdict or trial.try_ability(S, deed, who, seat)[0]) for deed, verdict in found]
    return [(deed, verdict == "yes") for deed, verdict in verdicts if verdict != "no"]


def deed_ids(S: State, deeds: list[Deed]) -> list[str]:
    """Stable ids of abilities: the action's name; with the card's name before it where several have one name."""
    names = [S.program.actions[deed.action].name for deed in deeds]
    return [
        f"{S.name(deed.card)}.{name}" if names.count(name) > 1 and type(deed.card) is Ref else name
        for name, deed in zip(names, deeds, strict=True)
    ]


def chosen(S: State, f: Any, option: tuple[Deed, bool], who: Ref, lid: int) -> None:
    """Begin the action that was chosen."""
    deed, sure = option
    event = push_use(S, deed, who, None, lid, f.chain, deed, True)
    event.args["sure"] = sure


def unknown_deed(S: State, name: str) -> None:
    raise ContentError(f"no ability {name}")


def in_play_card(S: State, x: Any) -> bool:
    return type(x) is Ref and in_play(S, x)
