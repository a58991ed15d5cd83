"""The cards that a seat was seen to play, and what they tell of the hand that they came from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bourre.rules.cards import SUIT_CARDS, Card, card_set, cards_in, highest
from bourre.rules.house import HouseRules
from bourre.rules.trick_play import Trick
from bourre.rules.tricks import CINCH_TRICKS, Position, legal_plays
from bourre.rules.visibility import View


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

    def not_excluded(self, candidates: int, without_cinch: HouseRules) -> int:
        """Those of these cards beside which the play was legal by R5, which can be judged by two cards alone."""
        position = self.position._replace(house=without_cinch)
        for other in cards_in(candidates):
            pair = 1 << self.card | 1 << other
            if not legal_plays(position._replace(hand=pair)) >> self.card & 1:
                candidates ^= 1 << other
        return candidates

    def may_tell_more(self, possible: int) -> bool:
        """Whether R6 may tell something of this play that R5 does not, for a hand out of these possible cards."""
        trick, trump = self.position.trick, self.position.trump
        trumps = (possible | self.known) & SUIT_CARDS[trump]
        last = len(trick) == self.position.playing - 1
        followed = bool(trick) and trick[0].suit == self.card.suit != trump
        if not self.position.house.cinch or not trumps or last or followed or self.card == highest(trumps):
            return False
        return self.position.tricks_won + trumps.bit_count() >= CINCH_TRICKS


def plays_seen(view: View, seat: int) -> list[PlaySeen]:
    """The plays of a seat in this deal, last first."""
    known = 0
    plays = []
    for card, position in reversed(list(_cards_played(view, seat))):
        known |= 1 << card
        plays.append(PlaySeen(card, position, known))
    return plays


def _cards_played(view: View, seat: int) -> Iterator[tuple[Card, Position]]:
    if view.leader is None:
        return
    order = view.playing
    position = view.position._replace(hand=0, trick=(), tricks_won=0, seen=0)
    for trick in (*view.tricks, Trick(view.leader, view.trick, winner=-1)):
        turn = (order.index(seat) - order.index(trick.leader)) % len(order)
        if turn < len(trick.cards):
            yield trick.cards[turn], position._replace(trick=trick.cards[:turn])
        position = position._replace(
            tricks_won=position.tricks_won + (trick.winner == seat),
            seen=position.seen | card_set(trick.cards),
        )
