"""Samples the hidden cards, plays each sampled deal out for every choice it has, and takes the best one."""

from bourre import Bot, Card, SampledDeal, View, run, sample_deals

SAMPLES = 24
KING, ACE = 13, 14


class MonteCarlo(Bot):
    def declare(self, view: View) -> bool:
        deals = (self.after_draws(deal) for deal in sample_deals(view, SAMPLES))
        return sum(deal.play_out()[view.seat] for deal in deals) > 0

    def draw(self, view: View) -> list[Card]:
        return self.weak(view.hand, view)

    def play(self, view: View) -> Card:
        chips = dict.fromkeys(view.legal, 0)
        for deal in sample_deals(view, SAMPLES):
            for card in view.legal:
                chips[card] += deal.play_out(card=card)[view.seat]
        return max(view.legal, key=chips.__getitem__)

    def after_draws(self, deal: SampledDeal) -> SampledDeal:
        """Returns the deal after this seat has come in, and later seats have come in or passed."""
        view = deal.view
        for turn in range(view.seats):
            seat = (view.seat + turn) % view.seats
            hand = deal.hands[seat]
            if seat == view.seat or (view.plays[seat] is None and self.comes_in(hand, view)):
                deal = deal.drawn(seat, self.weak(hand, view))
            elif view.plays[seat] is None:
                deal = deal.passed(seat)
        return deal

    def comes_in(self, hand: tuple[Card, ...], view: View) -> bool:
        """Guesses whether another seat comes in with this hand."""
        trumps = [card for card in hand if card.suit == view.trump]
        return len(trumps) >= 3 or any(card.rank >= KING for card in trumps)

    def weak(self, hand: tuple[Card, ...], view: View) -> list[Card]:
        return [card for card in hand if card.suit != view.trump and card.rank < ACE][: view.max_discards]


if __name__ == "__main__":
    run(MonteCarlo)
