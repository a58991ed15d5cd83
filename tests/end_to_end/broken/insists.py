"""Plays legally, but repeats a card that the referee has just refused."""

from bourre import Bot, Card, View, run


class Insists(Bot):
    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return view.correcting.card if view.correcting else view.legal[0]


run(Insists)
