"""Cannot bear to miss a pot: passes only with no trump and nothing above a ten, and always plays its highest card."""

from bourre import Bot, Card, View, run

JACK = 11


class Loose(Bot):
    def declare(self, view: View) -> bool:
        return any(card.suit == view.trump or card.rank >= JACK for card in view.hand)

    def draw(self, view: View) -> list[Card]:
        weak = [card for card in view.hand if card.suit != view.trump and card.rank < JACK]
        return weak[: view.max_discards]

    def play(self, view: View) -> Card:
        return view.legal[-1]


if __name__ == "__main__":
    run(Loose)
