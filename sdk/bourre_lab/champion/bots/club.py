"""Plays as the champion does, but with errors of judgement: to make it a fair opponent."""

from bourre import run
from bourre_lab.champion import ChampionBot


class Club(ChampionBot):
    blur = 0.05


if __name__ == "__main__":
    run(Club)
