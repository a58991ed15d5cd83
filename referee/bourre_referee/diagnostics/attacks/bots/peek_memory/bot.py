"""Opens the memory and the open files of other processes."""

import os

import rogue


def peek() -> None:
    for process in rogue.neighbours():
        try:
            with open(f"/proc/{process}/mem", "rb"):
                print("FOUND memory")
        except OSError as error:
            print(error.strerror)
        try:
            print("FOUND handles", len(os.listdir(f"/proc/{process}/fd")))
        except OSError as error:
            print(error.strerror)
    print("has looked")


rogue.attack_and_play(peek)
