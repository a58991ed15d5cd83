"""Fails in the decision that only one preset asks for."""

from bourre import Bot, View, run


class RaisesOnStay(Bot):
    def declare(self, view: View) -> bool:
        return True

    def stay(self, view: View) -> bool:
        raise LookupError(f"no plan for {view.hand[0]}")


run(RaisesOnStay)
