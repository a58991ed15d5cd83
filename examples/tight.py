"""Waits for hands that can hardly go bourré, and then leads from the top."""

from bourre import Bot, Card, View, run

KING = 13


class Tight(Bot):
    def declare(self, view: View) -> bool:
        trumps = [card for card in view.hand if card.suit == view.trump]
        return len(trumps) >= 3 or (len(trumps) == 2 and trumps[-1].rank >= KING)

    def draw(self, view: View) -> list[Card]:
        weak = [card for card in view.hand if card.suit != view.trump and card.rank < KING]
        return weak[: view.max_discards]

    def play(self, view: View) -> Card:
        return view.legal[0] if view.trick else view.legal[-1]


if __name__ == "__main__":
    run(Tight)
