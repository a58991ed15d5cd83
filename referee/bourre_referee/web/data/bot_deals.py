"""The best and worst deals of each bot and its reneges, found in the records of matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from bourre.record import Record
from bourre.rules.cards import Suit
from bourre.rules.events import HouseTookOver, PotShared, Reneged
from bourre_referee.text.narration.event_rows import rows_of
from bourre_referee.text.narration.events_by_deal import DealEvents, deals_of
from bourre_referee.web.data.trick_table import TrickRow, trick_table

MOST = 2
"""The most best deals, and the most worst ones, of each bot."""

MOST_RENEGES = 30
"""The most reneges of each bot."""


@dataclass(frozen=True, slots=True)
class DealPlace:
    """Where a deal is."""

    number: int
    """The number of the match in the schedule."""
    match: str
    deal: int
    seating: int | None
    """The seating in `duplicate`, from 1."""


@dataclass(frozen=True, slots=True)
class BotDeal:
    """A deal from the view of one of its bots. An onlooker saw everything in it except the cards."""

    place: DealPlace
    pot: float
    trump: Suit | None
    row: TrickRow
    """Its cards and its result, without its share of what a session leaves in the pot."""

    @property
    def bot(self) -> str:
        """The bot."""
        return self.row.bot

    @property
    def trumps(self) -> int:
        """The number of trumps in the dealt hand."""
        return sum(one.card.suit == self.trump for one in self.row.dealt)


@dataclass(frozen=True, slots=True)
class BotRenege:
    """A renege of a bot. An onlooker saw everything in it."""

    place: DealPlace
    bot: str
    step: int
    """The number of its step in the replay of the deal, from 1."""
    rule: str
    """The first rule that it broke."""


class _OfBot(Protocol):
    @property
    def bot(self) -> str:
        """The bot."""


Of = TypeVar("Of", bound=_OfBot)
ByBot = Mapping[str, tuple[Of, ...]]


@dataclass(frozen=True, slots=True)
class BotDeals:
    """The noteworthy deals of some matches, by bot."""

    best: ByBot[BotDeal] = field(default_factory=dict)
    """Where it won most, at most MOST of each bot, of different matches. Of equal ones, the larger pot comes first."""
    worst: ByBot[BotDeal] = field(default_factory=dict)
    """Where it lost most, by the same rules."""
    reneges: ByBot[BotRenege] = field(default_factory=dict)
    """Newest first, at most MOST_RENEGES of each bot."""

    def join(self, more: BotDeals) -> BotDeals:
        """Merges the deals of two sets of matches, in either order."""
        return BotDeals(
            {bot: _best(deals) for bot, deals in _merged(self.best, more.best).items()},
            {bot: _worst(deals) for bot, deals in _merged(self.worst, more.worst).items()},
            {bot: _newest(found) for bot, found in _merged(self.reneges, more.reneges).items()},
        )


def bot_deals_of(number: int, record: Record) -> BotDeals:
    """Replays the record of the match with this number. Raises RecordError if the rules contradict it."""
    deals: list[BotDeal] = []
    reneges: list[BotRenege] = []
    for deal in deals_of(record):
        place = DealPlace(number, record.header.match, deal.number, deal.seating)
        deals += _deals_of_bots(place, deal)
        reneges += _reneges(place, deal)
    return BotDeals(
        {bot: _best(own) for bot, own in _by_bot(deals).items()},
        {bot: _worst(own) for bot, own in _by_bot(deals).items()},
        {bot: _newest(own) for bot, own in _by_bot(reneges).items()},
    )


def _deals_of_bots(place: DealPlace, deal: DealEvents) -> Iterator[BotDeal]:
    by_house = {event.seat for event in deal.events if isinstance(event, HouseTookOver)}
    table = trick_table(replace(deal, events=tuple(each for each in deal.events if not isinstance(each, PotShared))))
    for row in table.rows:
        if row.seat not in by_house:
            yield BotDeal(place, table.pot, table.trump, row)


def _reneges(place: DealPlace, deal: DealEvents) -> Iterator[BotRenege]:
    for step, row in enumerate(rows_of(deal.events), start=1):
        if isinstance(row[-1], Reneged):
            yield BotRenege(place, deal.bots[row[-1].seat], step, row[-1].rule)


def _by_bot(found: Iterable[Of]) -> dict[str, tuple[Of, ...]]:
    by_bot: dict[str, tuple[Of, ...]] = {}
    for one in found:
        by_bot[one.bot] = (*by_bot.get(one.bot, ()), one)
    return by_bot


def _merged(one: ByBot[Of], other: ByBot[Of]) -> dict[str, tuple[Of, ...]]:
    return {bot: (*one.get(bot, ()), *other.get(bot, ())) for bot in {**one, **other}}


def _best(deals: Iterable[BotDeal]) -> tuple[BotDeal, ...]:
    return _first(sorted(filter(_won, deals), key=lambda deal: (deal.row.chips, *_size(deal)), reverse=True))


def _worst(deals: Iterable[BotDeal]) -> tuple[BotDeal, ...]:
    return _first(sorted(filter(_lost, deals), key=lambda deal: (-deal.row.chips, *_size(deal)), reverse=True))


def _won(deal: BotDeal) -> bool:
    return deal.row.chips > 0


def _lost(deal: BotDeal) -> bool:
    return deal.row.chips < 0


def _first(deals: Iterable[BotDeal]) -> tuple[BotDeal, ...]:
    """Returns the first deals of different matches."""
    of_match: dict[str, BotDeal] = {}
    for deal in deals:
        of_match.setdefault(deal.place.match, deal)
    return tuple(of_match.values())[:MOST]


def _newest(reneges: Sequence[BotRenege]) -> tuple[BotRenege, ...]:
    return tuple(sorted(reneges, key=lambda one: (*_age(one.place), one.step), reverse=True)[:MOST_RENEGES])


def _size(deal: BotDeal) -> tuple[float, ...]:
    return deal.pot, *_age(deal.place)


def _age(place: DealPlace) -> tuple[int, int, int]:
    return place.number, place.deal, place.seating or 0
