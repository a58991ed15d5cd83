"""Trusts the stock: comes in with two trumps, or one high one, and draws for everything else."""

from bourre import Bot, Card, View, run

QUEEN = 12


class Drawer(Bot):
    def declare(self, view: View) -> bool:
        trumps = [card for card in view.hand if card.suit == view.trump]
        return len(trumps) >= 2 or any(card.rank >= QUEEN for card in trumps)

    def draw(self, view: View) -> list[Card]:
        return [card for card in view.hand if card.suit != view.trump][: view.max_discards]

    def play(self, view: View) -> Card:
        return view.legal[0] if view.trick else view.legal[-1]


if __name__ == "__main__":
    run(Drawer)
