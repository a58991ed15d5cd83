"""Rewrites its own program, so that the next room would play another program than the hashed one."""

from pathlib import Path

import rogue


def write() -> None:
    for name in ("bot.py", "another.py", "rogue.py"):
        try:
            Path(name).write_text(f"print('{name}')\n")
            print("FOUND", name)
        except OSError as error:
            print(error.strerror)


rogue.attack_and_play(write)
