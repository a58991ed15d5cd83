"""Dies at its third decision."""

import os

from bourre import Bot, View, run


class Crasher(Bot):
    decisions = 0

    def declare(self, view: View) -> bool:
        Crasher.decisions += 1
        if Crasher.decisions == 3:
            os._exit(7)
        return False


run(Crasher)
