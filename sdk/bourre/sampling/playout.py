"""Plays a deal to its end by a policy: fast, because without reneges, faults and events."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bourre.rules.cards import HIGHER, SUIT_CARDS, Card, card_set, highest, lowest
from bourre.rules.errors import InvalidAction
from bourre.rules.tricks import Position, best_card, legal_plays
from bourre.rules.view import View

Policy = Callable[[Position, int], Card]
"""A function that chooses a card, given a position and the set of its legal cards, never fewer than two."""


def thrifty(position: Position, legal: int) -> Card:
    """Leads the highest card, else takes the trick as cheaply as possible, or throws the lowest card."""
    if not position.trick:
        return highest(legal)
    best = best_card(position.trick, position.trump)
    winning = HIGHER[best] if best.suit == position.trump else HIGHER[best] | SUIT_CARDS[position.trump]
    return lowest(legal & winning or legal)


class Playout:
    """The play from a view onwards, with these hands as card sets by seat; `order` holds the seats that play."""

    def __init__(self, view: View, hands: list[int], order: Sequence[int], policy: Policy) -> None:
        tricks_won = view.tricks_won
        self.won = {seat: tricks_won[seat] for seat in order}
        """Tricks won, by seat."""
        self._view = view
        self._hands = hands
        self._order = order
        self._policy = policy
        self._trick = list(view.trick)
        self._leader = 0 if view.leader is None else order.index(view.leader)
        self._start = view.position

    def run(self, card: Card | None) -> None:
        """Plays to the end, beginning with `card` if given."""
        seen = self._start.seen
        for _ in range(self._view.house.cards - len(self._view.tricks)):
            while len(self._trick) < len(self._order):
                self._play(card, seen)
                card = None
            seen |= card_set(self._trick)
            self._take()

    def _play(self, card: Card | None, seen: int) -> None:
        seat = self._order[(self._leader + len(self._trick)) % len(self._order)]
        hand = self._hands[seat]
        position = self._start._replace(
            hand=hand, trick=tuple(self._trick), playing=len(self._order), tricks_won=self.won[seat], seen=seen
        )
        legal = legal_plays(position)
        if card is None:
            card = self._policy(position, legal) if legal & (legal - 1) else lowest(legal)
        if not legal >> card & 1:
            raise InvalidAction(f"{card} is not legal here for seat {seat}: the position is {position}")
        self._hands[seat] = hand ^ 1 << card
        self._trick.append(card)

    def _take(self) -> None:
        best = self._trick.index(best_card(self._trick, self._start.trump))
        self._leader = (self._leader + best) % len(self._order)
        self.won[self._order[self._leader]] += 1
        self._trick = []
