"""Looks for the tokens of other bots in the environments and command lines of their processes."""

from pathlib import Path

import rogue


def peek() -> None:
    for process in rogue.neighbours():
        for place in ("environ", "cmdline"):
            try:
                words = Path(f"/proc/{process}/{place}").read_bytes().split(b"\0")
            except OSError as error:
                print(place, error.strerror)
                continue
            tokens = {word for word in words if word.startswith(b"BOURRE_TOKEN=")}
            if tokens - {b"BOURRE_TOKEN=" + rogue.OWN.encode()}:
                print("FOUND the token of another")
    print("has looked")


rogue.attack_and_play(peek)
