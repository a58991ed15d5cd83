"""The refit: the ratings of a clock class from all of its games at once, which a process of its own computes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from bourre_referee.ladder.board.rated_game import GameOutcome
from bourre_referee.ratings import Rating
from bourre_referee.ratings.anchors import NO_ANCHORS, Anchors
from bourre_referee.ratings.batch import rate_outcomes
from bourre_referee.ratings.belief import MIN_DRAW_PROBABILITY, bound_draw_probability, tied_share


@dataclass(frozen=True, slots=True)
class Refit:
    """The ratings of record: from these games at once, so their order does not matter, and without drift."""

    games: int = 0
    """It covers so many games, the first of the class in the order in which they finished, void ones included."""
    void: frozenset[int] = frozenset()
    """The rooms of those games that were taken back; the ratings leave them out."""
    draw_probability: float = MIN_DRAW_PROBABILITY
    """The share of neighbours in the rankings of games that are tied, bounded."""
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    """By entrant; of the anchors, and of all that played."""


def refit(games: Iterable[GameOutcome], anchors: Anchors = NO_ANCHORS, void: Collection[int] = frozenset()) -> Refit:
    """Rates these games of a clock class, its first in the order in which they finished; reads them once.

    `void` are rooms whose games were taken back. `anchors` keep their ratings and set the scale, so that ratings of
    all seasons compare. Raises ValueError for an anchor without finite numbers.
    """
    outcomes, left_out = [], set()
    for room, outcome in games:
        if room in void:
            left_out.add(room)
        else:
            outcomes.append(outcome)
    entrants = sorted({bot for outcome in outcomes for bot in outcome.bots} | anchors.keys())
    draws = bound_draw_probability(tied_share(outcome.ranks for outcome in outcomes))
    ratings = rate_outcomes(outcomes, entrants, draw_probability=draws, anchors=anchors)
    return Refit(len(outcomes) + len(left_out), frozenset(left_out), draws, ratings)
