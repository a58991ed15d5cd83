"""Standings: the documented shape, the same bytes for the same results, safe in a spreadsheet."""

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bourre.rules.sentences import RENEGE_RULES
from bourre_referee.model.results import MatchResult
from bourre_referee.ratings import rate
from bourre_referee.statistics.estimates import Block, estimate_per_100
from bourre_referee.statistics.ranking import standings
from bourre_referee.statistics.standing import Standings, standings_csv
from tests.referee.matches import BOTS, match, matches

RESULTS = [
    match({"ada": 9, "bob": -4, "cy": -5}, 40),
    match({"bob": 2, "ada": 5, "cy": -7}, 40),
    match({"cy": 1, "dee": -1}),
]


def after(results: Sequence[MatchResult], bots: Sequence[str] = BOTS) -> Standings:
    return standings("demo", "session", "ab12", results, bots)


def document(table: Standings) -> Any:
    return json.loads(table.to_json())


def lines(table: Standings) -> list[dict[str, str]]:
    """The CSV as a spreadsheet reads it."""
    return list(csv.DictReader(standings_csv(table, {}).splitlines()))


def test_the_document_has_the_documented_shape() -> None:
    found = document(after(RESULTS))
    assert list(found) == ["contest", "format", "matches", "digest", "standings", "cross"]
    assert (found["contest"], found["format"], found["matches"], found["digest"]) == ("demo", "session", 3, "ab12")
    keys = "rank bot mu sigma score deals chips chips_per_100 ci95"
    keys += " wins bourres reneges faults house_deals"
    keys += " tied adjusted_per_100 adjusted_ci95 reneges_by_rule"
    assert [list(row) for row in found["standings"]] == [keys.split()] * 5
    assert {bot: sorted(row) for bot, row in found["cross"].items()} == {bot: sorted(set(BOTS) - {bot}) for bot in BOTS}
    assert list(found["cross"]["ada"]["bob"]) == ["chips_per_100", "ci95", "deals"]


def test_a_line_counts_the_bots_seats() -> None:
    ada, *_ = after(RESULTS).rows
    assert (ada.rank, ada.bot, ada.deals, ada.chips, ada.chips_per_100) == (1, "ada", 80, 14, 17.5)
    assert (ada.wins, ada.bourres, ada.reneges, ada.faults, ada.house_deals) == (2 + 3, 0 + 1, 0 + 1, 0 + 3, 0)
    rating = rate(RESULTS, BOTS)["ada"]
    assert (ada.mu, ada.sigma, ada.score) == pytest.approx((rating.mu, rating.sigma, rating.score), abs=5e-5)
    assert ada.ci95 == pytest.approx(estimate_per_100([Block(9, 40), Block(5, 40)]).ci95, abs=5e-5)


def test_a_bot_that_has_not_played_has_zeros_and_no_interval() -> None:
    eve = next(row for row in document(after(RESULTS))["standings"] if row["bot"] == "eve")
    assert (eve.pop("mu"), eve.pop("sigma"), eve.pop("ci95"), eve.pop("bot")) == (25.0, 8.3333, None, "eve")
    assert (eve.pop("adjusted_per_100"), eve.pop("adjusted_ci95")) == (None, None)
    del eve["rank"]
    assert (eve.pop("tied"), eve.pop("reneges_by_rule")) == ("", {})
    assert set(eve.values()) == {0}


def test_neighbours_are_tied_until_the_results_tell_them_apart() -> None:
    won = [match({"ada": 20, "bob": bob, "cy": -20 - bob}) for bob in (-9, -11, -8)]
    assert [(row.bot, row.tied) for row in after(won[:1], BOTS[:3]).rows] == [("ada", "a"), ("bob", "a"), ("cy", "a")]
    assert [(row.bot, row.tied) for row in after(won, BOTS[:3]).rows] == [("ada", ""), ("bob", "a"), ("cy", "a")]


def test_before_the_first_match_names_decide() -> None:
    table = after([], ["cy", "ada", "bob"])
    assert [(row.rank, row.bot, row.score) for row in table.rows] == [(1, "ada", 0.0), (2, "bob", 0.0), (3, "cy", 0.0)]
    assert document(table)["cross"]["ada"]["bob"] == {"chips_per_100": 0.0, "ci95": None, "deals": 0}


def test_equal_scores_are_sorted_by_chips_per_100_deals() -> None:
    """Two pairs that each met once: the same ratings, won by more or fewer chips."""
    table = after([match({"ada": 1, "bob": -1}), match({"cy": 5, "dee": -5})])
    assert [row.bot for row in table.rows] == ["cy", "ada", "eve", "bob", "dee"]


