"""Opens forty calls on ten connections and never says hello on them. Then it plays on one more."""

import asyncio

import rogue

from bourre.v1.referee_pb2 import BotMessage


async def main() -> None:
    channels = [rogue.channel() for _ in range(10)]
    calls = [rogue.dial(over) for over in channels for _ in range(4)]
    await asyncio.gather(*(call.write(BotMessage()) for call in calls[::2]))
    print(await rogue.outcome(calls[0]))
    await rogue.play()


asyncio.run(main())
