"""Replaces the referee's socket with its own, so that other bots talk to it."""

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
