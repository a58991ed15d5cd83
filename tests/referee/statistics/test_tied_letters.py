"""The letters beside tied bots: which bots the results tell apart, and that the letters say exactly that."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bourre_referee.model.results import DealResult, MatchResult
from bourre_referee.ratings import rate
from bourre_referee.statistics.estimates import Block, estimate_per_100, t_p_value, t_quantile
from bourre_referee.statistics.match_sums import tally_of
from bourre_referee.statistics.pair_findings import p_value, significant_pairs
from bourre_referee.statistics.ranking import rank_bots
from bourre_referee.statistics.tied_letters import assign_letters, letter, parse_groups, share_letter, tied_groups
from tests.referee.matches import match, standings

Pairs = set[frozenset[str]]


def normal(random: Random) -> float:
    return random.gauss(0, 60)


def heavy(random: Random) -> float:
    """Sometimes very large, like chips when pots are carried over."""
    return random.gauss(0, 30) * random.paretovariate(2)


def small(random: Random) -> float:
    """A chip or two, as after a single deal: differences are often equal."""
    return random.choice((-1, -1, -1, 0, 1, 4))


def equal_bots(random: Random, bots: int, matches: int, chips: Callable[[Random], float]) -> list[MatchResult]:
    """Matches at tables of five between equal bots."""
    names = [f"bot{number}" for number in range(bots)]
    results = []
    for number in range(matches):
        line_up = random.sample(names, 5)
        won = [round(chips(random)) for _ in range(4)]
        won.insert(random.randrange(5), -sum(won))
        results.append(match(dict(zip(line_up, won, strict=True)), name=f"m{number}"))
    return results


@pytest.mark.parametrize(("bots", "matches", "chips"), [(5, 10, normal), (8, 16, heavy), (12, 12, small)])
def test_few_contests_of_equal_bots_tell_any_two_apart(
    bots: int, matches: int, chips: Callable[[Random], float]
) -> None:
    """One in twenty; the letters of the whole table are one claim, not one for each pair."""
    random = Random(bots)
    names = [f"bot{number}" for number in range(bots)]
    wrong = sum(bool(significant_pairs(tally_of(equal_bots(random, bots, matches, chips)), names)) for _ in range(150))
    assert wrong <= 0.08 * 150  # 5 %, and what chance adds to it in 150 contests


def test_equal_bots_share_one_letter_though_some_interval_of_the_cross_table_leaves_out_0() -> None:
    """One contest in which testing each pair by itself would have told some apart."""
    random = Random(4)
    names = [f"bot{number}" for number in range(8)]
    results = equal_bots(random, 8, 40, normal)
    table = standings("demo", "session", "", results, names)
    intervals = [cell.ci95 for line in table.cross for cell in line if cell and cell.ci95]
    assert any(not low <= 0 <= high for low, high in intervals)
    assert {row.tied for row in table.rows} == {"a"}


def test_a_clear_difference_is_seen_among_many_bots() -> None:
    random = Random(3)
    names = ["ada", "bob", "cy", "dee", "eve"]
    leads = dict(zip(names, (60, 58, 0, 0, -118), strict=True))
    results = []
    for _ in range(30):
        chips = {bot: lead + round(random.gauss(0, 15)) for bot, lead in leads.items()}
        chips["eve"] -= sum(chips.values())
        results.append(match(chips))
    told = significant_pairs(tally_of(results), names)
    same = {frozenset(["ada", "bob"]), frozenset(["cy", "dee"])}
    assert told == {frozenset(pair) for pair in combinations(names, 2)} - same


def test_two_meetings_that_end_alike_tell_nobody_apart() -> None:
    """The same lead twice happens by chance, above all with few chips; many times it does not."""
    lead = {"ada": 3, "bob": -1, "cy": -2}
    assert not significant_pairs(tally_of([match(lead)] * 2), list(lead))
    assert len(significant_pairs(tally_of([match(lead)] * 30), list(lead))) == 3


def test_who_met_once_or_never_is_not_told_apart() -> None:
    results = [match({"ada": 900, "bob": -900})]
    assert not significant_pairs(tally_of(results), ["ada", "bob", "cy"])
    bots = ["ada", "bob", "cy"]
    table = rank_bots("demo", "session", "", tally_of(results), rate(results, bots, version=3), level=None)
    assert [row.tied for row in table.rows] == ["a", "", "a"]


def test_in_duplicate_the_luck_of_the_draw_is_taken_off() -> None:
    """All of the noise is luck: without it, ada wins 20 units more in each deal."""
    random = Random(1)
    deals = []
    for _ in range(20):
        luck = 10 * round(random.gauss(0, 100))
        deals.append(DealResult((10 + 7 * luck // 10, -10 - 7 * luck // 10), (32 * luck, -32 * luck)))
    won = sum(deal.chips[0] for deal in deals)
    plain = match({"ada": won, "bob": -won}, 20)
    lucky = MatchResult("m1", 20, plain.seats, 840, tuple(deals))
    blocks = tally_of([lucky]).difference("ada", "bob")
    assert p_value(blocks) > 0.05
    assert significant_pairs(tally_of([lucky]), ["ada", "bob"]) == {frozenset(("ada", "bob"))}


@given(st.lists(st.integers(-60, 60), min_size=2, max_size=12))
def test_the_chance_is_that_of_the_interval_but_for_the_step(chips: list[int]) -> None:
    """If the interval contains 0 the p-value is over 5 %; the step only adds to it."""
    blocks = [Block(won, 50) for won in chips]
    ends = estimate_per_100(blocks).ci95
    assert ends is not None
    assert p_value(blocks) == p_value([Block(-won, 50) for won in chips])
    assert p_value(blocks) == pytest.approx(p_value([Block(7 * won, 50) for won in chips]))
    if ends[0] <= 0 <= ends[1]:
        assert p_value(blocks) > 0.05 - 1e-6


def test_chips_without_a_limit_have_a_chance_too() -> None:
    assert p_value([Block(10**400, 10), Block(10**400 + 1, 10)]) == pytest.approx(0, abs=1e-9)
    assert p_value([Block(0, 10)] * 5) == 1
    assert p_value([Block(5, 10)]) == 1


@pytest.mark.parametrize("freedom", [1, 2, 3, 10, 99, 100, 101, 1000, 10**6])
def test_the_chance_undoes_the_quantile(freedom: int) -> None:
    for chance in (0.9, 0.5, 0.05, 0.001, 1e-6):
        assert t_p_value(t_quantile(1 - chance / 2, freedom), freedom) == pytest.approx(chance, rel=1e-4)
    assert t_p_value(0, freedom) == 1
    assert t_p_value(1e150, freedom) == pytest.approx(0, abs=1e-14)


def told(pairs: Pairs) -> Callable[[str, str], bool]:
    return lambda one, other: frozenset((one, other)) in pairs


def test_who_is_told_apart_shares_no_letter_though_a_bot_between_is_tied_with_both() -> None:
    """c cannot be told from any other; a and b differ from d, but b, which is further down, not from e."""
    apart = {frozenset(pair) for pair in ("ad", "bd", "ae")}
    groups = tied_groups("abcde", told(apart))
    assert groups == [("a", "b", "c"), ("b", "c", "e"), ("c", "d", "e")]
    assert assign_letters("abcde", groups) == ["a", "ab", "abc", "c", "bc"]
    assert parse_groups("abcde", assign_letters("abcde", groups)) == groups


@given(st.sets(st.sampled_from([frozenset(pair) for pair in combinations("abcdefgh", 2)])))
def test_two_bots_share_a_letter_exactly_where_they_are_not_told_apart(apart: Pairs) -> None:
    bots = "abcdefgh"
    groups = tied_groups(bots, told(apart))
    shown = dict(zip(bots, assign_letters(bots, groups), strict=True))
    for one, other in combinations(bots, 2):
        assert share_letter(shown[one], shown[other]) == (frozenset((one, other)) not in apart)
    assert parse_groups(bots, list(shown.values())) == groups
    assert set(map(frozenset, groups)) <= insert_and_absorb(bots, apart)


def insert_and_absorb(bots: Sequence[str], apart: Pairs) -> set[frozenset[str]]:
    """All groups, as Piepho finds them: split every column that holds a pair, and absorb what is in another."""
    columns = {frozenset(bots)}
    for pair in apart:
        split = {column - {bot} for column in columns if pair <= column for bot in pair}
        columns = {column for column in columns if not pair <= column} | split
        columns = {column for column in columns if not any(column < other for other in columns)}
    return columns


@given(st.lists(st.integers(0, 9), min_size=2, max_size=9))
def test_where_differences_are_in_order_groups_are_the_longest_runs(reaches: list[int]) -> None:
    """Each bot is tied with the next few: then letters suffice."""
    bots = [str(place) for place in range(len(reaches))]
    ends = [
        max(min(place + 1 + reach, len(bots)) for place, reach in enumerate(reaches[: n + 1])) for n in range(len(bots))
    ]
    runs = [tuple(bots[first:end]) for first, end in enumerate(ends)]
    longest = [run for run in runs if len(run) > 1 and not any(set(run) < set(other) for other in runs)]
    apart = {frozenset((bots[one], bots[two])) for one, two in combinations(range(len(bots)), 2) if two >= ends[one]}
    assert tied_groups(bots, told(apart)) == longest


def test_many_pairs_that_differ_need_few_letters() -> None:
    """Thirty pairs, each told apart from its partner alone, make 2**30 groups: a few of them show every other pair."""
    bots = [f"bot{number}" for number in range(60)]
    apart = {frozenset(bots[place : place + 2]) for place in range(0, 60, 2)}
    groups = tied_groups(bots, told(apart))
    assert len(groups) < 20
    assert not any(pair <= set(group) for pair in apart for group in groups)
    assert {frozenset(pair) for group in groups for pair in combinations(group, 2)} | apart == {
        frozenset(pair) for pair in combinations(bots, 2)
    }


def test_letters_do_not_run_out() -> None:
    assert [letter(number) for number in (0, 25, 26, 52)] == ["a", "z", "a1", "a2"]
    many = [(str(first), str(first + 1)) for first in range(30)]
    bots = [str(bot) for bot in range(31)]
    assert parse_groups(bots, assign_letters(bots, many)) == many
    assert not share_letter("a", "a1")


def test_names_change_no_letter() -> None:
    random = Random(5)
    results = equal_bots(random, 6, 12, normal)
    names = [f"bot{number}" for number in range(6)]
    told_apart = significant_pairs(tally_of(results), names)
    assert all(significant_pairs(tally_of(results), list(order)) == told_apart for order in [*permutations(names)][:50])
