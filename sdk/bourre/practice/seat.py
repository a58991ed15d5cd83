"""A bot at its seat: passes events and asks to the bot, and explains its mistakes."""

from __future__ import annotations

import random
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from os.path import dirname
from pathlib import Path

from bourre.bot import METHODS, Bot, take_remarks
from bourre.bot_code.decisions import decide_now, recall_now
from bourre.bot_code.lookalike_methods import find_misnamed
from bourre.bot_code.random_seed import decision_seed
from bourre.bot_code.source_place import complaint, record_returns, where_defined, where_raised, where_returned
from bourre.notes import Remarks
from bourre.practice.mistake import BOT_EXCEPTIONS, Mistake, PracticeError
from bourre.rules.actions import Choice, Declare, Draw, Missing, Play, Recall
from bourre.rules.cards import Card, show
from bourre.rules.events import Event, Reneged
from bourre.rules.sentences import sentence
from bourre.rules.tricks import broken_rule
from bourre.rules.visibility import View, visible_to


@contextmanager
def borrowed_random(seed: str) -> Iterator[None]:
    """Inside, `random` follows from this seed. Afterwards it continues as if unused."""
    before = random.getstate()
    random.seed(seed)
    try:
        yield
    finally:
        random.setstate(before)


@cache
def mentions_random(module: str) -> bool:
    """Whether a bot's module or a loaded module of its folder mentions `random`; True for a module without a file.

    Seeding takes half as long as a decision in practice, so bots without `random` skip it.
    """
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return True
    loaded = {getattr(each, "__file__", None) or "" for each in list(sys.modules.values())}
    beside = (Path(each) for each in loaded if dirname(each) == dirname(file))
    return any(b"random" in path.read_bytes() for path in beside if path.is_file())


class PracticeSeat:
    """One bot for one match. As at a referee, it gets events just before its next decision and at the end."""

    def __init__(self, number: int, name: str, bot: Bot, wait: Callable[[Awaitable[object]], object]) -> None:
        self.number = number
        self.name = name
        self._bot = bot
        self._wait = wait
        self.listens = type(bot).on_event is not Bot.on_event
        """Whether the bot overrides `on_event`."""
        self._may_draw = type(bot) is not Bot and mentions_random(type(bot).__module__)
        self._unsent: list[Event] = []

    def find_misnamed(self) -> list[str]:
        """Returns a warning for each method of the bot with a misspelt name, which is never called."""
        return [f"{self.name}: {warning}" for warning in find_misnamed(type(self._bot))]

    def hear(self, events: list[Event]) -> None:
        """Queues these events for the bot, without what it may not see."""
        if self.listens:
            self._unsent.extend(visible_to(self.number, events))

    def answer(self, view: View) -> Choice:
        """Returns the bot's answer; raises BotError and the bot's own errors."""
        if not self._may_draw:
            return self._answer(view)
        with borrowed_random(decision_seed(view)):
            return self._answer(view)

    def _answer(self, view: View) -> Choice:
        if self._unsent:
            self._send_events()
        if (renege := view.correcting) is not None:
            self._bot.on_renege(Reneged(self.number, renege.card, renege.rule, view.legal, renege.match))
        return decide_now(self._bot, view, self._wait)

    def take_remarks(self) -> Remarks | None:
        """Returns the bot's remarks since the last call; None if it made none."""
        return take_remarks(self._bot)

    def recall(self, view: View, choice: Choice | Missing) -> Recall | None:
        """Returns the bot's correction of its play (R8.4); raises like `answer`."""
        return None if isinstance(choice, Missing) else recall_now(self._bot, view, choice, self._wait)

    def end(self, balances: tuple[int, ...]) -> None:
        """Tells the bot that the match is over."""
        self._send_events()
        self._bot.on_match_end(balances)

    def complaint(self, error: BaseException, asked: str) -> str:
        """Describes the error that the bot raised in this method, with its line."""
        return complaint(self._bot, error, asked)

    def running(self, error: BaseException) -> str:
        """Returns the file and the line of the bot that raised this error; empty if the bot was not running."""
        return where_raised(self._bot, error)

    def mistake(
        self, why: str, view: View, said: Choice | Recall | None, error: BaseException | None = None
    ) -> Mistake:
        """Describes the bot's mistake. To find its place, it may ask the bot again."""
        place = where_raised(self._bot, error) if error else ""
        method = why.partition(" ")[0]
        if not place and method in METHODS:
            place = self._where_returned(method, why, view) or where_defined(type(self._bot), method)
        return Mistake(self.name, why, place, view, said, ended=isinstance(error, SystemExit))

    def _where_returned(self, method: str, why: str, view: View) -> str:
        """Returns the place of this method's return; empty if the bot does not repeat its mistake."""
        with record_returns(self._bot, method) as lines:
            try:
                second_try = objection(self.answer(view), view)
            except BOT_EXCEPTIONS as error:
                second_try = self.complaint(error, view.decision)
        return where_returned(self._bot, method, lines[-1]) if lines and second_try == why else ""

    def _send_events(self) -> None:
        unsent, self._unsent = self._unsent, []
        for event in unsent:
            self._bot.on_event(event)


def lawful_answer(seat: PracticeSeat, view: View) -> Choice:
    """Returns a bot's answer; raises PracticeError with the place if the bot fails or its answer is illegal."""
    place = f"deal {view.deal}, seat {view.seat}"
    try:
        choice = seat.answer(view)
    except BOT_EXCEPTIONS as error:
        raise PracticeError(f"{seat.name}: {seat.complaint(error, view.decision)} ({place})", error) from error
    if why := objection(choice, view):
        raise PracticeError(f"{seat.name}: {why} ({place})")
    return choice


def objection(action: Choice | Recall, view: View) -> str | None:
    """Returns why this answer to this view is illegal; None if it is legal."""
    if isinstance(action, (Play, Recall)):
        return _objection_to_card(action.card, view, "play" if isinstance(action, Play) else "recall")
    if isinstance(action, (Declare, Draw)):
        return _objection_to_discards(action.discards, view)
    return None


def _objection_to_card(card: Card, view: View, method: str) -> str | None:
    if card in view.legal:
        return None
    if card not in view.hand:
        return f"{method} returned {card}, which is not in its hand (R8.5)"
    return f"{method} returned {card}, which breaks {sentence(broken_rule(card, view.position))}"


def _objection_to_discards(discards: Sequence[Card], view: View) -> str | None:
    if not discards:
        return None
    returned = f"draw returned {show(discards)}"
    if len(discards) > view.max_discards:
        return f"{returned}: at most {view.max_discards} may be discarded (R4.3)"
    if len(set(discards)) < len(discards):
        return f"{returned}: each card can be discarded only once (R4.3)"
    missing = [card for card in discards if card not in view.hand]
    return f"{returned}, but its hand lacks {show(missing)} (R4.3)" if missing else None
