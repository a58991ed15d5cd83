"""Floods one connection with pings and settings until the referee closes it, then plays on another."""

import asyncio

import frames
import rogue

NOISE = (frames.frame(frames.PING, bytes(8)) + frames.setting(4, 65535)) * 100


def flood() -> None:
    """Reads nothing, so that the answers pile up."""
    with frames.connect() as connection:
        connection.settimeout(1)
        connection.sendall(frames.PREFACE + frames.frame(frames.SETTINGS))
        try:
            for _ in range(300):
                connection.sendall(NOISE)
        except OSError as error:
            print(f"thrown out: {error}")


flood()
asyncio.run(rogue.play())
