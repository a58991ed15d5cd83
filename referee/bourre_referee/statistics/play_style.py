"""Describes how a bot plays: its decisions with hands of each strength, and the chips that it wins with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from bourre.rules.cards import Card, Suit
from bourre_referee.statistics.estimates import Block, Estimate, estimate_per_100
from bourre_referee.statistics.played_deals import PlayedDeal
from bourre_referee.text.amounts import in_chips

KING = 13


class Strength(StrEnum):
    """The strength of a hand before the draw."""

    NONE = "no trump"
    LOW = "1 trump"
    HIGH = "1 trump, ace or king"
    TWO_LOW = "2 trumps"
    TWO_HIGH = "2 trumps, ace or king"
    MORE = "3 trumps or more"


def hand_strength(hand: Sequence[Card], trump: Suit) -> Strength:
    """Returns the strength of a hand: the number of its trumps, and whether it has the ace or king of trumps."""
    trumps = [card for card in hand if card.suit == trump]
    high = any(card.rank >= KING for card in trumps)
    if len(trumps) > 2:
        return Strength.MORE
    if len(trumps) == 2:
        return Strength.TWO_HIGH if high else Strength.TWO_LOW
    return (Strength.HIGH if high else Strength.LOW) if trumps else Strength.NONE


@dataclass(frozen=True, slots=True)
class Style:
    """The decisions and results of one bot with hands of one strength."""

    bot: str
    strength: Strength
    deals: int
    played: int
    """How many of these deals the bot played to the end."""
    discards: int
    """Cards discarded, in the deals played."""
    tricks: int
    """Tricks taken, in the deals played."""
    bourres: int
    """How many of the deals played it paid for taking no trick."""
    chips: float
    """Chips won or lost in all these deals, including those that it passed."""


@dataclass(slots=True)
class StyleCount:
    """The counts of one bot with hands of one strength."""

    deals: int = 0
    played: int = 0
    discards: int = 0
    tricks: int = 0
    bourres: int = 0
    parts: int = 0
    """Parts of a chip won or lost in all these deals."""

    def add(self, other: StyleCount) -> None:
        """Adds the counts of the same bot and strength in other deals."""
        self.deals += other.deals
        self.played += other.played
        self.discards += other.discards
        self.tricks += other.tricks
        self.bourres += other.bourres
        self.parts += other.parts


@dataclass(slots=True)
class StyleCounter:
    """Counts the decisions of bots, match by match."""

    bots: dict[str, dict[Strength, StyleCount]] = field(default_factory=dict)
    """The counts of each bot with hands of each strength."""
    unit: int = 1
    """How many parts a chip has."""

    def add(self, bots: Sequence[str], deals: Iterable[PlayedDeal]) -> None:
        """Counts the deals of one match, except those without a trump."""
        for deal in deals:
            self.unit = deal.unit
            if deal.trump is not None:
                self._add_deal(bots, deal, deal.trump)

    def _add_deal(self, bots: Sequence[str], deal: PlayedDeal, trump: Suit) -> None:
        won = deal.chips
        for seat, bot in enumerate(deal.line_up):
            count = self._count(bots[bot], hand_strength(deal.hands[seat], trump))
            count.deals += 1
            count.parts += won[seat]
            if deal.playing[seat]:
                _count_play(count, deal, seat)

    def __iadd__(self, other: StyleCounter) -> StyleCounter:
        """Adds the counts of other matches."""
        self.unit = other.unit
        for bot, counts in other.bots.items():
            for strength, count in counts.items():
                self._count(bot, strength).add(count)
        return self

    def _count(self, bot: str, strength: Strength) -> StyleCount:
        counts = self.bots.setdefault(bot, {})
        if strength not in counts:
            counts[strength] = StyleCount()
        return counts[strength]

    def summarise(self, bots: Sequence[str]) -> tuple[Style, ...]:
        """Returns the styles by bot, in this order, and by strength, weakest first, without strengths never held."""
        return tuple(
            self._style(bot, strength, self.bots[bot][strength])
            for bot in bots
            for strength in Strength
            if strength in self.bots.get(bot, ())
        )

    def _style(self, bot: str, strength: Strength, count: StyleCount) -> Style:
        chips = in_chips(count.parts, self.unit)
        return Style(bot, strength, count.deals, count.played, count.discards, count.tricks, count.bourres, chips)


def _count_play(count: StyleCount, deal: PlayedDeal, seat: int) -> None:
    count.played += 1
    count.discards += deal.discards[seat]
    count.tricks += deal.tricks[seat]
    count.bourres += deal.bourred[seat]


@dataclass(frozen=True, slots=True)
class SeatWorth:
    """The average result of one place at the table."""

    place: int
    """How many places to the left of the dealer: 1 speaks first, and 0, the dealer, speaks last."""
    estimate: Estimate


@dataclass(slots=True)
class SeatCounter:
    """Counts chips by place, match by match."""

    blocks: defaultdict[int, list[Block]] = field(default_factory=lambda: defaultdict(list))
    """The blocks of each place."""
    unit: int = 1
    """How many parts a chip has."""

    def add(self, deals: Iterable[PlayedDeal]) -> None:
        """Counts the deals of one match."""
        chips: defaultdict[tuple[int, int], int] = defaultdict(int)
        times: defaultdict[tuple[int, int], int] = defaultdict(int)
        for deal in deals:
            self.unit = deal.unit
            for seat, won in enumerate(deal.chips):
                at = (seat - deal.dealer) % len(deal.line_up), deal.deal if deal.unit > 1 else 0
                chips[at] += won
                times[at] += 1
        for at, number in times.items():
            self.blocks[at[0]].append(Block(chips[at], number))

    def __iadd__(self, other: SeatCounter) -> SeatCounter:
        """Adds the counts of other matches."""
        self.unit = other.unit
        for place, blocks in other.blocks.items():
            self.blocks[place] += blocks
        return self

    def summarise(self) -> tuple[SeatWorth, ...]:
        """Returns the worth of every place, in the order in which they speak."""
        order = sorted(self.blocks, key=lambda place: (place == 0, place))
        return tuple(SeatWorth(place, estimate_per_100(self.blocks[place], self.unit)) for place in order)
