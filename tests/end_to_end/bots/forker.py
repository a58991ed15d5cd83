"""Leaves a child behind in its process group, which holds the output open."""

import os
import signal

from bourre import Bot, run

if os.fork() == 0:
    signal.pause()
run(Bot)
