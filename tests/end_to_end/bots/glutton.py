"""Says hello, then allocates shared memory until it is stopped or has a gigabyte."""

import mmap

from bourre import Bot, View, run


class Glutton(Bot):
    def declare(self, view: View) -> bool:
        taken = mmap.mmap(-1, 1 << 30)  # shared memory: no limit of a single process counts it
        for start in range(0, 1 << 30, 4096):
            taken[start] = 1
        return False


run(Glutton)
