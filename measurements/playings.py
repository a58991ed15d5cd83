"""Deals played in this process, straight through the rules: nothing is written down but chips and luck."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bourre.bot import Bot
from bourre.practice.seat import Seat
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.events import DealEnded, Event
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settled
from bourre_referee.luck import ORDERS, Observer, luck
from bourre_referee.schedule.seatings import seatings

LIMIT = HouseRules.preset("limit")
NO_LIMIT = HouseRules.preset("pagat")

Hear = Callable[[Sequence[Event]], None]


@dataclass(frozen=True, slots=True)
class Playing:
    """One deal, played once and settled by itself: what the bots, by number, won in chips, and their luck in them."""

    chips: tuple[float, ...]
    luck: tuple[float, ...]


@dataclass(frozen=True)
class Block:
    """One deal in all its seatings."""

    playings: tuple[Playing, ...]

    @cached_property
    def chips(self) -> list[float]:
        """By bot, over all seatings."""
        return [sum(found) for found in zip(*(playing.chips for playing in self.playings), strict=True)]

    @cached_property
    def luck(self) -> list[float]:
        """Likewise."""
        return [sum(found) for found in zip(*(playing.luck for playing in self.playings), strict=True)]

    def adjusted(self, one: int, other: int, coefficient: float) -> float:
        """The difference of two bots, less this share of that of their luck."""
        return self.chips[one] - self.chips[other] - coefficient * (self.luck[one] - self.luck[other])


def play_block(bots: Sequence[type[Bot]], house: HouseRules, seed: bytes, deal: int) -> Block:
    """The deal in all its seatings, as in format `duplicate`, without stakes; bots are made anew for each."""
    return Block(tuple(_played(bots, line_up, house, seed, deal) for line_up in seatings(len(bots), deal)))


def _played(bots: Sequence[type[Bot]], line_up: Sequence[int], house: HouseRules, seed: bytes, deal: int) -> Playing:
    observer = Observer(len(bots))
    match = Match(len(bots), deal, house, DuplicateChance(seed), only=deal)
    units = settled(*play_out(match, [bots[bot] for bot in line_up], observer.hear))
    lucky = luck(observer.drawing(), len(bots), house, seed)
    seats = [line_up.index(bot) for bot in range(len(bots))]
    return Playing(
        tuple(units[seat] / UNIT for seat in seats),
        tuple(lucky[seat] / UNIT / ORDERS for seat in seats),
    )


def play_session(bots: Sequence[type[Bot]], deals: int, house: HouseRules, seed: bytes) -> list[int]:
    """What each seat has in chips at the end of a session; the last pot is shared."""
    match = Match(len(bots), deals, house, SeededChance(seed))
    play_out(match, bots, lambda _: None)
    return match.ledger.balances


def play_out(match: Match, bots: Sequence[type[Bot]], hear: Hear) -> tuple[Sequence[int], int]:
    """Plays a match to its end; the balances and the pot with which its last deal ended."""
    seats = [Seat(number, bot.__name__, bot(), _no_waiting) for number, bot in enumerate(bots)]
    events = match.start()
    hear(events)
    while not match.over:
        seat = match.to_act
        events = match.apply(seat, seats[seat].answer(match.view(seat)))
        hear(events)
    last = next(event for event in reversed(events) if isinstance(event, DealEnded))
    return last.balances, last.pot


def _no_waiting(awaitable: Awaitable[object]) -> object:
    raise TypeError(f"these measurements take bots with plain methods, not {awaitable!r}")
