"""Plays as well as its networks can judge."""

from bourre import run
from bourre_lab.champion import ChampionBot


class Champion(ChampionBot):
    blur = 0.0


if __name__ == "__main__":
    run(Champion)
