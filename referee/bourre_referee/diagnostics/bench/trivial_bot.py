"""The cheapest possible bot: it stands pat and plays its lowest legal card."""

from bourre.bot import Bot
from bourre.client import run

if __name__ == "__main__":
    run(Bot)
