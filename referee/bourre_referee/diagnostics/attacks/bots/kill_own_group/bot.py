"""Kills its process group, in the hope that its supervisor or the referee is in it."""

import os
import signal

import rogue


def kill() -> None:
    if os.getpgid(0) != os.getpid():
        print("FOUND a group of others")
        return
    os.killpg(0, signal.SIGKILL)


rogue.attack_and_play(kill)
