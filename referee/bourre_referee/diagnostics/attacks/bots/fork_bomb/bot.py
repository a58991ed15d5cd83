"""Forks until forking fails, and exits. Its children stay."""

import os
import signal

import rogue

rogue.need_a_box()
for number in range(1000):
    try:
        if os.fork() == 0:
            signal.pause()
    except OSError as error:
        print(f"refused after {number}: {error.strerror}")
        os._exit(3)
print("FOUND no limit")