@given(st.lists(matches(), max_size=6))
def test_the_table_adds_up(results: list[MatchResult]) -> None:
    table = after(results)
    everyone = standings("demo", "session", "ab12", results, BOTS, rank_all=True)
    assert sum(row.chips or 0 for row in everyone.rows) == 0
    assert sum(row.deals for row in table.rows) == sum(result.deals * len(result.seats) for result in results)
    assert sum(row.wins or 0 for row in everyone.rows) == sum(seat.wins for result in results for seat in result.seats)
    assert [row.rank for row in table.ranked] == [*range(1, len(table.ranked) + 1)]
    assert table.rows[: len(table.ranked)] == table.ranked
    keys = [(-(row.score or 0), -(row.chips_per_100 or 0), row.bot) for row in table.ranked]
    assert keys == sorted(keys)


def absent(bot: str, result: MatchResult, house_deals: int | None = None) -> MatchResult:
    """The match with this bot's seat played by the house, by default in every deal."""
    house = result.deals if house_deals is None else house_deals
    seats = (replace(seat, house_deals=house) if seat.bot == bot else seat for seat in result.seats)
    return replace(result, seats=tuple(seats))


def test_a_no_show_has_no_rank_and_nothing_that_the_house_won() -> None:
    table = after([absent("ada", result) for result in RESULTS])
    last = document(table)["standings"][-1]
    none = ["rank", "mu", "sigma", "score", "chips", "chips_per_100", "ci95", "wins", "bourres"]
    none += ["adjusted_per_100", "adjusted_ci95"]
    assert [last.pop(key) for key in none] == [None] * len(none)
    counts = {"deals": 80, "reneges": 1, "faults": 3, "house_deals": 80, "reneges_by_rule": {}}
    assert last == {"bot": "ada", "tied": "", **counts}
    assert [row.rank for row in table.rows] == [1, 2, 3, 4, None]
    (line,) = (line for line in csv.DictReader(standings_csv(table, {"ada": "=why"}).splitlines()) if not line["rank"])
    assert (line["bot"], line["score"], line["no_show"]) == ("ada", "", "'=why")


def test_a_no_show_met_nobody_and_moves_no_other_bot() -> None:
    before, table = after(RESULTS), after([absent("ada", result) for result in RESULTS])
    ada = len(table.rows) - 1
    assert {cell.deals for cell in table.cross[ada] if cell} == {0}
    others = [replace(row, rank=0, tied="") for row in before.rows if row.bot != "ada"]
    assert [replace(row, rank=0, tied="") for row in table.ranked] == others


@pytest.mark.parametrize(("house_deals", "rank"), [(25, 1), (26, None)])
def test_a_bot_keeps_its_rank_that_played_half_of_its_deals(house_deals: int, rank: int | None) -> None:
    table = after([absent("ada", match({"ada": 9, "bob": -9}, 50), house_deals)], BOTS[:2])
    assert next(row.rank for row in table.rows if row.bot == "ada") == rank


@settings(max_examples=50)
@given(st.lists(matches(), max_size=6), st.permutations(BOTS))
def test_the_order_in_which_bots_are_listed_does_not_matter(results: list[MatchResult], bots: list[str]) -> None:
    assert after(results, bots).to_json() == after(results).to_json()


@given(st.lists(matches(), max_size=6))
def test_both_forms_give_the_same_numbers(results: list[MatchResult]) -> None:
    table = after(results)
    for row, line in zip(document(table)["standings"], lines(table), strict=True):
        low, high = row.pop("ci95") or ("", "")
        assert row.pop("adjusted_ci95") is row.pop("adjusted_per_100") is None
        adjusted = dict.fromkeys(("adjusted_per_100", "adjusted_low", "adjusted_high"), "")
        broken = row.pop("reneges_by_rule")
        numbers = {"ci95_low": low, "ci95_high": high, **adjusted}
        by_rule = {f"reneges_{rule}": broken.get(rule, 0) for rule in RENEGE_RULES}
        cells = {**row, **numbers, **by_rule, "no_show": ""}
        assert line == {key: "" if cell is None else str(cell) for key, cell in cells.items()}


@given(st.lists(matches(), max_size=6))
def test_every_number_is_rounded(results: list[MatchResult]) -> None:
    decimals: list[int] = []
    json.loads(after(results).to_json(), parse_float=lambda text: decimals.append(len(text.partition(".")[2])))
    assert max(decimals) <= 4


def test_nothing_is_minus_zero() -> None:
    table = after([match({"ada": 1, "bob": -1}, deals=10_000_000)])
    assert "-0.0," not in table.to_json()
    assert [line["chips_per_100"] for line in lines(table)] == ["0.0"] * 5


def test_numbers_that_outgrow_floats_are_still_json() -> None:
    huge = 10**400
    table = after([match({"ada": huge, "bob": -huge}), match({"ada": -3, "bob": 3})])
    (row,) = (
        row for row in json.loads(table.to_json(), parse_constant=pytest.fail)["standings"] if row["bot"] == "ada"
    )
    assert row["chips"] == huge - 3


