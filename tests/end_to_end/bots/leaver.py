"""Leaves properly at its third decision."""

import os

from bourre import Bot, View, run


class Leaver(Bot):
    decisions = 0

    def declare(self, view: View) -> bool:
        Leaver.decisions += 1
        if Leaver.decisions == 3:
            os._exit(0)
        return False


run(Leaver)
