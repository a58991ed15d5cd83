"""Opens every device that it finds: disks, kernel messages, terminals."""

import os

import rogue

rogue.need_a_box()
OWN = {"stdin", "stdout", "stderr", "fd", "pts", "ptmx", "tty", "shm", "mqueue", "core"}
HARMLESS = {"null", "zero", "full", "random", "urandom", *OWN}


def open_all() -> None:
    for name in sorted(set(os.listdir("/dev")) - HARMLESS):
        try:
            os.close(os.open(f"/dev/{name}", os.O_RDONLY | os.O_NONBLOCK))
            print("FOUND", name)
        except OSError as error:
            print(name, error.strerror)
    print("has looked")


rogue.attack_and_play(open_all)
