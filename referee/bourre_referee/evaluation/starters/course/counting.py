"""Plays legally, but with any trump, without a draw, and always its lowest card: make it count."""

from bourre import Bot, Card, View, run


class MyBot(Bot):
    def declare(self, view: View) -> bool:
        """Returns True to play this deal, False to pass."""
        trumps = [card for card in view.hand if card.suit == view.trump]
        return len(trumps) >= 1  # TODO: how many tricks is this hand worth?

    def draw(self, view: View) -> list[Card]:
        """Returns the cards to exchange, at most view.max_discards."""
        return []  # TODO: which cards win no trick?

    def play(self, view: View) -> Card:
        """Returns a card of view.legal, which has the lowest first."""
        return view.legal[0]  # TODO: lead cards that no card of bourre.remaining(view) beats


if __name__ == "__main__":
    run(MyBot)
