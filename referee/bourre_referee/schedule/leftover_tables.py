"""Tables left over after whole rounds."""

from collections.abc import Sequence
from random import Random

from bourre_referee.schedule.balance import LineUp, balance_of
from bourre_referee.schedule.pairings import Company
from bourre_referee.schedule.search import anneal
from bourre_referee.schedule.seating import Seating

COMPANY_MOVES, SEATING_MOVES = (100_000, 400_000), 20_000
"""Moves of one search before the best met has to do: a second or two; more where pairs are uneven still."""

MOVES_EACH = 50
"""The same for every move there is, so that a small search is over sooner."""


def tail_of(bots: int, seats: int, tables: int, before: Sequence[LineUp]) -> tuple[LineUp, ...]:
    """Fewer tables than bots: no bot sits twice in a seat, or at two tables more than another.

    First who meets whom is made even, then who sits to whose left; what was played `before` is
    counted in. The same numbers give the same tables: chance here has a seed of its own.
    """
    rng = Random(0)
    places = tables * seats
    for most in COMPANY_MOVES:
        company = Company(bots, seats, tables, before)
        companies = anneal(company, min(most, MOVES_EACH * places**2), 1, rng)
        if balance_of((*before, *map(tuple, companies)), bots, seats).pair <= 2:
            break
    seating = Seating(bots, seats, companies, before)
    rows = anneal(seating, min(SEATING_MOVES, MOVES_EACH * places * seats), 1, rng)
    return tuple(tuple(row) for row in rows)
