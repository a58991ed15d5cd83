"""Sends invalid HTTP/2: frames that are too long, of unknown kinds, or for streams that do not exist."""

import asyncio
import os

import frames
import rogue

GARBAGE = (
    frames.frame(frames.DATA, bytes(100), stream=7),
    frames.frame(frames.HEADERS, b"\xff" * 100, frames.END_HEADERS, 1),
    frames.frame(99, os.urandom(1000), 255, 2**31 - 1),
    b"\xff" * 9 + os.urandom(20_000),
    b"GET / HTTP/1.1\r\nHost: referee\r\n\r\n",
)

for garbage in GARBAGE:
    with frames.connect() as connection:
        connection.settimeout(1)
        connection.sendall(frames.PREFACE + frames.frame(frames.SETTINGS) + garbage)
        try:
            while connection.recv(4096):
                pass
            print("hung up")
        except OSError as error:
            print(type(error).__name__)
asyncio.run(rogue.play())
