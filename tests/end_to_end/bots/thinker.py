"""Withholds its first answer until it is asked at four tables: it plays on only if it can think at all of them."""

import asyncio

from bourre import Bot, View, run


class Thinker(Bot):
    """One instance for each table; they share the attributes of the class."""

    asked = 0
    everywhere = asyncio.Event()

    async def declare(self, view: View) -> bool:
        Thinker.asked += 1
        if Thinker.asked == 4:
            self.everywhere.set()
        await self.everywhere.wait()
        return bool(super().declare(view))


if __name__ == "__main__":
    run(Thinker)
