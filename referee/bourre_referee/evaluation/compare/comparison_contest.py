"""The contest that compares two bots: duplicate matches with a field of others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bourre.rules.house import HouseRules
from bourre_referee.contest.contest import Contest, Entrant
from bourre_referee.contest.pairing import Pairing, matches_in
from bourre_referee.contest.stages import match_id
from bourre_referee.model.spec import Clock

BATCH = 50
"""About how many deals a match has; results are judged after each match, and its seatings restart the bots."""

TABLES = 32


def contest_of(
    bots: Mapping[str, Path], seed: int, deals: int, house: HouseRules, folder: Path, name: str = "compare"
) -> Contest:
    """Make a contest of these bot files by name, all at one table, with at least `deals` deals.

    Every bot sits equally often in every seat, in each match (its seatings) and over all matches (their line-ups).
    """
    seats = len(bots)
    rounds = max(1, deals // (BATCH * seats))
    return Contest(
        name=name,
        seed=seed,
        seats=seats,
        deals=-(-deals // (rounds * seats)),
        format="duplicate",
        tables=TABLES,
        stakes=(0,),
        house=house,
        schedule=Pairing(rounds=rounds),
        clock=Clock(),
        max_faults=10,
        entrants=tuple(Entrant(bot, ("python", str(file)), (str(file),)) for bot, file in bots.items()),
        folder=folder,
    )


def schedule_of(contest: Contest) -> list[str]:
    """List the ids of its matches, in their order."""
    numbers = range(1, 1 + matches_in(contest.schedule, len(contest.names), contest.seats))
    return [match_id(number) for number in numbers]
