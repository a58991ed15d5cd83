"""Has modules named like those of the referee and of Python, which may harm only the bot itself."""

import asyncio

asyncio.run(asyncio.sleep(0))
