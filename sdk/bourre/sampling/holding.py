"""What a seat at the table can tell of another seat's hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from bourre.rules.cards import SUIT_CARDS, Card, highest
from bourre.rules.tricks import CINCH_TRICKS, Position, legal_plays


class PlaySeen(NamedTuple):
    """A card that a seat played, and where it lay then; the seat's hand at that time is not known."""

    card: Card
    position: Position
    """With an empty hand."""
    known: int
    """The set of those cards of that hand which have been played since, this one with them."""

    def fits(self, hand: int) -> bool:
        """Whether the card was a legal play from what is now this hand (R5, R6)."""
        return bool(legal_plays(self.position._replace(hand=hand | self.known)) >> self.card & 1)

    def may_tell_more(self, possible: int) -> bool:
        """Whether R6 may tell something of this play that R5 does not, for a hand out of these possible cards."""
        trick, trump = self.position.trick, self.position.trump
        trumps = (possible | self.known) & SUIT_CARDS[trump]
        last = len(trick) == self.position.playing - 1
        followed = bool(trick) and trick[0].suit == self.card.suit != trump
        if not self.position.house.cinch or not trumps or last or followed or self.card == highest(trumps):
            return False
        return self.position.tricks_won + trumps.bit_count() >= CINCH_TRICKS


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
    """How many of them can be here."""
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
