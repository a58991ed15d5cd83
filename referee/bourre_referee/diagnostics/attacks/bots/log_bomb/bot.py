"""Prints thirty megabytes without a line end, full of NULs and terminal control sequences."""

import sys

import rogue


def pour() -> None:
    for _ in range(30):
        sys.stdout.buffer.write(b"\0\x1b[2J\x1b]0;owned\x07\xff" * 65536)
    sys.stdout.flush()


pour()
rogue.attack_and_play(pour)
