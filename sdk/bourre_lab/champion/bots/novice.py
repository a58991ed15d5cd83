"""Plays like the champion with large errors of judgement, for a first game."""

from bourre import run
from bourre_lab.champion import ChampionBot


class Novice(ChampionBot):
    blur = 0.15


if __name__ == "__main__":
    run(Novice)
