"""Ignores signals and the end of the match, so that it never exits."""

import asyncio
import signal

import rogue

for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}:
    signal.signal(number, signal.SIG_IGN)
asyncio.run(rogue.play())
while True:
    signal.pause()
