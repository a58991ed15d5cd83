"""Beside it lie modules that are called as those of the referee and of Python: they are its own trouble alone."""

import asyncio

asyncio.run(asyncio.sleep(0))
