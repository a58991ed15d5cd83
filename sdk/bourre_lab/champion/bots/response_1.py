"""Plays what wins most from champion_1, as far as a short training finds it."""

from bourre import run
from bourre_lab.champion import ChampionBot


class Response1(ChampionBot):
    networks = "response_1"


if __name__ == "__main__":
    run(Response1)
