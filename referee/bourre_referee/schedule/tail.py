"""Tables left over after whole rounds."""

from collections.abc import Sequence
from random import Random

from bourre_referee.schedule.balance import LineUp
from bourre_referee.schedule.company import Company
from bourre_referee.schedule.search import anneal
from bourre_referee.schedule.seating import Seating

COMPANY_MOVES = 100_000
SEATING_MOVES = 20_000


def tail_of(bots: int, seats: int, tables: int, before: Sequence[LineUp]) -> tuple[LineUp, ...]:
    """Fewer tables than bots: no bot sits twice in a seat, or at two tables more than another.

    First who meets whom is made even, then who sits to whose left; what was played `before` is
    counted in. The same numbers give the same tables: chance here has a seed of its own.
    """
    if tables == 0:
        return ()
    rng = Random(0)
    company = Company(bots, seats, tables, before)
    companies = anneal(company, COMPANY_MOVES, 1, rng)
    seating = Seating(bots, seats, companies, before)
    return tuple(tuple(row) for row in anneal(seating, SEATING_MOVES, 1, rng))
