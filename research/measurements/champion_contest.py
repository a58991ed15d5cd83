"""Measures the champion against the examples themselves, by the rules: `champion_strength.py` plays all in step.

    .venv/bin/python research/measurements/champion_contest.py --deals 1000

Each deal is played in all seatings of the table, as in format `duplicate`, and corrected by the luck of the draw.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from statistics import fmean, stdev
from typing import Final

from fields import Field
from playings import LIMIT, Block, play_block

from bourre_lab.champion import ChampionBot
from bourre_lab.champion.weights import CHAMPION, SHA256
from bourre_referee.luck import COEFFICIENT
from examples.counter import Counter
from examples.drawer import Drawer
from examples.follower import Follower
from examples.monte_carlo import MonteCarlo
from examples.pot_aware import PotAware
from examples.tight import Tight

QUANTILE: Final = 1.96
MIXED: Final = (MonteCarlo, Drawer, Tight, Counter, PotAware, Follower)


def tables() -> Iterator[tuple[str, Field]]:
    """Yields the name of each table, and its bots; the second one is that with which the champion is compared."""
    for seats in (3, 5, 7):
        yield f"mixed{seats}", Field((ChampionBot, *MIXED[: seats - 1]))
    for seats in (3, 5, 7):
        yield f"alone{seats}", Field((ChampionBot, *(MonteCarlo,) * (seats - 1)))
    for seats in (3, 5):
        yield f"drawer{seats}", Field((ChampionBot, *(Drawer,) * (seats - 1)))


def differences(block: Block, rivals: Sequence[int], coefficient: float) -> float:
    """Returns how many chips the champion wins more in a deal than the mean of these bots."""
    return fmean(block.adjusted(0, rival, coefficient) for rival in rivals) / len(block.playings)


def per_100(chips: Sequence[float]) -> str:
    """Writes the mean per 100 deals with half of its 95 % interval."""
    return f"{100 * fmean(chips):+.1f} ± {100 * QUANTILE * stdev(chips) / len(chips) ** 0.5:.1f}"


def main() -> None:
    """Prints a line for each table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000, help="deals of each table")
    parser.add_argument("--tables", default="", help="only these, separated by commas")
    arguments = parser.parse_args()
    print(f"champion {SHA256[CHAMPION][:12]}, {arguments.deals} deals in all seatings")
    for name, table in tables():
        if arguments.tables and name not in arguments.tables.split(","):
            continue
        seed = table.seed("champion")
        rivals = [number for number, bot in enumerate(table.bots) if bot is table.bots[1]]
        played = [play_block(table.bots, LIMIT, seed, deal) for deal in range(1, arguments.deals + 1)]
        raw, adjusted = ([differences(block, rivals, share) for block in played] for share in (0, COEFFICIENT))
        print(f"{name}: raw {per_100(raw)}, less luck {per_100(adjusted)}", flush=True)


if __name__ == "__main__":
    main()
