"""Burns CPU time in three processes while the other bots think, until it is killed."""

import os
import time

import rogue

END = time.monotonic() + 20
for _ in range(3):
    if os.fork() == 0:
        while time.monotonic() < END:
            pass
        os._exit(0)
rogue.run(lambda ask: rogue.message(rogue.honest(ask)))
