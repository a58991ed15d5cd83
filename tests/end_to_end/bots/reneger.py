"""Always in, plays its highest card, legal or not; when asked to correct it, it repeats it."""

from bourre import Bot, Card, View, run


class Reneger(Bot):
    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return view.hand[-1]


run(Reneger)
