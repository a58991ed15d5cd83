"""Writes wherever it may, until writing fails."""

import os
from pathlib import Path

import rogue

MIB = 1 << 20
LIMIT = 128


def fill() -> None:
    rogue.need_a_box()
    for folder in ("/tmp", "/var/tmp", "/dev/shm", "/dev", "/run", "/bot", "/"):
        written = 0
        try:
            with Path(folder, "bomb").open("wb", buffering=0) as file:
                while written < LIMIT and file.write(bytes(MIB)) == MIB:
                    written += 1
        except OSError as error:
            print(folder, error.strerror)
        print(folder, "FOUND no limit" if written == LIMIT else f"took {written} MiB")
    os.unlink("/tmp/bomb")


rogue.attack_and_play(fill)
