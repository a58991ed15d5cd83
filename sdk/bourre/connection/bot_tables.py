"""The tables of a bot: an instance of it for each match, and its latest answers."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from bourre.bot import Bot, set_deadline, take_remarks
from bourre.bot_code.decisions import decide, recall
from bourre.bot_code.random_seed import seed_decision
from bourre.messages import Answer, Ask, Bundle, MatchEnd, Seating
from bourre.rules.actions import Fault, Missing
from bourre.rules.errors import BourreError
from bourre.rules.view import Renege, View

if TYPE_CHECKING:
    from bourre.rules.events import Event, Reneged


class BotNotMade(BourreError):
    """A bot's class raised an error instead of making a bot. The error is printed."""


class Tables:
    """Instances of a bot by table. They outlive a broken connection, so a match keeps its instance."""

    def __init__(self, bot: type[Bot]) -> None:
        self.seatings: dict[int, Seating] = {}
        self._bot = bot
        self._bots: dict[int, Bot] = {}
        self._last_answers: dict[int, tuple[int, list[Answer]]] = {}
        self.decision_ms = 0
        """The time for each decision."""
        self.thinking: tuple[Bot, Ask, float] | None = None
        """The decision in progress and its beginning on the clock `perf_counter`, for another thread to see."""

    def follow(self, bundle: Bundle) -> None:
        """Opens the tables that the referee assigns, and closes those whose matches are over."""
        if bundle.welcome:
            self.decision_ms = bundle.welcome.decision_ms
        for seating in bundle.seatings:
            self.seatings[seating.table] = seating
            if seating.table not in self._bots:
                self._bots[seating.table] = self._make_bot()
        for end in bundle.match_ends:
            self._end(end)
        if bundle.welcome:  # it lists all open tables: the others closed while disconnected
            for table in self.seatings.keys() - {seating.table for seating in bundle.seatings}:
                self._close(table)

    async def answers(self, ask: Ask) -> list[Answer]:
        """Returns the bot's decision and its recall, if any. A repeated ask gets the same answers."""
        table, number = ask.table, ask.id
        last = self._last_answers.get(table)
        if last is not None and last[0] == number:
            return last[1]
        answers = self._add_remarks(table, await self._decide(ask))
        if table in self.seatings:  # else the match ended while the bot was deciding
            self._last_answers[table] = number, answers
        return answers

    async def _decide(self, ask: Ask) -> list[Answer]:
        began = time.perf_counter()
        try:
            bot, view = self._bots[ask.table], ask.view
            set_deadline(bot, began + ask.allowed_ms(self.decision_ms) / 1000)
            self.thinking = bot, ask, began
            seed_decision(view)
            _send_events(bot, ask.events)
            if view.correcting:
                bot.on_renege(_reneged_event(view, view.correcting))
            choice = await decide(bot, view)
            recalled = await recall(bot, view, choice) if view.house.allows_recall else None
        except (Exception, SystemExit) as error:
            self._report(ask, error)
            if isinstance(error, SystemExit):
                raise
            return [Answer(ask.table, ask.id, Missing(Fault.ERROR), f"{type(error).__name__}: {error}")]
        finally:
            self.thinking = None
        spent_us = int((time.perf_counter() - began) * 1e6)
        answers = [Answer(ask.table, ask.id, choice, spent_us=spent_us)]
        return answers if recalled is None else [*answers, Answer(ask.table, ask.id, recalled)]

    def _report(self, ask: Ask, error: BaseException) -> None:
        asked = getattr(ask.view, "decision", "an unknown decision")  # of a later protocol
        _print_error(self._bots.get(ask.table, self._bot), error, str(asked), ask)

    def _add_remarks(self, table: int, answers: list[Answer]) -> list[Answer]:
        """Adds the bot's remarks to its answer, even to a failed one. A recall comes after the answer."""
        bot = self._bots.get(table)  # None if the match ended while the bot was deciding
        remarks = None if bot is None else take_remarks(bot)
        if remarks is None:
            return answers
        return [answers[0]._replace(note=remarks.note, usage=remarks.usage), *answers[1:]]

    def _end(self, end: MatchEnd) -> None:
        bot = self._close(end.table)
        try:
            _send_events(bot, end.events)
            bot.on_match_end(end.balances)
        except Exception as error:
            _print_error(bot, error, "on_match_end")

    def _make_bot(self) -> Bot:
        try:
            return self._bot()
        except Exception as error:
            _print_error(self._bot, error, "__init__")
            raise BotNotMade(f"cannot make the bot: {error}") from error

    def _close(self, table: int) -> Bot:
        del self.seatings[table]
        self._last_answers.pop(table, None)
        return self._bots.pop(table)


def _send_events(bot: Bot, events: tuple[Event, ...]) -> None:
    for event in events:
        bot.on_event(event)


def _reneged_event(view: View, renege: Renege) -> Reneged:
    from bourre.rules.events import Reneged  # seldom needed, and slow to load

    return Reneged(view.seat, renege.card, renege.rule, view.legal, renege.match)


def _print_error(bot: Bot | type[Bot], error: BaseException, asked: str, ask: Ask | None = None) -> None:
    """Reports an error on stderr, which the referee keeps in the bot's log."""
    from bourre.connection.error_report import print_error, print_missing_answer  # seldom needed, and slow to load

    print_error(bot, error, asked)
    if ask:
        print_missing_answer(ask, asked)
