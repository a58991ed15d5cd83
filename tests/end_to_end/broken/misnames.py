"""Has methods that nobody calls."""

from bourre import Bot, Card, View, run


class Misnames(Bot):
    def Play(self, view: View) -> Card:
        return view.legal[-1]

    def declair(self, view: View) -> bool:
        return True


if __name__ == "__main__":
    run(Misnames)
