"""Tosses a coin for everything: the bot that all others should beat."""

from bourre import Bot, Card, View, run


class RandomBot(Bot):
    def declare(self, view: View) -> bool:
        return view.rng.random() < 0.5

    def draw(self, view: View) -> list[Card]:
        return view.rng.sample(view.hand, view.rng.randint(0, view.max_discards))

    def play(self, view: View) -> Card:
        return view.rng.choice(view.legal)


if __name__ == "__main__":
    run(RandomBot)
