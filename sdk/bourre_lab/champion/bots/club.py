"""Plays like the champion with errors of judgement, as a fair opponent."""

from bourre import run
from bourre_lab.champion import ChampionBot


class Club(ChampionBot):
    blur = 0.05


if __name__ == "__main__":
    run(Club)
