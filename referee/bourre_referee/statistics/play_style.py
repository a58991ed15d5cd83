"""How a bot plays: what it does with hands of each strength, and what it wins with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from bourre.rules.cards import Card, Suit
from bourre_referee.statistics.played_deals import PlayedDeal
from bourre_referee.text.amounts import in_chips

KING = 13


class Strength(StrEnum):
    """The strength of a hand as it is dealt, before anybody draws."""

    NONE = "no trump"
    LOW = "1 trump"
    HIGH = "1 trump, ace or king"
    TWO_LOW = "2 trumps"
    TWO_HIGH = "2 trumps, ace or king"
    MORE = "3 trumps or more"


def hand_strength(hand: Sequence[Card], trump: Suit) -> Strength:
    """Returns the strength of a hand: how many trumps it has, and whether the ace or king of trumps is among them."""
    trumps = [card for card in hand if card.suit == trump]
    high = any(card.rank >= KING for card in trumps)
    if len(trumps) > 2:
        return Strength.MORE
    if len(trumps) == 2:
        return Strength.TWO_HIGH if high else Strength.TWO_LOW
    return (Strength.HIGH if high else Strength.LOW) if trumps else Strength.NONE


@dataclass(frozen=True, slots=True)
class Style:
    """What one bot did with the hands of one strength."""

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
class _Count:
    deals: int = 0
    played: int = 0
    discards: int = 0
    tricks: int = 0
    bourres: int = 0
    parts: int = 0

    def __iadd__(self, other: _Count) -> _Count:
        self.deals += other.deals
        self.played += other.played
        self.discards += other.discards
        self.tricks += other.tricks
        self.bourres += other.bourres
        self.parts += other.parts
        return self


class StyleCounter:
    """Counts what bots do, match by match."""

    def __init__(self) -> None:
        self._counts: defaultdict[tuple[str, Strength], _Count] = defaultdict(_Count)
        self._unit = 1

    def add(self, bots: Sequence[str], deals: Iterable[PlayedDeal]) -> None:
        """Counts the deals of one match, except those without a trump."""
        for deal in deals:
            self._unit = deal.unit
            if deal.trump is not None:
                self._add_deal(bots, deal, deal.trump)

    def _add_deal(self, bots: Sequence[str], deal: PlayedDeal, trump: Suit) -> None:
        won = deal.chips
        for seat, bot in enumerate(deal.line_up):
            count = self._counts[bots[bot], hand_strength(deal.hands[seat], trump)]
            count.deals += 1
            count.parts += won[seat]
            if deal.playing[seat]:
                _count_play(count, deal, seat)

    def __iadd__(self, other: StyleCounter) -> StyleCounter:
        """Adds what another one counted in other matches."""
        self._unit = other._unit
        for at, count in other._counts.items():
            self._counts[at] += count
        return self

    def summarise(self, bots: Sequence[str]) -> tuple[Style, ...]:
        """Returns the styles by bot, in this order, and by strength, weakest first, without strengths never held."""
        return tuple(
            self._style(bot, strength) for bot in bots for strength in Strength if (bot, strength) in self._counts
        )

    def _style(self, bot: str, strength: Strength) -> Style:
        count = self._counts[bot, strength]
        chips = in_chips(count.parts, self._unit)
        return Style(bot, strength, count.deals, count.played, count.discards, count.tricks, count.bourres, chips)


def _count_play(count: _Count, deal: PlayedDeal, seat: int) -> None:
    count.played += 1
    count.discards += deal.discards[seat]
    count.tricks += deal.tricks[seat]
    count.bourres += deal.bourred[seat]
