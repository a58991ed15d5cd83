"""Whole matches at a table, in one process: what its seats are told, what they answer, and the results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bourre.messages import Ask
from bourre.record import read, replay
from bourre.rules.actions import Choice, Decision, Missing, Play
from bourre.rules.cards import DECK
from bourre.rules.events import Event
from bourre.rules.house import HouseRules
from bourre_referee.model.spec import MatchOutcome, MatchSpec
from bourre_referee.server.table import AskOptions, Table
from tests.sdk.rules.table import easy_answer

BANK_MS, MATCH_MS = 5000, 600_000
NUMBER = 7
BOTS = ("ada", "bob", "cy", "dee")
MANNER = AskOptions(forced_plays=False, events=False)
LIMIT = HouseRules.preset("limit")

Bot = Callable[[Ask], Choice | Missing]


@dataclass(slots=True)
class Evening:
    """A table, with all questions and all news that its seats got from it."""

    table: Table
    asks: list[Ask] = field(default_factory=list)
    news: list[list[Event]] = field(default_factory=lambda: [[] for _ in BOTS])

    def ask(self) -> list[Ask]:
        """Asks the seats whose turn it is."""
        asks = [self.table.ask(seat, BANK_MS - seat, MATCH_MS - seat) for seat in self.table.to_ask]
        self.asks += asks
        for ask in asks:
            self.news[ask.view.seat] += ask.events
        return asks

    def play(self, bot: Bot) -> MatchOutcome:
        """Plays to the end with this bot in every seat, up to the final news."""
        while not self.table.over:
            for ask in self.ask():
                self.table.answer(ask.view.seat, bot(ask))
        for seat, news in enumerate(self.news):
            news += self.table.end(seat).events
        return self.table.outcome(())


def evening(
    house: HouseRules = LIMIT,
    *,
    deals: int = 4,
    manners: Sequence[AskOptions] = (MANNER,) * len(BOTS),
    absent: Sequence[int] = (),
    max_faults: int = 10,
) -> Evening:
    """A match that has begun; nobody has been asked."""
    table = Table(NUMBER, MatchSpec("m0001", BOTS, house, deals, bytes(32)), manners, max_faults)
    table.begin(absent)
    return Evening(table)


def eager(ask: Ask) -> Choice:
    """Is always in, keeps its cards, and plays the lowest legal one."""
    return easy_answer(ask.view)


def careless(ask: Ask) -> Choice:
    """Like `eager`, except that it plays its lowest card, legal or not."""
    return Play(ask.view.hand[0]) if ask.view.decision == Decision.PLAY else eager(ask)


def foul(ask: Ask) -> Choice:
    """Like `eager`, except that it plays cards that it does not hold."""
    if ask.view.decision == Decision.PLAY:
        return Play(next(card for card in DECK if card not in ask.view.hand))
    return eager(ask)


def events_of(outcome: MatchOutcome) -> list[Event]:
    """All events of the match, found by replaying the record."""
    return [event for step in replay(read(outcome.record)) for event in step.events]
