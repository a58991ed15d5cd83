"""Plays with two trumps or a high one, draws for the rest, and leads from the top. Make it your own."""

from bourre import Bot, Card, View, run

KING = 13


class MyBot(Bot):
    def declare(self, view: View) -> bool:
        """Returns True to play this deal, False to pass."""
        trumps = [card for card in view.hand if card.suit == view.trump]
        return len(trumps) >= 2 or any(card.rank >= KING for card in trumps)

    def draw(self, view: View) -> list[Card]:
        """Returns the cards to exchange, at most view.max_discards."""
        weak = [card for card in view.hand if card.suit != view.trump and card.rank < KING]
        return weak[: view.max_discards]

    def play(self, view: View) -> Card:
        """Returns one card of view.legal, which has the lowest first."""
        return view.legal[0] if view.trick else view.legal[-1]


if __name__ == "__main__":
    run(MyBot)
