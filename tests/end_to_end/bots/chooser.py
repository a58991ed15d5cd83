"""Takes the turned card when it deals and may, names spades, and stays whatever it holds."""

from bourre import Bot, Card, Suit, View, run


class Chooser(Bot):
    def declare(self, view: View) -> bool:
        return True

    def draw(self, view: View) -> list[Card]:
        return list(view.hand[: min(1, view.max_discards)])

    def take_turned(self, view: View) -> bool:
        return True

    def name_trump(self, view: View) -> Suit:
        return Suit.S

    def stay(self, view: View) -> bool:
        return True


run(Chooser)