def test_the_cross_table_follows_the_order_of_the_rows() -> None:
    table = after(RESULTS)
    names = [row.bot for row in table.rows]
    ada, bob = names.index("ada"), names.index("bob")
    cell = table.cross[ada][bob]
    assert cell is not None
    assert (cell.chips_per_100, cell.deals) == (20.0, 80)
    assert document(table)["cross"]["ada"]["bob"] == {"chips_per_100": 20.0, "ci95": list(cell.ci95 or ()), "deals": 80}
    assert document(table)["cross"]["bob"]["ada"]["chips_per_100"] == -20.0


def test_the_same_bytes_on_every_machine() -> None:
    """The text as published; a change here changes every standings.json."""
    table = standings(
        "demo", "session", "ab12", [match({"ada": 9, "bob": -9}, 40), match({"ada": -1, "bob": 1}, 30)], ["ada", "bob"]
    )
    assert standings_csv(table, {}) == (
        "rank,bot,mu,sigma,score,deals,chips,chips_per_100,ci95_low,ci95_high,wins,bourres,reneges,faults,house_deals,tied,"
        "adjusted_per_100,adjusted_low,adjusted_high,"
        "reneges_R5.2,reneges_R5.3,reneges_R5.4,reneges_R5.6,reneges_R6.2,no_show\n"
        "1,ada,25.0,5.4187,8.744,70,8,11.4286,-149.3438,172.201,4,0,0,0,0,a,,,,0,0,0,0,0,\n"
        "2,bob,25.0,5.4187,8.744,70,-8,-11.4286,-172.201,149.3438,6,2,2,6,0,a,,,,0,0,0,0,0,\n"
    )


@pytest.mark.parametrize("sign", list("=+-@\t\r\uff1d\uff0b\uff0d\uff20"))
def test_a_name_is_never_a_formula(sign: str) -> None:
    name = f'{sign}HYPERLINK("http://x","y")'
    results = [match({name: 1, "bob": -1})]
    text = standings_csv(after(results, [name, "bob"]), {})
    (line, _) = csv.DictReader(text.splitlines(keepends=True))
    assert line["bot"] == f"'{name}"


@pytest.mark.parametrize("name", ["00", "1e5", "007", "1.0", ".5", "1-2", "12:30", "1" * 16])
def test_a_name_comes_out_of_a_spreadsheet_as_it_went_in(name: str) -> None:
    assert [line["bot"] for line in lines(after([match({name: 1, "7": -1})], [name, "7"]))] == [f"'{name}", "7"]


def test_negative_numbers_stay_numbers() -> None:
    last = lines(after(RESULTS))[-1]
    assert (last["chips"], last["chips_per_100"][:1]) == ("-12" if last["bot"] == "cy" else last["chips"], "-")


def test_names_that_would_end_a_cell_are_quoted() -> None:
    name = 'a,"b'
    assert [line["bot"] for line in lines(after([match({name: 1, "bob": -1})], [name, "bob"]))] == [name, "bob"]


def test_the_document_is_plain_ascii() -> None:
    table = replace(after([], ["zoë"]), contest="Bourré\x1b[2J")
    assert table.to_json().isascii()
    assert document(table)["contest"] == "Bourré\x1b[2J"


def test_a_stranger_is_named() -> None:
    with pytest.raises(ValueError, match="was played by dee, which is not among the bots"):
        after(RESULTS, ["ada", "bob", "cy"])


def test_reneges_are_summed_by_the_rule_that_they_broke() -> None:
    first, second = match({"ada": 1, "bob": -1}), match({"ada": 3, "bob": -3})
    ada = replace(first.seats[0], reneges=3, reneges_by_rule=(("R5.2", 1), ("R6.2", 2)))
    again = replace(second.seats[0], reneges=1, reneges_by_rule=(("R6.2", 1),))
    results = [
        replace(first, seats=(ada, first.seats[1])),
        replace(second, seats=(again, second.seats[1])),
    ]
    table = after(results, ["ada", "bob"])
    row = next(row for row in table.rows if row.bot == "ada")
    assert (row.reneges, row.reneges_by_rule) == (4, {"R5.2": 1, "R6.2": 3})
    line = next(line for line in lines(table) if line["bot"] == "ada")
    assert (line["reneges_R5.2"], line["reneges_R5.3"], line["reneges_R6.2"]) == ("1", "0", "3")


def test_a_seat_cannot_have_broken_other_rules_than_it_has_reneges() -> None:
    seat = match({"ada": 1, "bob": -1}).seats[0]
    with pytest.raises(ValueError, match="do not add up to 2 reneges"):
        replace(seat, reneges=2, reneges_by_rule=(("R5.2", 1),))
