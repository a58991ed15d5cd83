"""The tables at which a bot sits: an instance of it for each match, and what it has answered there."""

from __future__ import annotations

import sys
import time
import traceback

from bourre.bot import Bot
from bourre.decisions import decide, recall
from bourre.messages import Answer, Ask, Bundle, MatchEnd, Seating
from bourre.rules.actions import Fault, Missing
from bourre.rules.cards import show
from bourre.rules.events import Event, Reneged
from bourre.rules.visibility import Renege, View


class Tables:
    """Instances of a bot, by table. They outlive a broken line: the same match, the same instance."""

    def __init__(self, bot: type[Bot]) -> None:
        self.seatings: dict[int, Seating] = {}
        self._bot = bot
        self._bots: dict[int, Bot] = {}
        self._said: dict[int, tuple[int, list[Answer]]] = {}

    def follow(self, bundle: Bundle) -> None:
        """Sits down where the referee says, and gets up where a match is over."""
        for seating in bundle.seatings:
            self.seatings[seating.table] = seating
            if seating.table not in self._bots:
                self._bots[seating.table] = self._bot()
        for end in bundle.match_ends:
            self._end(end)
        if bundle.welcome:  # it names every table that is open: the others were closed while the line was broken
            for table in self.seatings.keys() - {seating.table for seating in bundle.seatings}:
                self._get_up(table)

    async def answers(self, ask: Ask) -> list[Answer]:
        """The bot's decision, and a recall that goes with it; the same again where the same is asked again."""
        table, number = ask.table, ask.id
        said = self._said.get(table)
        if said is not None and said[0] == number:
            return said[1]
        answers = await self._decide(ask)
        if table in self.seatings:  # else the match ended while the bot was thinking
            self._said[table] = number, answers
        return answers

    async def _decide(self, ask: Ask) -> list[Answer]:
        began = time.perf_counter()
        try:
            bot, view = self._bots[ask.table], ask.view
            _tell(bot, ask.events)
            if view.correcting:
                bot.on_renege(_broken(view, view.correcting))
            choice = await decide(bot, view)
            recalled = await recall(bot, view, choice) if view.house.renege_policy == "silent" else None
        except Exception as error:
            _report(ask, error)
            return [Answer(ask.table, ask.id, Missing(Fault.ERROR), f"{type(error).__name__}: {error}")]
        spent_us = int((time.perf_counter() - began) * 1e6)
        answers = [Answer(ask.table, ask.id, choice, spent_us=spent_us)]
        return answers if recalled is None else [*answers, Answer(ask.table, ask.id, recalled)]

    def _end(self, end: MatchEnd) -> None:
        bot = self._get_up(end.table)
        try:
            _tell(bot, end.events)
            bot.on_match_end(end.balances)
        except Exception:
            traceback.print_exc()

    def _get_up(self, table: int) -> Bot:
        del self.seatings[table]
        self._said.pop(table, None)
        return self._bots.pop(table)


def _tell(bot: Bot, events: tuple[Event, ...]) -> None:
    for event in events:
        bot.on_event(event)


def _broken(view: View, renege: Renege) -> Reneged:
    return Reneged(view.seat, renege.card, renege.rule, view.legal, renege.match)


def _report(ask: Ask, error: Exception) -> None:
    """The one place where a bot's author sees what went wrong: stderr, which the referee keeps in the bot's log."""
    view = ask.view
    asked = getattr(view, "decision", "what this bourre does not know")  # added to the protocol since
    traceback.print_exception(error)
    print(
        f"bourre: no answer to {asked} in deal {view.deal} at table {ask.table}: seat {view.seat}, "
        f"hand {show(view.hand)}, trump {view.named}, "
        f"trick {show(view.trick) or '-'}, legal {show(view.legal)}. "
        "The referee acts for this seat (R8.5) and counts a fault.",
        file=sys.stderr,
        flush=True,
    )
