"""Comes in with any trump, stands pat, and always plays its lowest card."""

from bourre import Bot, Card, View, run


class Lowest(Bot):
    def declare(self, view: View) -> bool:
        return any(card.suit == view.trump for card in view.hand)

    def play(self, view: View) -> Card:
        return view.legal[0]


if __name__ == "__main__":
    run(Lowest)
