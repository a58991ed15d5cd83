"""Opens files until opening fails, closes them and plays."""

import os

import rogue


def open_all() -> None:
    rogue.need_a_box()
    opened = []
    try:
        for _ in range(5000):
            opened.append(os.open("/dev/null", os.O_RDONLY))
        print("FOUND no limit")
    except OSError as error:
        print("refused:", error.strerror)
    for handle in opened:
        os.close(handle)


rogue.attack_and_play(open_all)
