"""Plays by random numbers that cannot be repeated."""

import secrets

from bourre import Bot, Card, View, run


class TossesRealDice(Bot):
    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        return secrets.choice(view.legal)


run(TossesRealDice)
