"""Exchanges its whole hand, also where fewer cards may go."""

from bourre import Bot, Card, View, run


class DiscardsTooMany(Bot):
    def declare(self, view: View) -> bool:
        return True

    def draw(self, view: View) -> tuple[Card, ...]:
        return view.hand


run(DiscardsTooMany)
