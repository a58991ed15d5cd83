"""Plays deals in this process, directly by the rules, and records only chips and luck."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from bourre.practice.seat import Seat
from bourre.practice.session import BotMaker
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.events import DealEnded, Event
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units
from bourre_referee.model.luck import ORDERS, DrawObserver, luck
from bourre_referee.schedule.duplicate_seatings import seatings

LIMIT = HouseRules.preset("limit")
NO_LIMIT = HouseRules.preset("pagat")

Hear = Callable[[Sequence[Event]], None]


@dataclass(frozen=True, slots=True)
class Playing:
    """One deal, played once and settled by itself; lists are by bot number."""

    units: tuple[int, ...]
    """Winnings in 1/840 chips."""
    lucky: tuple[int, ...]
    """The luck of the draw, in 1/32 of that unit."""


@dataclass(frozen=True)
class Block:
    """One deal in all its seatings."""

    playings: tuple[Playing, ...]

    @cached_property
    def chips(self) -> list[float]:
        """Luck by bot, over all seatings."""
        return [sum(units) / UNIT for units in zip(*(playing.units for playing in self.playings), strict=True)]

    @cached_property
    def luck(self) -> list[float]:
        """Winnings by bot, over all seatings, in chips."""
        found = zip(*(playing.lucky for playing in self.playings), strict=True)
        return [sum(units) / UNIT / ORDERS for units in found]

    def adjusted(self, one: int, other: int, coefficient: float) -> float:
        """Return the difference of two bots, less this share of the difference of their luck."""
        return self.chips[one] - self.chips[other] - coefficient * (self.luck[one] - self.luck[other])


def play_block(bots: Sequence[BotMaker], house: HouseRules, seed: bytes, deal: int) -> Block:
    """Play the deal in all its seatings, as in format `duplicate`, without stakes, with new bots for each."""
    return Block(tuple(_play_once(bots, line_up, house, seed, deal) for line_up in seatings(len(bots), deal)))


def _play_once(bots: Sequence[BotMaker], line_up: Sequence[int], house: HouseRules, seed: bytes, deal: int) -> Playing:
    observer = DrawObserver(len(bots))
    match = Match(len(bots), deal, house, DuplicateChance(seed), only=deal)
    units = settle_in_units(*play_out(match, [bots[bot] for bot in line_up], observer.hear))
    lucky = luck(observer.drawing(), len(bots), house, seed)
    seats = [line_up.index(bot) for bot in range(len(bots))]
    return Playing(tuple(units[seat] for seat in seats), tuple(lucky[seat] for seat in seats))


def play_session(bots: Sequence[BotMaker], deals: int, house: HouseRules, seed: bytes) -> list[int]:
    """Play a session; return the chips of each seat at its end, with the last pot shared out."""
    match = Match(len(bots), deals, house, SeededChance(seed))
    play_out(match, bots, lambda _: None)
    return match.ledger.balances


def play_out(match: Match, bots: Sequence[BotMaker], hear: Hear) -> tuple[Sequence[int], int]:
    """Play a match; return the balances and the pot at the end of its last deal."""
    seats = [Seat(number, "", bot(), _no_waiting) for number, bot in enumerate(bots)]
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
