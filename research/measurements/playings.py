"""Plays deals in this process, directly by the rules, and records only chips and luck."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from bourre.practice.seat import PracticeSeat
from bourre.practice.session import BotMaker
from bourre.rules.deck import DuplicateChance, SeededChance
from bourre.rules.events import DealEnded, Event
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.luck import BASELINE, ORDERS, Baseline, LuckRecorder, PlayedBoard, Schools, luck_of_match

LIMIT = HouseRules.preset("limit")
NO_LIMIT = HouseRules.preset("pagat")

Hear = Callable[[Sequence[Event]], None]


@dataclass(frozen=True, slots=True)
class Playing:
    """One deal, played once and settled by itself; lists are by bot number."""

    units: tuple[int, ...]
    """Winnings in 1/840 chips."""
    lucky: tuple[int, ...]
    """The luck by a baseline, in 1/32 of that unit."""


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
        """Returns the difference of two bots, less this share of the difference of their luck."""
        return self.chips[one] - self.chips[other] - coefficient * (self.luck[one] - self.luck[other])


def play_block(bots: Sequence[BotMaker], house: HouseRules, seed: bytes, deal: int) -> Block:
    """Plays the deal in all its seatings, as in format `duplicate`, without stakes, with new bots for each.

    Its luck is that of the oldest baseline, which needs no other deal.
    """
    return play_blocks(bots, house, seed, range(deal, deal + 1), None)[0]


def play_blocks(
    bots: Sequence[BotMaker],
    house: HouseRules,
    seed: bytes,
    deals: range,
    baseline: Baseline | None = BASELINE,
    schools: Schools | None = None,
) -> list[Block]:
    """Plays a match of these deals likewise, and adds it to the schools of these bots, by number."""
    played, schools = play_boards(bots, house, seed, deals), schools or Schools()
    boards, names = [each.board for each in played], [str(number) for number in range(len(bots))]
    lucks = luck_of_match(boards, house, seed, baseline, schools.lessons(names))
    schools.add(names, boards, house)
    seats = len(bots)
    return [block_of(played[at : at + seats], lucks[at : at + seats]) for at in range(0, len(played), seats)]


class PlayedOnce(NamedTuple):
    """One deal in one seating, and the winnings by seat in 1/840 chips."""

    board: PlayedBoard
    units: tuple[int, ...]


def play_boards(bots: Sequence[BotMaker], house: HouseRules, seed: bytes, deals: range) -> list[PlayedOnce]:
    """Plays these deals in all their seatings, without any luck."""
    return [_play_once(bots, line_up, house, seed, deal) for deal in deals for line_up in seatings(len(bots), deal)]


def block_of(played: Sequence[PlayedOnce], lucks: Sequence[tuple[int, ...]]) -> Block:
    """Returns the deal of these seatings, given their luck by seat."""
    pairs = zip(played, lucks, strict=True)
    return Block(tuple(Playing(_by_bot(board, units), _by_bot(board, luck)) for (board, units), luck in pairs))


MATCH = 60
"""Deals of a match."""


def play_matches(
    bots: Sequence[BotMaker], house: HouseRules, seed: bytes, deals: int, baseline: Baseline | None = BASELINE
) -> list[Block]:
    """Plays that many deals in matches of MATCH."""
    firsts = range(1, deals + 1, MATCH)
    ranges = [range(first, min(first + MATCH, deals + 1)) for first in firsts]
    schools = Schools()
    return [block for deals_of in ranges for block in play_blocks(bots, house, seed, deals_of, baseline, schools)]


def _play_once(
    bots: Sequence[BotMaker], line_up: Sequence[int], house: HouseRules, seed: bytes, deal: int
) -> PlayedOnce:
    observer = LuckRecorder(len(bots))
    match = Match(len(bots), deal, house, DuplicateChance(seed), only=deal)
    units = settle_in_units(*play_out(match, [bots[bot] for bot in line_up], observer.hear))
    return PlayedOnce(observer.board(deal, tuple(line_up)), units)


def _by_bot(board: PlayedBoard, by_seat: Sequence[int]) -> tuple[int, ...]:
    return tuple(by_seat[board.line_up.index(bot)] for bot in range(len(board.line_up)))


def play_session(
    bots: Sequence[BotMaker], deals: int, house: HouseRules, seed: bytes, absent: Container[int] = ()
) -> list[int]:
    """Plays a session; returns the chips of each seat at its end, with the last pot shared out."""
    match = Match(len(bots), deals, house, SeededChance(seed))
    play_out(match, bots, lambda _: None, absent)
    return match.ledger.balances


def play_out(
    match: Match, bots: Sequence[BotMaker], hear: Hear, absent: Container[int] = ()
) -> tuple[Sequence[int], int]:
    """Plays a match; returns the balances and the pot at the end of its last deal.

    The stand-in plays the absent seats.
    """
    seats = [PracticeSeat(number, "", bot(), _no_waiting) for number, bot in enumerate(bots)]
    events = match.start()
    hear(events)
    while not match.over:
        seat = match.to_act
        asked = seat not in absent
        events = match.apply(seat, seats[seat].answer(match.view(seat)) if asked else match.deal.default())
        hear(events)
    last = next(event for event in reversed(events) if isinstance(event, DealEnded))
    return last.balances, last.pot


def _no_waiting(awaitable: Awaitable[object]) -> object:
    raise TypeError(f"these measurements take bots with plain methods, not {awaitable!r}")
