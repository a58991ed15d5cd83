"""Plays by the defaults; but while its folder, an argument, holds a pipe `gate`, its fourth process blocks there."""

import signal
import sys
from pathlib import Path

from bourre import Bot, View, run

FOLDER = Path(sys.argv[1])
STARTS = FOLDER / "starts"


class Gate(Bot):
    def declare(self, view: View) -> bool:
        gate = FOLDER / "gate"
        if view.deal == 3 and gate.exists() and len(STARTS.read_bytes()) >= 4:
            with gate.open("wb") as pipe:
                pipe.write(b"here")
            signal.pause()
        return bool(super().declare(view))


if __name__ == "__main__":
    with STARTS.open("ab") as starts:
        starts.write(b".")
    run(Gate)
