"""How the tricks of one deal are played: seats lay cards, and the best one takes the trick (R5)."""

from __future__ import annotations

from functools import cache, partial
from typing import Final, NamedTuple

from bourre.rules.cards import DECK, SUIT_CARDS, Card, Suit, card_set
from bourre.rules.compiled_class import mypyc_attr
from bourre.rules.completed_trick import Trick
from bourre.rules.events import CardPlayed, Event, TrickTaken
from bourre.rules.house import MAX_SEATS, RANGES, HouseRules
from bourre.rules.tricks import (
    BEATING,
    CINCH_TRICKS,
    Position,
    follow_options,
    lead_options,
    restrict_to_cinch,
)

MOST_TRICKS: Final = RANGES["cards"][1]
_CARD_PLAYED_EVENTS: Final = tuple({card: CardPlayed(seat, card) for card in DECK} for seat in range(MAX_SEATS))
"""Each possible CardPlayed event, by seat and card, made once."""
_TRICK_TAKEN_EVENTS: Final = tuple(
    tuple(TrickTaken(seat, trick) for trick in range(MOST_TRICKS + 1)) for seat in range(MAX_SEATS)
)
"""Each possible TrickTaken event, by seat and trick, made once."""

_make_trick: Final = partial(tuple.__new__, Trick)
"""Makes a trick of its three values; `Trick` itself, which is plain Python, takes far longer in compiled code."""


@cache
def _after(order: tuple[int, ...]) -> dict[int, int]:
    """Maps each seat to the next one in this order."""
    return dict(zip(order, (*order[1:], order[0]), strict=True))


class TrickState(NamedTuple):
    """The state before a card is laid, to restore if the card is taken back."""

    hand: int
    """The hand of the seat to act."""
    leader: int
    to_act: int
    trick: list[Card]
    best: Card
    taker: int
    tricks: int
    """How many tricks are complete."""
    seen: int
    won: dict[int, int]
    legal: int


@mypyc_attr(allow_interpreted_subclasses=True)
class TrickPlay:
    """The tricks from the first lead to the last card; accepts every card, legal or not."""

    def __init__(
        self,
        hands: list[int],
        order: tuple[int, ...],
        trump: Suit,
        dead: int,
        house: HouseRules,
    ) -> None:
        """`hands` are card sets by seat, which shrink as cards are played; `order` holds the seats that are in.

        The order begins at the dealer's left.
        """
        self.hands = hands
        self.order = order
        self.trump = trump
        self.dead = dead
        self.house = house
        self._after = _after(order)
        self._beating = BEATING[trump]
        self._trumps = SUIT_CARDS[trump]
        self._cinch = house.cinch
        self._last = len(order) - 1
        """How many cards a trick holds when the last seat plays to it; cinching asks nothing of that seat (R6.2)."""
        self.leader = self.to_act = order[0]
        """The seat to act."""
        self.trick: list[Card] = []
        self.completed: list[Trick] = []
        self.won = dict.fromkeys(order, 0)
        self.seen = 0
        self.over = False
        """Whether every card has been played."""
        self._best = DECK[0]
        """The card that wins the trick so far; any card while the trick is empty."""
        self._taker = order[0]
        """The seat that played it."""
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

    def _accept(self, card: Card) -> list[Event]:
        """Lays a card of the seat to act."""
        seat, trick = self.to_act, self.trick
        number: int = card  # compiled code handles a plain number far faster than a Card
        self.hands[seat] ^= 1 << number
        if not trick or self._beating[self._best] >> number & 1:
            self._best, self._taker = card, seat
        trick.append(card)
        events: list[Event] = [_CARD_PLAYED_EVENTS[seat][card]]
        if len(trick) > self._last:
            events.append(self._complete_trick())
        else:
            self.to_act = self._after[seat]
        self.legal = self._legal()
        return events

    def _save_state(self) -> TrickState:
        return TrickState(
            hand=self.hands[self.to_act],
            leader=self.leader,
            to_act=self.to_act,
            trick=list(self.trick),
            best=self._best,
            taker=self._taker,
            tricks=len(self.completed),
            seen=self.seen,
            won=dict(self.won),
            legal=self.legal,
        )

    def _restore(self, before: TrickState) -> None:
        self.hands[before.to_act] = before.hand
        self.leader, self.to_act = before.leader, before.to_act
        self.trick, self._best, self._taker = before.trick, before.best, before.taker
        self.completed = self.completed[: before.tricks]
        self.seen, self.won, self.legal = before.seen, before.won, before.legal

    def _complete_trick(self) -> TrickTaken:
        taker = self._taker
        self.completed.append(_make_trick((self.leader, tuple(self.trick), taker)))
        self.seen |= card_set(self.trick)
        self.won[taker] += 1
        self.leader = self.to_act = taker
        self.trick = []
        self.over = not self.hands[taker]
        return _TRICK_TAKEN_EVENTS[taker][len(self.completed)]

    def _legal(self) -> int:
        """Returns the cards that the seat to act may play, as `legal_plays` does; empty after the last card."""
        seat, trick = self.to_act, self.trick
        hand = self.hands[seat]
        if not hand & (hand - 1):
            return hand  # the last card is always legal
        if trick:
            allowed = follow_options(hand, trick[0], self._best, self.trump, self.house)
        else:
            allowed = lead_options(hand, self.trump, self.house, first=not self.seen)
        if not self._cinch or not allowed & self._trumps or len(trick) == self._last:
            return allowed
        may_cinch = (hand & self._trumps).bit_count() >= CINCH_TRICKS - self.won[seat]
        return restrict_to_cinch(allowed, self.position()) if may_cinch else allowed
