"""Draws from Python's `random` in every way: when it is loaded, when it is made, and in its methods."""

from __future__ import annotations

import random

from bourre import Bot, Card, View, run

KEENNESS = random.random()


class Draws(Bot):
    def __init__(self) -> None:
        self.boldness = random.random()

    def declare(self, view: View) -> bool:
        return random.random() < max(KEENNESS, self.boldness, 0.5)

    def draw(self, view: View) -> list[Card]:
        return random.sample(view.hand, random.randint(0, view.max_discards))

    def play(self, view: View) -> Card:
        return random.choice(view.legal)


if __name__ == "__main__":
    run(Draws)
