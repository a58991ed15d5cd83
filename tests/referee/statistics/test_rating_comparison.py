"""The numbers of `bourre rate`: those of the standings, beside one pass in the order of the matches."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import Rating, rate
from bourre_referee.ratings.belief import (
    MIN_DRAW_PROBABILITY,
    UNIFORM,
    Gaussian,
    choose_draw_probability,
    seats_by_rank,
)
from bourre_referee.ratings.free_for_all import draw_margin
from bourre_referee.ratings.in_order import SequentialRatings, rate_by_match, rate_in_order
from bourre_referee.ratings.sweeps import PRIOR
from bourre_referee.ratings.tied import match_model
from bourre_referee.statistics.rating_comparison import RatingRow, compare_ratings
from tests.referee.matches import BOTS, match, matches

RESULTS = [
    match({"ada": 9, "bob": -4, "cy": -5}, name="m0001"),
    match({"bob": 2, "ada": 5, "cy": -7}, name="m0002"),
    match({"cy": 1, "dee": -1}, name="m0003"),
]
ANCHORS = {"ada": Rating(60, 1)}


def test_both_ratings_stand_side_by_side_best_first() -> None:
    table = compare_ratings(RESULTS, BOTS)
    assert {row.bot: row.batch for row in table.rows} == rate(RESULTS, BOTS)
    in_order = rate_in_order(RESULTS, BOTS)
    for row in table.rows:
        assert row.one_pass is not None
        assert (row.one_pass.mu, row.one_pass.sigma) == pytest.approx(
            (in_order[row.bot].mu, in_order[row.bot].sigma), abs=1e-3
        )
    assert [row.rank for row in table.rows] == [1, 2, 3, 4, 5]
    scores = [row.batch.score for row in table.rows if row.batch]
    assert scores == sorted(scores, reverse=True)
    assert {row.bot: row.matches for row in table.rows} == {"ada": 2, "bob": 2, "cy": 3, "dee": 1, "eve": 0}


def test_only_the_one_pass_rating_minds_the_order() -> None:
    forth, back = (
        {row.bot: row for row in compare_ratings(results, BOTS).rows} for results in (RESULTS, RESULTS[::-1])
    )
    assert {bot: row.batch for bot, row in forth.items()} == {bot: row.batch for bot, row in back.items()}
    assert forth["ada"].one_pass != back["ada"].one_pass


def test_ratings_by_match_end_as_those_in_order() -> None:
    live = SequentialRatings(BOTS)
    for result in RESULTS:
        live.add(result)
    assert live.ratings() == rate_in_order(RESULTS, BOTS)
    with pytest.raises(ValueError, match="fay"):
        live.add(match({"fay": 1, "ada": -1}))


def by_our_own(results: list[MatchResult], draws: float) -> list[dict[str, Gaussian]]:
    """The rating of each bot after each match, computed only from the messages of `rate`."""
    known = dict.fromkeys(BOTS, PRIOR)
    after = []
    for result in results:
        seats = seats_by_rank(result, known)
        told = match_model([seat.rank for seat in seats], draw_margin(draws)).pass_messages(
            [known[s.bot] for s in seats]
        )
        known |= {seat.bot: known[seat.bot].multiply(message) for seat, message in zip(seats, told, strict=True)}
        after.append(dict(known))
    return after


@settings(max_examples=20)
@given(st.lists(matches(), max_size=5))
def test_after_each_match_its_bots_are_rated_as_by_our_own_messages(results: list[MatchResult]) -> None:
    expected = by_our_own(results, choose_draw_probability(results, None))
    for result, (one, rated_now), known in zip(results, rate_by_match(results, BOTS), expected, strict=True):
        assert one is result
        assert set(rated_now) == {seat.bot for seat in result.seats}
        for bot, rating in rated_now.items():
            assert (rating.mu, rating.sigma) == pytest.approx((known[bot].mu, known[bot].pi ** -0.5), abs=2e-3)


@pytest.mark.parametrize("draws", [0.1, 0.5])
@pytest.mark.parametrize("chips", [0, 1])
def test_two_bots_are_rated_alike_to_the_last_digits(chips: int, draws: float) -> None:
    """More players need several passes, which the package ends in its own way."""
    result = match({"ada": chips, "bob": -chips})
    theirs, ours = rate_in_order([result], BOTS, draw_probability=draws)["ada"], by_our_own([result], draws)[0]["ada"]
    assert (theirs.mu, theirs.sigma) == pytest.approx((ours.mu, ours.pi**-0.5), rel=1e-12)


def test_where_nothing_is_known_the_mean_is_0() -> None:
    assert UNIFORM.mu == 0.0


def test_the_probability_of_a_draw_is_that_of_the_results() -> None:
    assert compare_ratings(RESULTS, BOTS).draw_probability == MIN_DRAW_PROBABILITY
    tied = [match({"ada": 0, "bob": 0}), match({"ada": 1, "bob": -1})]
    assert compare_ratings(tied, BOTS).draw_probability == 0.5


def test_anchors_keep_their_ratings_both_ways_and_others_are_on_their_scale() -> None:
    def mus(rows: Sequence[RatingRow]) -> list[float]:
        return [one.mu for row in rows if row.bot in ("bob", "cy", "dee") for one in (row.batch, row.one_pass) if one]

    free, held = (
        sorted(compare_ratings(RESULTS, BOTS, anchors).rows, key=lambda row: row.bot) for anchors in ({}, ANCHORS)
    )
    assert held[0].batch == held[0].one_pass == ANCHORS["ada"]
    assert all(after - before > 1 for before, after in zip(mus(free), mus(held), strict=True))
