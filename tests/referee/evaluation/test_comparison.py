"""Two bots compared: the numbers, the verdict, and that the order in which matches finish does not matter."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from bourre_referee.evaluation.compare.comparison import Comparison, RunningComparison, StoppingRule, compare_results
from bourre_referee.model.results import DealResult, MatchResult, SeatResult, ranks_of
from bourre_referee.statistics.stopping_boundary import Verdict

UNIT = 840


def match(number: int, lead: float, noise: float = 3.0, deals: int = 30) -> MatchResult:
    """A duplicate match at a table of three, in which ada has this many more chips than bob in each deal."""
    random = Random(number)
    blocks = []
    for _ in range(deals):
        ada = round(UNIT * random.gauss(lead / 2, noise))
        bob = round(UNIT * random.gauss(-lead / 2, noise))
        luck = 32 * round(UNIT * random.gauss(0, 1))
        blocks.append(DealResult((ada, bob, -ada - bob), (luck, -luck, 0)))
    chips = [sum(block.chips[seat] for block in blocks) for seat in range(3)]
    seats = tuple(
        SeatResult(bot, won, rank, 0, 0, 0, 0, 0)
        for bot, won, rank in zip(("ada", "bob", "cy"), chips, ranks_of(chips), strict=True)
    )
    return MatchResult(f"m{number:04d}", deals, seats, UNIT, tuple(blocks))


def judged(matches: list[MatchResult], schedule: list[str]) -> Comparison:
    judging = RunningComparison("ada", "bob", schedule)
    for result in matches:
        judging.hear(result)
    return judging.comparison


def test_chips_are_the_difference_for_100_deals_of_each() -> None:
    result = match(1, lead=6.0)
    found = compare_results([result], "ada", "bob")
    chips = (result.seats[0].chips - result.seats[1].chips) / UNIT
    luck = sum(block.luck[0] - block.luck[1] for block in result.blocks) / (32 * UNIT)
    assert (found.deals, found.playings, found.raw.deals) == (30, 90, 90)
    assert found.raw.chips_per_100 == pytest.approx(100 * chips / 90)
    assert found.adjusted.chips_per_100 == pytest.approx(100 * (chips - 0.7 * luck) / 90)


def test_the_interval_for_all_times_is_about_the_same_mean_and_wider() -> None:
    found = compare_results([match(number, lead=1.0) for number in range(1, 9)], "ada", "bob")
    assert found.always95
    assert found.adjusted.ci95
    (low, high), (always_low, always_high) = found.adjusted.ci95, found.always95
    assert always_low < low < found.adjusted.chips_per_100 < high < always_high
    assert (always_low + always_high) / 2 == pytest.approx(found.adjusted.chips_per_100, abs=3)


def test_the_better_one_is_named_whoever_comes_first() -> None:
    results = [match(number, lead=3.0, deals=70) for number in range(1, 4)]
    one, other = compare_results(results, "ada", "bob"), compare_results(results, "bob", "ada")
    assert (one.verdict, one.better) == (Verdict.FIRST, "ada")
    assert (other.verdict, other.better) == (Verdict.SECOND, "ada")
    assert other.raw.chips_per_100 == -one.raw.chips_per_100


def test_while_it_is_undecided_it_says_how_many_more_deals_it_takes() -> None:
    found = compare_results([match(number, lead=0.7) for number in range(1, 3)], "ada", "bob")
    assert (found.verdict, found.better) == (Verdict.UNDECIDED, None)
    assert found.more_deals
    assert compare_results([match(1, lead=9.0, deals=200)], "ada", "bob").more_deals == 0


def test_the_margin_is_in_chips_for_100_deals_as_the_interval_is() -> None:
    results = [match(number, lead=0.0, noise=1.0) for number in range(1, 9)]
    found = compare_results(results, "ada", "bob")
    assert found.always95
    assert (found.verdict, found.rule.margin) == (Verdict.UNDECIDED, None)
    end = max(abs(chips) for chips in found.always95)
    wide, narrow = (
        compare_results(results, "ada", "bob", StoppingRule(margin=end * times)) for times in (1.001, 0.999)
    )
    assert (wide.verdict, wide.better, wide.more_deals) == (Verdict.EQUAL, None, 0)
    assert narrow.verdict is Verdict.UNDECIDED
    assert narrow.more_deals
    assert narrow.rule.margin == 0.999 * end


def test_it_ends_with_the_first_match_after_which_the_two_are_close_enough() -> None:
    matches = [match(number, lead=0.0, noise=1.0) for number in range(1, 9)]
    judging = RunningComparison("ada", "bob", [result.match for result in matches], StoppingRule(margin=25.0))
    for result in matches:
        judging.hear(result)
    assert judging.comparison.verdict is Verdict.EQUAL
    assert 30 < judging.comparison.deals < 240
    before = matches[: judging.comparison.deals // 30 - 1]
    assert compare_results(before, "ada", "bob", StoppingRule(margin=25.0)).verdict is Verdict.UNDECIDED


def test_a_scale_for_few_deals_decides_sooner() -> None:
    matches = [match(number, lead=2.0) for number in range(1, 9)]
    sizes = []
    for budget in (60, 1000):
        judging = RunningComparison("ada", "bob", [result.match for result in matches], StoppingRule(budget))
        for result in matches:
            judging.hear(result)
        assert judging.comparison.better == "ada"
        sizes.append(judging.comparison.deals)
    assert sizes[0] < sizes[1]


def test_nothing_is_known_before_the_first_match() -> None:
    found = compare_results((), "ada", "bob", StoppingRule(margin=5.0))
    assert (found.verdict, found.deals, found.raw.ci95, found.always95, found.more_deals) == (
        *(Verdict.UNDECIDED, 0),
        *(None, None, None),
    )


def test_neither_the_order_of_finishing_nor_what_comes_after_the_verdict_changes_it() -> None:
    matches = [match(number, lead=2.0, deals=90) for number in range(1, 6)]
    schedule = [result.match for result in matches]
    counts = [compare_results(matches[:number], "ada", "bob") for number in range(1, 6)]
    first = next(found for found in counts if found.better)
    assert 90 < first.deals < 450
    assert {judged(list(order), schedule) for order in permutations(matches)} == {first}


def test_what_comes_after_a_gap_waits() -> None:
    matches = [match(number, lead=9.0) for number in range(1, 4)]
    schedule = ["m0001", "m0002", "m0003"]
    assert judged(matches[1:], schedule).deals == 0
    assert judged([matches[2], matches[0]], schedule).deals == 30
