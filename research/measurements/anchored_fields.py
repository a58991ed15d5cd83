"""Measures how much the field moves the ratings of real bots, with and without anchors: three examples in 20 fields.

    OPENBLAS_NUM_THREADS=1 .venv/bin/python research/measurements/anchored_fields.py [--fields 20] [--games 200]

All matches are played: sessions of 20 deals at tables of five. Each field has the three measured examples, three staff
bots, whose ratings come from a contest of their own, and four others, who are weak in the first fields and strong in
the last. Without anchors each is rated twice: among the same bots, and in a contest of its own in which others of the
same strength replace the staff bots, who steady it a little. Tables in Markdown on stdout; research/ratings.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, pstdev
from time import process_time

from rows import head, line

from bourre import Bot, View
from bourre.practice import practice
from bourre.practice.session import BotSource
from bourre_referee.ratings import Rating
from bourre_referee.ratings.batch import rate_outcomes
from bourre_referee.ratings.belief import Outcome

SEATS, DEALS, OTHERS = 5, 20, 4
MEASURED = ("counter", "pot_aware", "tight")
STAFF = ("random", "follower", "drawer")
REFERENCE_GAMES = 300
"""Games of each bot in the contest that sets the ratings of the staff bots."""


class Calling(Bot):
    """Comes in with every hand, draws nothing and plays its lowest legal card."""

    def declare(self, view: View) -> bool:
        return True


class Folding(Bot):
    """Passes whatever it holds."""

    def declare(self, view: View) -> bool:
        return False


COMPANY: tuple[tuple[str, BotSource], ...] = (
    ("calling", Calling),
    ("random", "random"),
    ("lowest", "lowest"),
    ("loose", "loose"),
    ("folding", Folding),
    ("follower", "follower"),
    ("tight", "tight"),
    ("pot_aware", "pot_aware"),
    ("drawer", "drawer"),
    ("counter", "counter"),
    ("club", "club"),
)
"""The other bots of the fields, the weakest first."""

Field = Mapping[str, BotSource]
Ratings = Mapping[str, Rating]


def field_of(number: int, fields: int, *, staffed: bool) -> Field:
    """Returns the ten bots of a field by name; the others of later fields are stronger, and more without the staff."""
    dice, top = Random(f"field {number}"), len(COMPANY) - 1
    centre = (top - 1) * number / (fields - 1)
    places = [round(dice.gauss(centre, 1.0)) for _ in range(OTHERS if staffed else OTHERS + len(STAFF))]
    others = [COMPANY[min(top, max(0, place))] for place in places]
    return {
        **{bot: bot for bot in MEASURED},
        **({f"staff-{bot}": bot for bot in STAFF} if staffed else {}),
        **{f"{name}-{at}": bot for at, (name, bot) in enumerate(others)},
    }


def play(field: Field, games: int, name: str) -> list[Outcome]:
    """Plays rounds in which every bot has one game, at tables drawn by chance."""
    dice, found = Random(name), list[Outcome]()
    for number in range(games):
        order = dice.sample(sorted(field), len(field))
        for first in range(0, len(order), SEATS):
            table = {bot: field[bot] for bot in order[first : first + SEATS]}
            played = practice(table, DEALS, f"{name} {number} {first}".encode(), strict=False)
            found.append(_outcome(f"m{number:05}-{first}", {bot.bot: bot.chips for bot in played.bots}))
    return found


def _outcome(match: str, chips: Mapping[str, int]) -> Outcome:
    bots = sorted(chips, key=lambda bot: (-chips[bot], bot))
    return Outcome(match, tuple(bots), tuple(1 + sum(other > chips[bot] for other in chips.values()) for bot in bots))


def staff_ratings() -> dict[str, Rating]:
    """Returns the ratings that the staff bots keep: their mus after a contest of examples."""
    contest = {bot: bot for bot in (*STAFF, *MEASURED, "lowest", "loose", "club")} | {"calling": Calling}
    found = rate_outcomes(play(contest, REFERENCE_GAMES, "staff"), sorted(contest))
    return {f"staff-{bot}": Rating(found[bot].mu, 0.0) for bot in STAFF}


@dataclass(frozen=True, slots=True)
class Rated:
    """The ratings of one field after some games."""

    alone: Ratings
    """Without staff bots."""
    free: Ratings
    """With staff bots, who are rated like all others."""
    anchored: Ratings


def rate_fields(fields: int, games: Sequence[int], anchors: Ratings) -> list[list[Rated]]:
    """Plays all fields and returns, for each number of games, the ratings of each field."""
    found: list[list[Rated]] = [[] for _ in games]
    for number in range(fields):
        staffed, alone = (field_of(number, fields, staffed=staffed) for staffed in (True, False))
        outcomes, apart = (play(field, max(games), f"field {number}") for field in (staffed, alone))
        for count, rated in zip(games, found, strict=True):
            part = count * len(staffed) // SEATS
            rated.append(
                Rated(
                    rate_outcomes(apart[:part], sorted(alone)),
                    rate_outcomes(outcomes[:part], sorted(staffed)),
                    rate_outcomes(outcomes[:part], sorted(staffed), anchors=anchors),
                )
            )
        print(f"field {number}: {', '.join(staffed)}", file=sys.stderr, flush=True)
    return found


def main(arguments: Sequence[str]) -> None:
    """Rates the staff bots, then all fields without and with anchors, and prints how much scores spread."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fields", type=int, default=20, help="at least 2")
    parser.add_argument("--games", type=int, nargs="+", default=[50, 200], help="games of each bot in a field")
    given = parser.parse_args(arguments)
    anchors = staff_ratings()
    print(*(f"{bot}: {rating.mu:.2f}" for bot, rating in anchors.items()), "", sep="\n")
    names = ("without staff", "free", "anchored")
    print(head(("games", "bot", *(f"spread, {name}" for name in names), "ratios", "sigma")))
    for games, fields in zip(given.games, rate_fields(given.fields, given.games, anchors), strict=True):
        for bot in MEASURED:
            scores = [(one.alone[bot].score, one.free[bot].score, one.anchored[bot].score) for one in fields]
            alone, free, anchored = (pstdev(each) for each in zip(*scores, strict=True))
            sigma = fmean(one.anchored[bot].sigma for one in fields)
            ratios = f"{anchored / alone:.2f} and {anchored / free:.2f}"
            print(line([f"{games}", bot, f"{alone:.2f}", f"{free:.2f}", f"{anchored:.2f}", ratios, f"{sigma:.2f}"]))
    print(f"\n{process_time():.0f} s of processor time")


if __name__ == "__main__":
    main(sys.argv[1:])
