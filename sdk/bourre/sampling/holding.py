"""What a seat at the table can tell of another seat's hand."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bourre.rules.cards import Card
from bourre.sampling.plays import PlaySeen


@dataclass(frozen=True, slots=True)
class Holding:
    """One other seat's hand, as far as it is known."""

    seat: int
    known: int
    """The set of cards that it surely holds."""
    unknown: int
    """How many cards it holds besides."""
    possible: int
    """The set of cards, unseen or turned up, which R5 does not exclude one by one."""
    gathered: int
    """The set of the sampler's own discards which went back into the stock (R4.4)."""
    most_gathered: int
    """How many of them can be among the unknown cards."""
    plays: tuple[PlaySeen, ...]
    """Those that a hand as a whole must fit, because of R6."""

    def fits(self, cards: int) -> bool:
        """Whether these may be the unknown cards."""
        if (cards & self.gathered).bit_count() > self.most_gathered:
            return False
        hand = self.known | cards
        return all(play.fits(hand) for play in self.plays)

    def may_hold(self, card: Card) -> bool:
        """Whether this card may be among the unknown ones."""
        return self.unknown > 0 and bool(self.possible >> card & 1)

    def holding(self, card: Card) -> Holding:
        """The same hand, with one more card known."""
        return replace(self, known=self.known | 1 << card, unknown=self.unknown - 1)
