"""Starts threads until that fails, then tries to play anyway."""

import os
import threading

import rogue

rogue.need_a_box()
never = threading.Event()
for number in range(1000):
    try:
        threading.Thread(target=never.wait, daemon=True).start()
    except (RuntimeError, MemoryError) as error:
        print(f"refused after {number}: {error}")
        os._exit(3)
print("FOUND no limit")
