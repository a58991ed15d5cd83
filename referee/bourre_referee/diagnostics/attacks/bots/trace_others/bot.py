"""Attaches to its supervisor as a debugger, and reads its memory."""

import ctypes
import os

import rogue

rogue.need_a_box()
ATTACH = 16
libc = ctypes.CDLL(None, use_errno=True)


def trace() -> None:
    for process in rogue.neighbours():
        if libc.ptrace(ATTACH, process, 0, 0) == 0:
            print("FOUND a process to trace")
        print(os.strerror(ctypes.get_errno()))


rogue.attack_and_play(trace)
