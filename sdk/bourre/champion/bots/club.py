"""Plays as the champion does, but with errors of judgement: about as strong as a club player."""

from bourre import run
from bourre.champion import ChampionBot


class Club(ChampionBot):
    blur = 0.15


if __name__ == "__main__":
    run(Club)
