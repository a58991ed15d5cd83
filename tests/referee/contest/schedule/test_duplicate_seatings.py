"""The seatings of duplicate deals: Latin squares, and neighbours in turn."""

from collections import Counter
from hashlib import sha256

import pytest

from bourre_referee.contest.schedule.duplicate_seatings import SIX_SEATS, seatings

SQUARES = {2: 1, 3: 2, 4: 3, 5: 4, 6: len(SIX_SEATS), 7: 6, 8: 7}
"""How many deals make a full cycle, by the number of seats."""


@pytest.mark.parametrize("seats", SQUARES)
def test_in_every_deal_every_bot_sits_once_in_every_seat(seats: int) -> None:
    for deal in range(1, 2 * SQUARES[seats] + 1):
        square = seatings(seats, deal)
        assert len(square) == seats
        assert all(sorted(line_up) == list(range(seats)) for line_up in square)
        assert all(sorted(column) == list(range(seats)) for column in zip(*square, strict=True))


@pytest.mark.parametrize("seats", SQUARES)
def test_over_a_cycle_every_two_bots_sit_equally_often_at_every_distance(seats: int) -> None:
    for distance in range(1, seats):
        met = Counter(
            (line_up[seat], line_up[(seat + distance) % seats])
            for deal in range(1, SQUARES[seats] + 1)
            for line_up in seatings(seats, deal)
            for seat in range(seats)
        )
        assert len(met) == seats * (seats - 1)
        assert len(set(met.values())) == 1


@pytest.mark.parametrize("seats", SQUARES)
def test_after_a_cycle_the_seatings_come_again(seats: int) -> None:
    squares = [seatings(seats, deal) for deal in range(1, SQUARES[seats] + 1)]
    assert len(set(squares)) == len(squares)
    assert seatings(seats, SQUARES[seats] + 1) == squares[0]


def test_the_same_on_every_machine() -> None:
    """If this changes, duplicate matches that were recorded are no longer those that would be played."""
    text = repr([seatings(seats, deal) for seats in range(2, 9) for deal in range(1, 13)])
    assert sha256(text.encode()).hexdigest()[:16] == "8575d50b085a4212"
