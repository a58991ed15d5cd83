"""A referee in a process of its own, whose memory can be looked at: `python -m tests.wire.alone SOCKET`."""

from __future__ import annotations

import asyncio
import sys

from tests.wire.referee import served


async def main(path: str) -> None:
    """Serves until it is killed."""
    async with served(address=f"unix:{path}"):
        print("there", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
