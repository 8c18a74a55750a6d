"""The linear table: plain lines for any terminal, pipe or screen reader. Each line begins with its subject; nothing is drawn.

It shows one seat's news, asks its decision, and answers questions (`look`, `why` …) until something is chosen.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from attrs import frozen

from cli.answering import Choice, Numbered, Unclear, Unknown, exact_option, number_options, read_answer, split_answer
from cli.card_text import card_text
from cli.commands import COMMANDS, find_command, help_lines
from cli.compass import pad_numbers
from cli.messages import counted, did_you_mean, filled, listed, printable, sentence, spoken
from cli.present import Present
from cli.refusals import fixed_number, refusal_lines, refusals_of
from cli.scene import Scene
from cli.session import Session
from cli.terminal import ask_line, clear_screen
from nemesis.bots.uniform import wants_list

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from nemesis.decision import Decision, Option


@frozen
class Chosen:
    """An answer to the decision that was asked."""

    choice: Choice


@frozen
class Undo:
    """Take back the last answers, at most to the last barrier."""

    answers: int = 1


@frozen
class Quit:
    """Leave; the game is on the disk."""


Step = Chosen | Undo | Quit


class LinearTable:
    """What one screen of people sees and types; ``verbosity`` is brief, normal or full."""

    def __init__(self, session: Session, present: Present, verbosity: str = "normal") -> None:
        self.session = session
        self.present = present
        self.verbosity = verbosity
        self._seen: dict[str | None, int] = {}
        self._at_screen: str | None = None
        self._told: dict[str, list[str]] = {}
        self._told_refused: dict[str, list[str]] = {}
        self._nothing_new = False
        self._ahead: tuple[str, str, str] | None = None
        """Words typed beyond one choice, kept for the same seat's next: (seat, words, the choice that was taken before them)."""
        self._stands = ""
        """What was chosen by the first words of the line that is being read."""

    def welcome(self) -> None:
        """Who plays what."""
        game = self.session.game
        packs = [pack if isinstance(pack, str) else str(pack[0]) for pack in game.packs]
        who = [f"{seat.name} (bot {seat.bot})" if seat.bot else seat.name for seat in self.session.seats]
        print(f"{listed(packs)}. At the table: {listed(who)}.")
        modes = [f"{spoken(name)} {_switch(value)}" for name, value in game.modes.items()]
        if modes and self.session.people:
            print(f"Modes: {listed(modes)}. A new game takes others: `--mode NAME`, `--mode NAME=VALUE`.")
        if self.session.given:
            print(f"Going on after {counted(len(self.session.given), 'answer')}.")
            last = game.decision.seq if game.decision is not None else 0
            self._seen = dict.fromkeys((None, *game.seats), max(0, last - 12))
        if self.session.people:
            print("`help` lists what can be typed; `quit` keeps the game.")

    def news(self, seat: str | None) -> None:
        """What happened since this seat (None: the table) was last told."""
        since = self._seen.get(seat, 0)
        level = "events" if self.verbosity == "full" else "story"
        for entry in self.session.game.journal(seat, since, level):
            if entry.seq > since and entry.text:
                print(f"Line {entry.seq}. {sentence(entry.text)}")
            self._seen[seat] = max(self._seen.get(seat, 0), entry.seq)

    def ask(self, decision: Decision) -> Step:
        """Show ``decision`` to its seat and read until it is answered, taken back or left."""
        seat = decision.chooser
        self._change_places(seat)
        self.news(seat)
        scene = self.scene()
        pad = pad_numbers([option.id for option in decision.options], scene.directions()) if decision.kind == "choose_one" else {}
        numbered = number_options(decision, self.present.actions, lambda option: _option_text(option, scene), pad)
        if self._ahead is None and not self._nothing_new:
            if self.verbosity != "brief" and decision.kind == "action":
                self._tell_changes(seat)
            self.offer(decision, numbered)
        self._nothing_new = False
        while True:
            unasked = self._ahead is not None
            line = self._next_line(seat)
            if line is None:
                return Quit()
            step = self._read(line, decision, numbered)
            if step is not None:
                return step
            if unasked:
                self.offer(decision, numbered)

    def offer(self, decision: Decision, numbered: Numbered) -> None:
        """The prompt and its numbered choices, refused ones with their reasons."""
        prompt = filled(str(decision.prompt.get("template", "choose")), decision.prompt.get("args") or {})
        asker = str(decision.asker.get("title") or "")
        head = prompt if not asker or asker.lower() in prompt.lower() else f"{asker}: {prompt}"
        refused = refusals_of(self.session.game, decision, self.present.actions) if self.verbosity != "brief" else []
        print(f"{sentence(head)} {self._how(decision)}{f' {len(refused)} refused.' if refused else ''}")
        for number, option in numbered:
            print(f"{number}." if option.text == str(number) else f"{number} {sentence(option.text)}")
        fixed = self.present.actions if decision.kind == "action" else ()
        lines = refusal_lines(refused, self.verbosity == "full", fixed)
        before = self._told_refused.get(decision.chooser) if decision.kind == "action" and self.verbosity == "normal" else None
        if lines and lines == before:
            print("Refused as before: `why-not` lists them.")
        else:
            self._tell(lines)
        if decision.kind == "action":
            self._told_refused[decision.chooser] = lines

    def undo(self, seat: str, answers: int = 1) -> None:
        """Take back the last ``answers`` of ``seat``, as far as it may, and say so."""
        self._ahead = None
        back: str | None = None
        for _ in range(min(answers, self.session.undoable(seat))):
            back = self.session.undo(seat)
        if back is None:
            self._nothing_new = True
            print(f"Undo stops here: {self._barrier(seat)}")
            return
        decision = self.session.game.decision
        for eyes in list(self._seen):
            self._seen[eyes] = min(self._seen[eyes], decision.seq if decision is not None else 0)
        print(f"Undone. The game stands at decision {back} again.")

    def _barrier(self, seat: str) -> str:
        """What stands before the last answer of ``seat``: the lines of the story that came with that answer."""
        if not self.session.given:
            return "nothing was answered yet."
        why = "showed something new (chance, something hidden) or brought another seat's decision"
        since = self.session.barred_since
        if since is None:
            return "you have answered nothing yet."
        lines = [entry for entry in self.session.game.journal(seat, since[0], "story") if since[0] < entry.seq <= since[1] and entry.text]
        if not lines:
            return f"your last answer {why}."
        if len(lines) == 1:
            return f"line {lines[0].seq} ({lines[0].text}) {why}."
        return f"lines {lines[0].seq} to {lines[-1].seq} came with your last answer; one of them {why}."

    def refused(self, refusal: Exception) -> None:
        """The game did not take an answer."""
        self._ahead, self._nothing_new = None, True
        print(self._spent(f"Refused: {sentence(str(refusal))} Nothing was spent."))
        for reason in getattr(refusal, "reasons", None) or ():
            print(f"  {sentence(spoken(reason.get('because', '')) if isinstance(reason, dict) else str(reason))}")

    def stopped(self, stop: Exception) -> None:
        """The content stopped the game, which was rolled back."""
        self._ahead, self._nothing_new = None, True
        print(f"The rules stopped the game: {sentence(str(stop))}")
        print("It stands at the last decision again. Choose another way, `undo`, or `quit` (the game is kept).")

    def ending(self, quiet: bool = False) -> None:
        """What happened last, and who won."""
        if not quiet:
            people = self.session.people
            self.news(people[0] if len(people) == 1 else None)
        winners = self.session.game.winners
        who = f"{'Winners' if len(winners) > 1 else 'Winner'}: {listed(winners)}." if winners else "Nobody won."
        if not quiet:
            scene = Scene(self.session.game.view(None), self.present, None)
            self._tell([f"At the end: {line}" for line in [scene.head()] if line])
            self._tell(scene.team() if scene.figures() else [])
            self._tell(self._reasons_of_the_end())
        print(f"The game is over. {who}")

    def _reasons_of_the_end(self) -> list[str]:
        """What the pack counts as deciding an end, each with its causes, as all may know it (one person alone: as that one may)."""
        game, people = self.session.game, self.session.people
        eyes = people[0] if len(people) == 1 else "table"
        calls = [entry for entry in game.journal(eyes, 0, "story") if entry.event == "call"]
        told = [entry for entry in calls if entry.args.get("verb") in self.present.endings]
        return [_cause(line) for entry in told for line in game.why(str(entry.seq), eyes)]

    def scene(self) -> Scene:
        """What the seat at the screen sees."""
        return Scene(self.session.game.view(self._at_screen), self.present, self._at_screen)

    def _change_places(self, seat: str) -> None:
        before, self._at_screen = self._at_screen, seat
        if self._ahead is not None and self._ahead[0] != seat:
            self._ahead = None
        if before in (None, seat) or len(self.session.people) < 2:
            return
        cleared = clear_screen()
        print(f"Next at the screen: {seat}.{'' if cleared else ' (The lines above cannot be cleared here.)'}")
        if cleared and sys.stdin.isatty():
            ask_line(f"{seat}, press Enter: ")

    def _next_line(self, seat: str) -> str | None:
        if self._ahead is not None:
            (_, words, self._stands), self._ahead = self._ahead, None
            print(f"{seat}? {words}")
            return words
        self._stands = ""
        return ask_line(f"{seat}? ")

    def _read(self, line: str, decision: Decision, numbered: Numbered) -> Step | None:
        line = printable(line).strip()
        if not line or line in COMMANDS["again"].short:
            self._told_refused.clear()
            self.offer(decision, numbered)
            return None
        forced, line = line.startswith(":"), line.removeprefix(":").strip()
        word, _, rest = line.partition(" ")
        if not forced and exact_option(line, numbered) is None or forced:
            command = find_command(word, exact=not forced)
            if command is not None:
                return self._do(command, rest.strip(), decision, numbered)
        try:
            return Chosen(read_answer(line, decision, numbered))
        except Unknown as unknown:
            return self._otherwise(line, decision, numbered, str(unknown))
        except Unclear as unclear:
            print(self._spent(str(unclear)))
        return None

    def _spent(self, said: str) -> str:
        """A refusal, true to what stands: the first words of the line may have been taken already."""
        if not self._stands:
            return said
        back = "; `undo` takes it back" if self._at_screen is not None and self.session.undoable(self._at_screen) else ""
        return said.replace("Nothing was spent.", f"`{self._stands}` was taken and stands{back}.")

    def _otherwise(self, line: str, decision: Decision, numbered: Numbered, said: str) -> Step | None:
        word, _, rest = line.partition(" ")
        command = find_command(word, exact=False)
        if command is not None:
            return self._do(command, rest.strip(), decision, numbered)
        ahead = split_answer(line, numbered) if decision.kind in ("action", "choose_one", "may") else None
        if ahead is not None:
            self._ahead = (decision.chooser, ahead[1], f"{self._stands} {line.removesuffix(ahead[1]).strip()}".strip())
            return Chosen(ahead[0].id)
        fixed = self.present.actions if decision.kind == "action" else ()
        meant = next((name for name in fixed if str(fixed_number(name, fixed)) == line), line)
        reasons = self._reasons(meant, decision.chooser)
        if reasons:
            self._tell([*refusal_lines(reasons, full=True), self._spent("Nothing was spent.")])
        else:
            guess = "" if "Did you mean" in said else did_you_mean(word, COMMANDS)
            print(self._spent(said.replace(" Nothing was spent.", f"{guess} Nothing was spent.")))
        return None

    def _do(self, command: str, rest: str, decision: Decision, numbered: Numbered) -> Step | None:
        if command == "quit":
            return Quit()
        if command == "undo":
            return self._undo_step(rest)
        if command == "again":
            self._told_refused.clear()
            self.offer(decision, numbered)
        elif command == "help":
            self._tell(help_lines())
        elif command == "why":
            self._tell(self.why(rest, decision.chooser))
        elif command == "why-not":
            self._tell(self.why_not(rest, decision, numbered))
        elif command == "log":
            for entry in list(self.session.game.journal(decision.chooser, 0, "story"))[-(int(rest) if rest.isdigit() else 20) :]:
                print(f"Line {entry.seq}. {sentence(entry.text)}")
        elif command == "read":
            meant = next((option.text for number, option in numbered if rest == str(number)), rest)
            self._tell(card_text(self.session.game, meant.partition(", costs ")[0]))
        elif command == "verbosity":
            if rest not in ("brief", "normal", "full"):
                print("Verbosity is brief, normal or full.")
            else:
                self.verbosity = rest
                print(f"Verbosity {rest}.")
        elif command == "where" and not rest:
            print("Say what: `where NAME`. `look` tells where you are.")
        else:
            self._tell(COMMANDS[command].tell(self.scene(), rest))
        return None

    def _undo_step(self, rest: str) -> Undo | None:
        if rest in ("", "all"):
            return Undo(len(self.session.given) if rest else 1)
        if rest.isdecimal() and int(rest) > 0:
            return Undo(int(rest))
        print(f"`undo {rest}`: undo takes a number of answers from 1, or `all`; alone it takes one back. Nothing was taken back.")
        return None

    def why(self, text: str, seat: str) -> list[str]:
        """The chain of causes of a line, a thing or a field, as far as the seat may know it."""
        game = self.session.game
        about = (text.removeprefix("#").removeprefix("line").strip() if text else "") or self._last_told(seat)
        found = list(game.why(about, seat)) or list(game.why(self.scene().named(text) or about, seat))
        nothing = f"Nothing is known about `{text}`. Give the number of a line (`log` lists them), a thing or a field."
        return [_cause(line) for line in found] or [nothing]

    def _last_told(self, seat: str) -> str:
        """The number of the last line of the story; `last` if nothing was told."""
        told = [entry.seq for entry in self.session.game.journal(seat, 0, "story") if entry.text]
        return str(told[-1]) if told else "last"

    def _shown_as(self, text: str, decision: Decision, refused: Iterable[Mapping[str, Any]]) -> str:
        """The id of the refused action that is shown with a number; any other text as it is."""
        if decision.kind != "action":
            return text
        ids = [str(reason["id"]) for reason in refused]
        return next((name for name in ids if text == str(fixed_number(name, self.present.actions))), text)

    def why_not(self, text: str, decision: Decision, numbered: Numbered) -> list[str]:
        """Why something is not among the choices."""
        refused = refusals_of(self.session.game, decision, self.present.actions)
        if not text:
            return refusal_lines(refused, full=True) or ["Nothing is refused here."]
        text = self._shown_as(text, decision, refused)
        reasons = self._reasons(text, decision.chooser)
        if reasons:
            return [*refusal_lines(reasons, full=True), "Nothing was spent."]
        for number, option in numbered:
            if text.lower() in (option.id.lower(), option.text.lower(), option.text.lower().partition(", costs ")[0], str(number)):
                return [f"{sentence(option.text)} It is possible: {number}."]
        return [f"Nothing refused is called `{text}`.{did_you_mean(text, (str(reason['id']) for reason in refused))}"]

    def _reasons(self, text: str, seat: str) -> list[dict[str, Any]]:
        """Why what is called ``text`` is refused: that by its id alone if there is one, else all that begin so, by id or by title."""
        found = [dict(reason) for reason in self.session.game.why_not(text, seat)]
        found = [reason for reason in found if reason["id"] == text] or found
        if found or not text:
            return found
        everything = self.session.game.why_not("", seat)
        return [dict(reason) for reason in everything if str(reason.get("text", "")).lower().startswith(text.lower())]

    def _how(self, decision: Decision) -> str:
        if decision.kind == "order":
            return "All of them in the order you want."
        if wants_list(decision):
            least, most = decision.min, decision.max
            several = "" if most == 1 else f"Name {least if least == most else f'{least} to {most}'} in one line. "
            return f"{several}{'`none` is possible. ' if least == 0 else ''}{len(decision.options)} possible."
        if decision.kind == "amount":
            ids = [option.id for option in decision.options]
            return f"A number: {listed(ids, 'or')}." if ids else f"A number from {decision.min} to {decision.max}."
        return f"{len(decision.options)} possible."

    def _tell_changes(self, seat: str) -> None:
        scene = self.scene()
        head = scene.head()
        lines = ([head] if head else []) + scene.look()
        told = set(self._told.get(seat, ()))
        self._told[seat] = lines
        self._tell([line for line in lines if line not in told])

    def _tell(self, lines: list[str]) -> None:
        for line in lines:
            print(line)


def _option_text(option: Option, scene: Scene) -> str:
    text = scene.option(option.id, option.text)
    return text if not option.cost or "cost" in text.lower() else f"{text}, costs {option.cost}"


def _switch(value: bool | int | str) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else spoken(value)


def _cause(line: str) -> str:
    """`#12 it falls` -> `Line 12. It falls`, causes set in below it."""
    number, _, rest = line.partition(" ")
    return f"Line {number[1:]}. {rest[:1].upper()}{rest[1:]}" if number[:1] == "#" and number[1:].isdigit() else f"  {line}"
