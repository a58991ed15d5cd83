"""Takes the referee's socket away and puts its own in its place, so that others talk to it."""

import os
import socket

import rogue

rogue.need_a_box()
PATH = os.environ["BOURRE_ADDRESS"].removeprefix("unix:")


def replace() -> None:
    try:
        os.unlink(PATH)
        with socket.socket(socket.AF_UNIX) as own:
            own.bind(PATH)
            print("FOUND a place for its own socket")
    except OSError as error:
        print("refused:", error.strerror)


rogue.attack_and_play(replace)
