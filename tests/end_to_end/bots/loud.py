"""Prints a megabyte before it plays, and a line at each decision."""

from bourre import Bot, View, run


class Loud(Bot):
    def declare(self, view: View) -> bool:
        print("deal", view.deal)
        return False


print("x" * 1_000_000)
run(Loud)
