"""Opens a hundred connections that say nothing, or begin a handshake and never end it. Then it plays."""

import asyncio
from contextlib import suppress

import frames
import rogue

connections = [frames.connect() for _ in range(100)]
for number, connection in enumerate(connections):
    with suppress(BrokenPipeError):  # the referee has already closed it
        connection.sendall(frames.PREFACE[: number % len(frames.PREFACE)])
asyncio.run(rogue.play())
