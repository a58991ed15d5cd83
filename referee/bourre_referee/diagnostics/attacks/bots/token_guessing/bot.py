"""Guesses the tokens of others: similar to its own, empty, very long, and random."""

import asyncio
import secrets

import rogue

GUESSES = (
    "",
    rogue.OWN[:-1],
    rogue.OWN + "0",
    rogue.OWN.upper(),
    " " + rogue.OWN,
    rogue.OWN + "\0",
    "0" * 60_000,
    *(secrets.token_hex(32) for _ in range(60)),
)


async def main() -> None:
    async with rogue.channel() as over:
        for guess in GUESSES:
            call = rogue.dial(over)
            await call.write(rogue.hello(guess))
            answer = await rogue.outcome(call)
            print("FOUND a token" if answer == "welcome" else answer)
            call.cancel()
    await rogue.play()


asyncio.run(main())
