"""One way in which the hidden cards may lie, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from bourre.rules.cards import Card, Suit, card_set, cards_in
from bourre.rules.house import ORDERS
from bourre.rules.pot import settle
from bourre.rules.visibility import View
from bourre.sampling.playout import Playout, Policy, thrifty


@dataclass(frozen=True, slots=True)
class SampledDeal:
    """The cards of everybody, as they may be."""

    view: View
    hands: tuple[tuple[Card, ...], ...]
    """By seat, lowest first, the own hand too; empty for a seat that has passed."""
    rest: tuple[Card, ...]
    """Stock, passed hands and the others' discards, in random order: `drawn` deals from its front."""

    def passed(self, seat: int) -> SampledDeal:
        """The same deal, but this seat passes."""
        return self._with_hand(seat, (), (*self.rest, *self.hands[seat]))

    def drawn(self, seat: int, discards: Iterable[Card], takes: bool = False) -> SampledDeal:
        """The same deal, but this seat draws cards from the rest for these of its hand.

        `takes`: one of them is the turned card, which the house lets the dealer take (R3.2).
        """
        thrown = tuple(discards)
        taken = (self.view.dead,) if takes and thrown and self.view.dead is not None else ()
        kept = card_set(self.hands[seat]) & ~card_set(thrown)
        served = len(thrown) - len(taken)
        hand = cards_in(kept | card_set([*taken, *self.rest[:served]]))
        deal = self._with_hand(seat, hand, (*self.rest[served:], *thrown))
        return replace(deal, view=replace(self.view, dead=None)) if taken else deal

    def named(self, trump: Suit) -> SampledDeal:
        """The same deal, but the dealer has named this suit (R3.2)."""
        return replace(self, view=replace(self.view, named=trump))

    def play_out(self, policy: Policy = thrifty, card: Card | None = None) -> tuple[int, ...]:
        """Chips that every seat gains or pays when the deal is played to its end (R7), by seat.

        All seats with a hand play by the policy; `card`, if given, is the first play. What was paid before does not
        count, nor what a renege of the past still costs, nor second antes (R2.4). Raises InvalidAction while trumps are
        not named.
        """
        view, order = self.view, self._order()
        if len(order) < 2:  # R4.8; nobody: R4.6
            return self._chips(dict.fromkeys(order, view.house.cards))
        playout = Playout(view, [card_set(hand) for hand in self.hands], order, policy)
        playout.run(card)
        return self._chips(playout.won)

    def _order(self) -> tuple[int, ...]:
        """The seats that play, from the dealer's left; before the play those that have a hand."""
        view = self.view
        if view.leader is not None:
            return view.playing
        return tuple(seat for seat in ORDERS[view.seats][view.dealer] if self.hands[seat])

    def _chips(self, won: dict[int, int]) -> tuple[int, ...]:
        settled = settle(self.view.pot, won, (), self.view.barred, self.view.house)
        return tuple(settled.taken.get(seat, 0) - settled.payments.get(seat, 0) for seat in range(self.view.seats))

    def _with_hand(self, seat: int, hand: tuple[Card, ...], rest: tuple[Card, ...]) -> SampledDeal:
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]), rest=rest)
