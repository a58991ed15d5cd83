"""Plays by position: comes in lightly when few are in before it, and never against three."""

from bourre import Bot, Card, View, run

QUEEN, ACE = 12, 14


class Follower(Bot):
    def declare(self, view: View) -> bool:
        rivals = sum(plays is True for plays in view.plays)
        to_come = sum(plays is None for plays in view.plays) - 1
        trumps = [card for card in view.hand if card.suit == view.trump]
        strength = len(trumps) + sum(card.rank >= QUEEN for card in trumps)
        return rivals < 3 and strength >= 1 + rivals + to_come / 4

    def draw(self, view: View) -> list[Card]:
        weak = [card for card in view.hand if card.suit != view.trump and card.rank < ACE]
        return weak[: view.max_discards]

    def play(self, view: View) -> Card:
        return view.legal[0] if view.trick else view.legal[-1]


if __name__ == "__main__":
    run(Follower)
