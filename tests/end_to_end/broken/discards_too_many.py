"""Exchanges its whole hand, even where it may discard fewer cards."""

from bourre import Bot, Card, View, run


class DiscardsTooMany(Bot):
    def declare(self, view: View) -> bool:
        return True

    def draw(self, view: View) -> tuple[Card, ...]:
        return view.hand


run(DiscardsTooMany)
