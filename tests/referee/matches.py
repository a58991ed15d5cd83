"""Made-up results of matches, for tests of what is computed from results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from bourre_referee.model.results import MatchResult, SeatResult, ranks_of
from bourre_referee.ratings import rate
from bourre_referee.ratings.belief import NO_ANCHORS, Anchors
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.ranking import rank_bots
from bourre_referee.statistics.standing import Standings

BOTS = ("ada", "bob", "cy", "dee", "eve")

PUBLISHED_EIGHT = {
    "alice": (36.771, 5.749),
    "bob": (32.242, 5.133),
    "chris": (29.074, 4.943),
    "darren": (26.322, 4.874),
    "eve": (23.678, 4.874),
    "fabien": (20.926, 4.943),
    "george": (17.758, 5.133),
    "hillary": (13.229, 5.749),
}
"""Mu and sigma after a free-for-all of eight new players, from first to last, as Microsoft Research published them."""

PUBLISHED_TAU = 25 / 300
"""What the published examples add to every sigma before a match; they assume a draw probability of 10 %."""


def match(chips: Mapping[str, int], deals: int = 50, name: str = "m0001") -> MatchResult:
    """A match that left each bot with these chips; its other counts are made up."""
    ranks = ranks_of(list(chips.values()))
    seats = tuple(
        SeatResult(
            bot, won, rank, wins=seat + 2, bourres=seat, reneges=seat % 2, faults=3 * seat, house_deals=seat // 2
        )
        for seat, ((bot, won), rank) in enumerate(zip(chips.items(), ranks, strict=True))
    )
    return MatchResult(name, deals, seats)


def standings(
    contest: str,
    form: str,
    digest: str,
    results: Sequence[MatchResult],
    bots: Sequence[str],
    anchors: Anchors = NO_ANCHORS,
) -> Standings:
    """The standings of a new contest after these results."""
    return rank_bots(contest, form, digest, tally_of(results), rate(results, bots, anchors=anchors))


def balanced(points: Mapping[str, int]) -> dict[str, int]:
    """Chips that add up to 0 and rank the bots as these points do."""
    return {bot: len(points) * won - sum(points.values()) for bot, won in points.items()}


@st.composite
def matches(draw: st.DrawFn) -> MatchResult:
    """A match of two to five of the BOTS; their chips add up to 0 and are sometimes equal. All played most deals."""
    bots = draw(st.lists(st.sampled_from(BOTS), min_size=2, max_size=5, unique=True))
    won = draw(st.lists(st.integers(-40, 40), min_size=len(bots) - 1, max_size=len(bots) - 1))
    return match(dict(zip(bots, [*won, -sum(won)], strict=True)), deals=draw(st.integers(5, 60)))
