"""Patches the SDK in its own process, so that every card of the deck seems to be in its hand and legal."""

import bourre.bot_code.decisions
from bourre import Bot, Card, View, run


def any_card(method: str, answer: object, view: View) -> Card:
    return Card("AS")


bourre.bot_code.decisions._check_card = any_card


class Patched(Bot):
    def declare(self, view: View) -> bool:
        return True

    def draw(self, view: View) -> list[Card]:
        return [Card("2C")] * view.max_discards


run(Patched)
