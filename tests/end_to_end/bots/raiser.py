"""Its code has a bug: every declaration raises."""

from bourre import Bot, View, run


class Raiser(Bot):
    def declare(self, view: View) -> bool:
        raise RuntimeError("a bug in the bot")


run(Raiser)
