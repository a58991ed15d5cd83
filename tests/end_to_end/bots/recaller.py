"""Under `silent`: always in, plays its highest card, legal or not, and takes it back by itself if it was not."""

from bourre import Bot, Card, View, run


class Recaller(Bot):
    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return view.hand[-1]

    def recall(self, view: View, card: Card) -> Card:
        return view.legal[-1]


run(Recaller)
