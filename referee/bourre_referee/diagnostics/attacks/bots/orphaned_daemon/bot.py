"""Leaves a process behind that has left its group, session and parent and holds the output open."""

import os
import signal

import rogue


def leave_one_behind() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            signal.pause()
        os._exit(0)
    os.wait()
    print("left one behind")


rogue.attack_and_play(leave_one_behind)
