"""Thinks for ever about its first card, and about every other."""

import time

from bourre import Bot, Card, View, run


class Ponders(Bot):
    def declare(self, view: View) -> bool:
        return True

    def play(self, view: View) -> Card:
        time.sleep(3600)
        return view.legal[0]


run(Ponders)
