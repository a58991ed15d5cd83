"""R7: who takes the pot, who pays, and what is left."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.events import AntePaid, DealEnded, Event, MatchEnded, MatchPaid, PotCarried, PotShared, PotTaken
from bourre.rules.house import HouseRules
from bourre.rules.pot import Settlement, settle, settle_in_units, share_pot
from tests.sdk.rules.table import Table, of, stacked

SWEEP = stacked("2H 3H 8D TC 2S", "AS KS QS JS TS", "KH 2C 3C 4D 6D")


def settled(
    pot: int, tricks: str, uncorrected: str = "", corrected: str = "", preset: str = "pagat", **keys: Any
) -> Settlement[str]:
    """Settles a deal written as in `B1 C0 E3`."""
    won = {word[0]: int(word[1:]) for word in tricks.split()}
    return settle(pot, won, uncorrected.split(), corrected.split(), HouseRules.preset(preset, **keys))


def test_r7_1_most_tricks_take_the_pot() -> None:
    result = settled(7, "B1 C1 E3")
    assert (result.winner, result.taken, result.carry, result.payments) == ("E", {"E": 7}, 0, {})


def test_r7_3_a_match_may_be_a_single_chip() -> None:
    assert settled(1, "A5 B0").payments == {"B": 1}


@pytest.mark.parametrize(
    ("balances", "pot", "parts"), [((-1, -1, 2), 0, (-840, -840, 1680)), ((-3, -2, 0), 5, (-1120, -280, 1400))]
)
def test_r7_6_a_deal_by_itself_is_settled_in_parts_of_a_chip(
    balances: tuple[int, ...], pot: int, parts: tuple[int, ...]
) -> None:
    assert settle_in_units(balances, pot) == parts
    assert all(isinstance(part, int) for part in settle_in_units(balances, pot))


def test_r7_2_a_split_pot_stays_and_all_the_tied_are_exempt() -> None:
    result = settled(13, "A2 B1 E0 F2")
    assert (result.winner, result.taken, result.carry, result.tied) == (None, {}, 13, ("A", "F"))
    assert result.payments == {"E": 13}
    assert result.exempt == ("A", "E", "F")
    assert result.next_pot == 26


def test_r7_2_divide_gives_whole_shares_and_odd_chips_stay() -> None:
    result = settled(13, "A2 B1 F2", tie="divide")
    assert (result.winner, result.taken, result.carry) == (None, {"A": 6, "F": 6}, 1)
    assert settled(30, "A2 B1 F2", tie="divide", pot_limit=21).taken == {"A": 10, "F": 10}
    assert settled(30, "A2 B1 F2", tie="divide", pot_limit=21).carry == 10
    assert settled(1, "A2 B1 F2", tie="divide").taken == {}


def test_r7_2_divide_leaves_out_the_barred_though_they_are_tied() -> None:
    result = settled(13, "A2 B1 F2", corrected="A", tie="divide")
    assert (result.taken, result.tied, result.exempt) == ({"F": 13}, ("A", "F"), ("A", "F"))
    assert result.winner is None
    assert settled(13, "A2 B1 F2", corrected="A F", tie="divide").carry == 13


def test_r7_3_bourre_pays_the_whole_pot_each_in_full_into_the_next() -> None:
    result = settled(30, "C0 D5 E0")
    assert (result.taken, result.payments, result.next_pot) == ({"D": 30}, {"C": 30, "E": 30}, 60)
    assert result.exempt == ("C", "E")


def test_r7_3_a_seat_that_passed_is_never_bourre() -> None:
    table = Table(SWEEP, seats=3)
    table.say("1 in", "2 pass", "0 in")
    assert of(MatchPaid, table.finish()) == [MatchPaid(0, 3, bourred=True, reneged=False)]


def test_r7_4_the_pot_limit_holds_for_winner_and_match() -> None:
    result = settled(30, "C0 D5 E0", pot_limit=20)
    assert (result.taken, result.carry, result.payments) == ({"D": 20}, 10, {"C": 20, "E": 20})
    assert result.next_pot == 50


@pytest.mark.parametrize(("pot", "match"), [(19, 19), (20, 20), (21, 20)])
def test_r7_4_preset_limit_is_twenty(pot: int, match: int) -> None:
    result = settled(pot, "A5 B0", preset="limit")
    assert (result.taken, result.payments) == ({"A": match}, {"B": match})


def test_r7_4_a_renege_multiple_is_limited_too() -> None:
    assert settled(7, "A4 B1", uncorrected="B", renege_multiple=3).payments == {"B": 21}
    assert settled(7, "A4 B1", uncorrected="B", renege_multiple=3, pot_limit=20).payments == {"B": 20}


def test_r7_4_bourre_and_renege_in_one_deal_pay_the_larger_once() -> None:
    assert settled(7, "A5 B0", uncorrected="B").payments == {"B": 7}
    assert settled(7, "A5 B0", uncorrected="B", renege_multiple=2).payments == {"B": 14}
    assert settled(7, "A5 B0", corrected="B", renege_multiple=2).payments == {"B": 7}


@pytest.mark.parametrize("keys", [{}, {"pot_limit": 2}, {"tie": "divide"}, {"ante": 3}])
def test_r7_5_balances_and_pot_are_zero_at_every_moment(keys: dict[str, Any]) -> None:
    table = Table(SWEEP, seats=3, deals=6, **keys)
    assert sum(table.balances) + table.pot == 0
    while not table.match.over:
        table.finish()
        assert sum(table.balances) + table.pot == 0
        assert all(type(chips) is int for chips in [*table.balances, table.pot])
    assert table.pot == 0


def test_r7_5_credit_is_unlimited() -> None:
    table = Table(SWEEP, seats=3, deals=12)
    while not table.match.over:
        table.finish()
    assert min(table.balances) < -1000


def test_r7_6_the_last_pot_is_shared_out_and_no_antes_follow() -> None:
    table = Table(SWEEP, seats=3, pot_limit=2)
    events = table.finish()
    # Seat 1 takes 2 of 3, the others pay 2 each: 5 are left, the odd ones go to seats 1 and 2.
    assert of(PotShared, events) == [PotShared(0, 1), PotShared(1, 2), PotShared(2, 2)]
    assert table.balances == [-1 - 2 + 1, -1 + 2 + 2, -1 - 2 + 2]
    assert events[-1] == MatchEnded(tuple(table.balances))
    assert table.match.over
    assert of(AntePaid, events) == []


@pytest.mark.parametrize(
    ("pot", "seats", "dealer", "shares"),
    [
        (0, 3, 0, [0, 0, 0]),
        (9, 3, 0, [3, 3, 3]),
        (10, 3, 0, [3, 4, 3]),
        (11, 3, 0, [3, 4, 4]),
        (11, 3, 1, [4, 3, 4]),
        (2, 5, 3, [1, 0, 0, 0, 1]),
    ],
)
def test_r7_6_odd_chips_go_clockwise_from_the_last_dealers_left(
    pot: int, seats: int, dealer: int, shares: list[int]
) -> None:
    assert share_pot(pot, seats, dealer) == shares


# Pagat's three deals: seats A to G are 0 to 6, A deals first.
PAGAT_FIRST = stacked(
    "4D 5D 9D QS KH",
    "2C 4H TC JS QC",
    "2S 3H 5S 8C JC",
    "5C 7C TD KD AS",
    "2D 6D 6S 9H AH",
    "3C 3D 7D TH AC",
    "2H 6H 7S 8S JD",
    dealer=0,
)
PAGAT_SECOND = stacked(
    "2S 7C TH QD KD",
    "2H 3S 4S 5S 2C",
    "3C 4H 6C QS AC",
    "6S 9C JC KH AH",
    "5D 5H 7H 7S JH",
    "3H 6H TD JS AD",
    "4C 8C 8H 9D QC",
    dealer=1,
)
PAGAT_THIRD = stacked(
    "2C 3C 4C 5C 6C",
    "7C 8C 9C TC JC",
    "2D 3D 4D 5D 2S",
    "AS KS QS JS TS",
    "2H 3H 4H 5H 6H",
    "6D 7D 8D 9D TD",
    "7H 8H 9H TH JH",
    dealer=2,
)
PAGAT_BALANCES = [-3, -4, -39, 26, -38, -3, -4]


def pagat(**keys: Any) -> tuple[Table, list[Event]]:
    """The worked example played out, up to the antes of a fourth deal; and its events."""
    table = Table(PAGAT_FIRST, PAGAT_SECOND, PAGAT_THIRD, seats=7, deals=4, **keys)
    table.say("1 in", "2 in", "3 pass", "4 in", "5 pass", "6 in", "0 pass")
    table.play("2C 8C 9H 2H  2D JD 4H 3H  TC JC AH 6H  6D 7S JS 2S  6S 8S QC 5S")
    assert table.pot == 13
    table.say("2 pass", "3 pass", "4 in", "5 in", "6 pass", "0 in", "1 in")
    table.play("5D TD QD 2C  2H 5H 6H TH  2S 3S 7S JS  3H 7C 4S 7H  KD 5S JH AD")
    assert table.pot == 30
    table.say("3 in", "4 in", "5 pass", "6 pass", "0 pass", "1 pass", "2 in")
    return table, table.finish()


def test_r7_worked_example_pagats_three_deals() -> None:
    table, _ = pagat()
    assert table.pot == 65
    assert table.balances == PAGAT_BALANCES
    assert [event.pot for event in of(DealEnded, table.events)] == [7, 26, 60]
    assert of(PotTaken, table.events) == [PotTaken(4, 7), PotTaken(3, 30)]
    assert of(PotCarried, table.events) == [PotCarried(13, (5, 0))]
    paid = [(event.seat, event.chips) for event in of(MatchPaid, table.events)]
    assert paid == [(2, 7), (4, 13), (4, 30), (2, 30)]


def test_r7_worked_example_with_a_limit_of_twenty() -> None:
    table, events = pagat(preset="limit")
    assert of(PotTaken, events) == [PotTaken(3, 20)]
    assert [(event.seat, event.chips) for event in of(MatchPaid, events)] == [(4, 20), (2, 20)]
    assert table.pot == 55
