"""Plays the tricks of one deal: seats lay cards, and the best card takes the trick (R5)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Final

from bourre.rules.cards import DECK, SUIT_CARDS, Card, Suit, card_set, highest
from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.house import HouseRules
from bourre.rules.tricks import (
    BEATING,
    CINCH_TRICKS,
    Position,
    Trick,
    best_card,
    follow_options,
    lead_options,
    restrict_to_cinch,
)

_make_trick: Final = partial(tuple.__new__, Trick)
"""Makes a trick of its three values. In compiled code, it is faster than `Trick`, which is plain Python."""


@cache
def _after(order: tuple[int, ...]) -> dict[int, int]:
    """Maps each seat to the next one in this order."""
    return dict(zip(order, (*order[1:], order[0]), strict=True))


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickPlay:
    """The tricks from the first lead to the last card. It accepts every card, legal or not."""

    def __init__(self, hands: list[int], order: tuple[int, ...], trump: Suit, dead: int, house: HouseRules) -> None:
        """`hands` are card sets by seat, which shrink with each play. `order` lists the seats that are in, from the
        dealer's left.
        """
        self.hands = hands
        self.order = order
        self.trump = trump
        self.dead = dead
        self.house = house
        self._after = _after(order)
        self.trumps = SUIT_CARDS[trump]
        """All trumps, as a set."""
        self.beating = BEATING[trump]
        """The cards that beat each card, as sets."""
        self._cinch = house.cinch
        self._last = len(order) - 1
        """The number of cards in a trick before the last seat plays. A cinch demands nothing of that seat (R6.2)."""
        self.leader = self.to_act = order[0]
        """The seat to act."""
        self.trick: list[Card] = []
        self.completed: list[Trick] = []
        self.won = dict.fromkeys(order, 0)
        self.seen = 0
        """The cards of completed tricks, as a set."""
        self.shown = 0
        """The cards played so far, as a set."""
        self.over = False
        """Whether every card has been played."""
        self.best = DECK[0]
        """The card that wins the trick so far; any card if the trick is empty."""
        self._taker = order[0]
        """The seat of that card."""
        self.legal = self._legal()

    def position(self) -> Position:
        """Returns the position of the seat to act."""
        seat = self.to_act
        return Position(
            hand=self.hands[seat],
            trick=tuple(self.trick),
            trump=self.trump,
            playing=len(self.order),
            tricks_won=self.won[seat],
            seen=self.seen,
            dead=self.dead,
            house=self.house,
        )

    def resume(self, leader: int, trick: Sequence[Card], won: dict[int, int], seen: int) -> None:
        """Continues from this trick. `won` holds the tricks by seat, and `seen` the cards of earlier tricks."""
        self.leader = leader
        self.won, self.seen, self.shown = won, seen, seen | card_set(trick)
        self.trick = list(trick)
        seats = self.order.index(leader)
        self.to_act = self.order[(seats + len(trick)) % len(self.order)]
        if trick:
            self.best = best_card(trick, self.trump)
            self._taker = self.order[(seats + trick.index(self.best)) % len(self.order)]
        self.legal = self._legal()

    def run(self, choose: Policy) -> None:
        """Plays the rest of the deal by a policy, which chooses among two or more legal cards."""
        while not self.over:
            legal = self.legal
            self.lay(choose(self, legal) if legal & (legal - 1) else highest(legal))

    def lay(self, card: Card) -> None:
        """Lays a card of the seat to act."""
        seat, trick = self.to_act, self.trick
        number: int = card  # compiled code is faster with a plain number than with a Card
        self.hands[seat] ^= 1 << number
        self.shown |= 1 << number
        if not trick or self.beating[self.best] >> number & 1:
            self.best, self._taker = card, seat
        trick.append(card)
        if len(trick) > self._last:
            self._complete_trick()
        else:
            self.to_act = self._after[seat]
        self.legal = self._legal()

    def _complete_trick(self) -> None:
        taker = self._taker
        self.completed.append(_make_trick((self.leader, tuple(self.trick), taker)))
        self.seen = self.shown
        self.won[taker] += 1
        self.leader = self.to_act = taker
        self.trick = []
        self.over = not self.hands[taker]

    def _legal(self) -> int:
        """Returns the cards that the seat to act may play, as `legal_plays` does; empty after the last card."""
        seat, trick = self.to_act, self.trick
        hand = self.hands[seat]
        if not hand & (hand - 1):
            return hand  # the last card is always legal
        if trick:
            allowed = follow_options(hand, trick[0], self.best, self.trump, self.house)
        else:
            allowed = lead_options(hand, self.trump, self.house, first=not self.seen)
        if not self._cinch or not allowed & self.trumps or len(trick) == self._last:
            return allowed
        may_cinch = (hand & self.trumps).bit_count() >= CINCH_TRICKS - self.won[seat]
        return restrict_to_cinch(allowed, self.position()) if may_cinch else allowed


Policy = Callable[[TrickPlay, int], Card]
"""Chooses a card of the seat to act, given the set of its two or more legal cards."""
