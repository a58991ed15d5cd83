"""Lets a child burn CPU time, and reports through the pipe `awake` that it was stopped and woken."""

import os
import signal

from bourre import Bot, run

if os.fork() == 0:
    telling = os.open("awake", os.O_RDWR)
    signal.signal(signal.SIGCONT, lambda *_: os.write(telling, b"."))
    while True:
        pass
if __name__ == "__main__":
    run(Bot)
