"""Plays by the judgement of its networks."""

from bourre import run
from bourre_lab.champion import ChampionBot


class Champion(ChampionBot):
    blur = 0.0


if __name__ == "__main__":
    run(Champion)
