"""A referee in a process of its own, so that its memory can be measured; the argument is its socket."""

from __future__ import annotations

import asyncio
import sys

from tests.referee.server.listening_referee import options, served


async def main(path: str) -> None:
    """Serves until it is killed, without the idle limit, which its only client may exceed on a busy machine."""
    async with served(options(max_connection_idle_ms=None), address=f"unix:{path}"):
        print("there", flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
