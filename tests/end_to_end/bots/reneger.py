"""Always in, always with its highest card, legal or not; asked to correct, it insists."""

from bourre import Bot, Card, View, run


class Reneger(Bot):
    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return view.hand[-1]


run(Reneger)
