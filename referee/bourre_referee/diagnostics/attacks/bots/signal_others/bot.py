"""Stops, interrupts and kills every process that it can reach, its supervisor first."""

import os
import signal

import rogue

SIGNALS = (signal.SIGSTOP, signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGKILL)


def kill() -> None:
    rogue.need_a_box()
    for sent in SIGNALS:
        for target in (os.getppid(), *rogue.neighbours(), -1):
            try:
                os.kill(target, sent)
            except ProcessLookupError:
                print("nobody there")
            except PermissionError:
                print("refused")
        if sent == signal.SIGSTOP:
            os.system("true")  # its supervisor still reaps what ends
    print("has signalled")


signal.signal(signal.SIGUSR1, signal.SIG_IGN)
rogue.attack_and_play(kill)
