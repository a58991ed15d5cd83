"""Samples the hidden cards, but expects every opponent to come in: make it watch them."""

from bourre import Bot, Card, SampledDeal, View, run, sample_deals
from bourre.rules.events import Declared, Event

SAMPLES = 16
ACE = 14


class MyBot(Bot):
    def __init__(self) -> None:
        self.declared: dict[int, list[bool]] = {}

    def on_event(self, event: Event) -> None:
        """Remembers which seats came in. The table stays the same all match."""
        if isinstance(event, Declared):
            self.declared.setdefault(event.seat, []).append(event.plays)

    def comes_in(self, seat: int, hand: tuple[Card, ...], view: View) -> bool:
        """Guesses whether this opponent comes in with this hand."""
        return True  # TODO: what do self.declared[seat] and the hand say?

    def declare(self, view: View) -> bool:
        """Returns True to play this deal, False to pass."""
        deals = (self.after_draws(deal) for deal in sample_deals(view, SAMPLES))
        return sum(deal.play_out()[view.seat] for deal in deals) > 0

    def after_draws(self, deal: SampledDeal) -> SampledDeal:
        """Returns the deal after this seat has come in, and later seats have come in or passed."""
        view = deal.view
        for turn in range(view.seats):
            seat = (view.seat + turn) % view.seats
            hand = deal.hands[seat]
            if seat == view.seat or (view.plays[seat] is None and self.comes_in(seat, hand, view)):
                deal = deal.drawn(seat, self.weak(hand, view))
            elif view.plays[seat] is None:
                deal = deal.passed(seat)
        return deal

    def draw(self, view: View) -> list[Card]:
        """Returns the cards to exchange, at most view.max_discards."""
        return self.weak(view.hand, view)

    def weak(self, hand: tuple[Card, ...], view: View) -> list[Card]:
        """Returns the cards of a hand that win no trick."""
        return [card for card in hand if card.suit != view.trump and card.rank < ACE][: view.max_discards]

    def play(self, view: View) -> Card:
        """Returns the card that brings most chips in the sampled deals."""
        chips = dict.fromkeys(view.legal, 0)
        for deal in sample_deals(view, SAMPLES):
            for card in view.legal:
                chips[card] += deal.play_out(card=card)[view.seat]
        return max(view.legal, key=chips.__getitem__)


if __name__ == "__main__":
    run(MyBot)
