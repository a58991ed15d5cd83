"""Plays any card of its hand, which is often illegal: make it play by the rules."""

from bourre import Bot, Card, View, run


class MyBot(Bot):
    def declare(self, view: View) -> bool:
        """Returns True to play this deal, False to pass."""
        return True  # TODO: pass with a poor hand. Which hands are poor?

    def play(self, view: View) -> Card:
        """Returns the card to play."""
        return view.hand[-1]  # TODO: only the cards of view.legal are legal


if __name__ == "__main__":
    run(MyBot)
