"""Plays as the first champion did, which later ones are measured against."""

from bourre import run
from bourre_lab.champion import ChampionBot


class Champion1(ChampionBot):
    networks = "champion_1"


if __name__ == "__main__":
    run(Champion1)
