"""Always in, plays its highest card, legal or not; when asked to correct it, it does."""

from bourre import Bot, Card, View, run


class Repentant(Bot):
    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return view.legal[-1] if view.correcting else view.hand[-1]


run(Repentant)
