"""Never plays a hand."""

from bourre import Bot, View, run


class Passes(Bot):
    def declare(self, view: View) -> bool:
        return False


run(Passes)
