"""Samples the hidden cards, consistent with the cards that a seat has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random

from bourre.rules.cards import SUIT_CARDS, Card, Suit, card_set, cards_in, highest, lowest
from bourre.rules.errors import BourreError, InvalidAction
from bourre.rules.house import ORDERS
from bourre.rules.pot import settle
from bourre.rules.trick_play import TrickPlay
from bourre.rules.tricks import BEATING, Position, best_card
from bourre.rules.view import View
from bourre.sampling.dealing import Dealing
from bourre.sampling.hypotheses import HandsHypothesis, derive_hypotheses

Policy = Callable[[Position, int], Card]
"""A function that chooses a card, given a position and the set of its two or more legal cards."""


def thrifty(position: Position, legal: int) -> Card:
    """Leads the highest card. Otherwise takes the trick as cheaply as possible, or else throws the lowest card."""
    if not position.trick:
        return highest(legal)
    return lowest(legal & BEATING[position.trump][best_card(position.trick, position.trump)] or legal)


@dataclass(frozen=True, slots=True)
class SampledDeal:
    """One possible distribution of all cards."""

    view: View
    hands: tuple[tuple[Card, ...], ...]
    """All hands by seat, lowest card first; empty for a seat that has passed."""
    rest: tuple[Card, ...]
    """The stock, passed hands and other seats' discards, in random order. `drawn` deals from the front."""

    def passed(self, seat: int) -> SampledDeal:
        """Returns the same deal, but with this seat passing."""
        return self._with_hand(seat, (), (*self.rest, *self.hands[seat]))

    def drawn(self, seat: int, discards: Iterable[Card], takes: bool = False) -> SampledDeal:
        """Returns the same deal, but with this seat exchanging these cards for others from the rest.

        With `takes`, one of the new cards is the turned one, if the house rules let the dealer take it (R3.2).
        """
        thrown = tuple(discards)
        taken = (self.view.dead,) if takes and thrown and self.view.dead is not None else ()
        kept = card_set(self.hands[seat]) & ~card_set(thrown)
        served = len(thrown) - len(taken)
        hand = cards_in(kept | card_set([*taken, *self.rest[:served]]))
        deal = self._with_hand(seat, hand, (*self.rest[served:], *thrown))
        return replace(deal, view=replace(self.view, dead=None)) if taken else deal

    def named(self, trump: Suit) -> SampledDeal:
        """Returns the same deal, but with this suit named by the dealer (R3.2)."""
        return replace(self, view=replace(self.view, named=trump))

    def play_out(self, policy: Policy = thrifty, card: Card | None = None) -> tuple[int, ...]:
        """Plays the deal to its end, and returns the chips that each seat gains or pays then (R7), by seat.

        All seats with a hand play by the policy. `card`, if given, is the first play. Earlier payments, past reneges
        and second antes (R2.4) do not count. Raises InvalidAction until trumps are named.
        """
        view, order = self.view, self._order()
        if len(order) < 2:  # R4.8; nobody: R4.6
            return self._chips(dict.fromkeys(order, view.house.cards))
        tricks = TrickPlay([card_set(hand) for hand in self.hands], order, view.trump, view.position.dead, view.house)
        if view.leader is not None:
            won = {seat: view.tricks_won[seat] for seat in order}
            tricks.resume(view.leader, view.trick, won, view.position.seen)
        if card is not None:
            tricks.lay(_checked(card, tricks))
        tricks.run(lambda tricks, legal: _checked(policy(tricks.position(), legal), tricks))
        return self._chips(tricks.won)

    def _order(self) -> tuple[int, ...]:
        """Returns the seats that play, from the dealer's left. Before the play, all seats with a hand."""
        view = self.view
        if view.leader is not None:
            return view.playing
        return tuple(seat for seat in ORDERS[view.seats][view.dealer] if self.hands[seat])

    def _chips(self, won: dict[int, int]) -> tuple[int, ...]:
        settled = settle(self.view.pot, won, (), self.view.barred, self.view.house)
        return tuple(settled.taken.get(seat, 0) - settled.payments.get(seat, 0) for seat in range(self.view.seats))

    def _with_hand(self, seat: int, hand: tuple[Card, ...], rest: tuple[Card, ...]) -> SampledDeal:
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]), rest=rest)


def _checked(card: Card, tricks: TrickPlay) -> Card:
    if not tricks.legal >> card & 1:
        raise InvalidAction(f"{card} is not legal here for seat {tricks.to_act}: the position is {tricks.position()}")
    return card


class ImpossibleView(BourreError, ValueError):
    """No distribution of cards is consistent with this view, so it cannot be from a match."""


def sample_deals(view: View, n: int, rng: Random | None = None) -> Iterator[SampledDeal]:
    """Yields `n` random distributions of the hidden cards, drawn with `view.rng` unless `rng` is given.

    Each is consistent with what the seat has seen, and every consistent deal can occur. Hands have their right sizes.
    Cards that were shown in a renege, or turned up and kept, stay in their hands. Every play was legal (R5, R6), so a
    seat that did not follow suit has no card of that suit. Plays of a seat that is barred from the pot prove nothing,
    because it may have reneged. The same holds for the last card if reneges are silent (R8.4). The discards of the
    view's seat can be dealt again only if the stock was replenished (R4.4). The house rules place the turned card
    (R3.2): with the dealer, out of play, or in the stock.

    All consistent deals are equally likely, except for the turned card. A dealer who drew some cards, not all, is
    assumed to have kept it in 19 of 20 cases, because few players throw a trump away. Passes, draws and leads of other
    seats imply nothing more. Before trumps are named, `SampledDeal.named` sets them. Raises ImpossibleView for a view
    that cannot be from a match.
    """
    dice = rng or view.rng
    dealings = dealings_of(view)
    for _ in range(n):
        yield _sample(view, dealings, dice)


def dealings_of(view: View) -> list[Dealing]:
    """Returns the dealing of each hypothesis about the hidden cards; raises ImpossibleView."""
    hypotheses = derive_hypotheses(view)
    if not hypotheses or any(holding.unknown < 0 for hypothesis in hypotheses for holding in hypothesis.holdings):
        raise ImpossibleView("In this view, a seat has shown cards that it cannot have held.")
    trumps = 0 if view.named is None else SUIT_CARDS[view.named]
    return [Dealing(hypothesis, trumps) for hypothesis in hypotheses]


def _sample(view: View, dealings: list[Dealing], dice: Random) -> SampledDeal:
    """Samples one of these hypotheses, and removes impossible ones."""
    while dealings:
        likelihoods = [dealing.hypothesis.likelihood for dealing in dealings]
        dealing = dice.choices(dealings, likelihoods)[0] if len(dealings) > 1 else dealings[0]
        hands = dealing.deal(dice)
        if hands is not None:
            return make_sample(view, dealing.hypothesis, hands, dice)
        dealings.remove(dealing)
    raise ImpossibleView("In this view, no hands of the other seats are consistent with their plays.")


def make_sample(view: View, hypothesis: HandsHypothesis, dealt: Mapping[int, int], dice: Random) -> SampledDeal:
    """Returns a deal with these unknown cards by seat, as sets, and with the rest in random order."""
    hands = [0] * view.seats
    hands[view.seat] = card_set(view.hand)
    for holding in hypothesis.holdings:
        hands[holding.seat] = holding.known | dealt[holding.seat]
    rest = list(cards_in((hypothesis.pool | hypothesis.thrown) & ~sum(dealt.values())))
    dice.shuffle(rest)
    return SampledDeal(view, tuple(map(cards_in, hands)), tuple(rest))
