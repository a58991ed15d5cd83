"""Counts its trumps, and looks no further: make it try its choices in sampled deals."""

from bourre import Bot, Card, View, run


class MyBot(Bot):
    def declare(self, view: View) -> bool:
        """Returns True to play this deal, False to pass."""
        trumps = [card for card in view.hand if card.suit == view.trump]
        return len(trumps) >= 2  # TODO: come in if the sampled deals bring chips on average

    def draw(self, view: View) -> list[Card]:
        """Returns the cards to exchange, at most view.max_discards."""
        return []  # TODO: keep the trumps and the aces

    def play(self, view: View) -> Card:
        """Returns a card of view.legal, which has the lowest first."""
        return view.legal[0]  # TODO: for each deal of bourre.sample_deals(view, 20), add deal.play_out(card=card)


if __name__ == "__main__":
    run(MyBot)
