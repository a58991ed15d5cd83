"""Allocates memory until that fails, frees it and plays."""

import rogue

MIB = 1 << 20


def take() -> None:
    rogue.need_a_box()
    taken = []
    try:
        for _ in range(32):
            taken.append(b"x" * (64 * MIB))
    except MemoryError:
        print("refused after", len(taken) * 64, "MiB")
        return
    print("FOUND no limit")


rogue.attack_and_play(take)
