"""The balance of line-ups, compared with plain counting."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.contest.schedule import Balance, LineUp, measure_balance

BOTS, SEATS = 5, 3
LINE_UPS = st.lists(st.sampled_from(list(permutations(range(BOTS), SEATS))), max_size=12)


def spread_of(counts: list[int]) -> int:
    return max(counts) - min(counts)


@given(LINE_UPS)
def test_balance_is_largest_count_minus_smallest(line_ups: list[LineUp]) -> None:
    seat = [sum(line_up[place] == bot for line_up in line_ups) for bot in range(BOTS) for place in range(SEATS)]
    ordered = list(permutations(range(BOTS), 2))
    pair = [sum({a, b} <= set(line_up) for line_up in line_ups) for a, b in ordered]
    left = [
        sum((a, b) in zip(line_up, line_up[1:] + line_up[:1], strict=True) for line_up in line_ups) for a, b in ordered
    ]
    assert measure_balance(line_ups, BOTS, SEATS) == Balance(spread_of(seat), spread_of(pair), spread_of(left))
