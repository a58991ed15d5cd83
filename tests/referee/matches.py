"""Results of matches that nobody played, for tests of what is computed from results."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from bourre_referee.model.results import MatchResult, SeatResult, ranks_of

BOTS = ("ada", "bob", "cy", "dee", "eve")


def match(chips: Mapping[str, int], deals: int = 50, name: str = "m0001") -> MatchResult:
    """A match that left each bot with these chips, and with counts of its own."""
    ranks = ranks_of(list(chips.values()))
    seats = tuple(
        SeatResult(
            bot, won, rank, wins=seat + 2, bourres=seat, reneges=seat % 2, faults=3 * seat, house_deals=seat // 2
        )
        for seat, ((bot, won), rank) in enumerate(zip(chips.items(), ranks, strict=True))
    )
    return MatchResult(name, deals, seats)


def balanced(points: Mapping[str, int]) -> dict[str, int]:
    """Chips that add up to 0 and rank the bots as these points do."""
    return {bot: len(points) * won - sum(points.values()) for bot, won in points.items()}


@st.composite
def matches(draw: st.DrawFn) -> MatchResult:
    """Two to five of the BOTS, with chips that add up to 0 and now and then are equal."""
    bots = draw(st.lists(st.sampled_from(BOTS), min_size=2, max_size=5, unique=True))
    won = draw(st.lists(st.integers(-40, 40), min_size=len(bots) - 1, max_size=len(bots) - 1))
    return match(dict(zip(bots, [*won, -sum(won)], strict=True)), deals=draw(st.integers(1, 60)))
