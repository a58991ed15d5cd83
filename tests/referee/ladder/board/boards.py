"""Rated games for tests of a board: by true skills, in simulated ladders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from bourre.rules.actions import Fault
from bourre_referee.ladder.board.benching import RatedGame
from bourre_referee.model.spec import SeatFault
from bourre_referee.ratings.belief import BETA
from tests.referee.matches import balanced, match


def game(room: int, *entrants: str, faulty: Sequence[str] = (), fault: Fault = Fault.LATE) -> RatedGame:
    """A game of these entrants, best first, in which some made two faults each."""
    points = {entrant: -place for place, entrant in enumerate(entrants)}
    faults = tuple(SeatFault(seat, fault, 2) for seat, entrant in enumerate(entrants) if entrant in faulty)
    return RatedGame(room, match(balanced(points), deals=10, name=f"m{room:05}"), faults)


def games(skills: Mapping[str, float], count: int, dice: Random, seats: int = 4, first: int = 1) -> Iterator[RatedGame]:
    """Games between some of these entrants, by TrueSkill's own model of luck."""
    for room in range(first, first + count):
        table = dice.sample(sorted(skills), seats)
        yield game(room, *sorted(table, key=lambda bot: -dice.gauss(skills[bot], BETA)))
