"""Says hello and nothing else."""

import asyncio

from bourre import Bot, View, run


class Silent(Bot):
    async def declare(self, view: View) -> bool:
        await asyncio.get_running_loop().create_future()
        return False


run(Silent)
