"""Plays by networks a tenth as large as the champion's, after a short training."""

from bourre import run
from bourre_lab.champion import ChampionBot


class Small1(ChampionBot):
    networks = "small_1"


if __name__ == "__main__":
    run(Small1)
