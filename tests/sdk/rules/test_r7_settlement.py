"""R7: who takes the pot, who pays, and what is left."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.events import DealEnded, Event, MatchPaid, PotCarried, PotTaken
from bourre.rules.house import HouseRules
from bourre.rules.pot import Settlement, settle, settle_in_units, share_pot
from tests.sdk.rules.table import Table, of, stacked

SWEEP = stacked("2H 3H 8D TC 2S", "AS KS QS JS TS", "KH 2C 3C 4D 6D")


def settled(deal: str, preset: str = "pagat", **keys: Any) -> Settlement[str]:
    """Settles a deal written as in `7 B1 C0- E3+`."""
    pot, *seats = deal.split()
    won = {word[0]: int(word[1]) for word in seats}
    uncorrected, corrected = ([word[0] for word in seats if word.endswith(sign)] for sign in "-+")
    return settle(int(pot), won, uncorrected, corrected, HouseRules.preset(preset, **keys))


@pytest.mark.parametrize(
    ("rule", "keys", "deal", "taken", "carry", "paid", "tied", "exempt"),
    [
        # the pot and the tricks; `-` a renege that stands, `+` one that was corrected
        ("R7.1 most tricks", {}, "7 B1 C1 E3", {"E": 7}, 0, {}, "", ""),
        ("R7.2 a split pot stays", {}, "13 A2 B1 E0 F2", {}, 13, {"E": 13}, "AF", "AEF"),
        ("R7.2 odd chips stay", {"tie": "divide"}, "13 A2 B1 F2", {"A": 6, "F": 6}, 1, {}, "AF", "AF"),
        ("R7.2 limited", {"tie": "divide", "pot_limit": 21}, "30 A2 B1 F2", {"A": 10, "F": 10}, 10, {}, "AF", "AF"),
        ("R7.2 too little", {"tie": "divide"}, "1 A2 B1 F2", {}, 1, {}, "AF", "AF"),
        ("R7.2 not to the barred", {"tie": "divide"}, "13 A2+ B1 F2", {"F": 13}, 0, {}, "AF", "AF"),
        ("R7.2 all barred", {"tie": "divide"}, "13 A2+ B1 F2+", {}, 13, {}, "AF", "AF"),
        ("R7.3 each pays in full", {}, "30 C0 D5 E0", {"D": 30}, 0, {"C": 30, "E": 30}, "", "CE"),
        ("R7.3 a single chip", {}, "1 A5 B0", {"A": 1}, 0, {"B": 1}, "", "B"),
        ("R7.4 the limit", {"pot_limit": 20}, "30 C0 D5 E0", {"D": 20}, 10, {"C": 20, "E": 20}, "", "CE"),
        ("R7.4 below it", {"preset": "limit"}, "19 A5 B0", {"A": 19}, 0, {"B": 19}, "", "B"),
        ("R7.4 at it", {"preset": "limit"}, "20 A5 B0", {"A": 20}, 0, {"B": 20}, "", "B"),
        ("R7.4 above it", {"preset": "limit"}, "21 A5 B0", {"A": 20}, 1, {"B": 20}, "", "B"),
        ("R7.4 multiple", {"renege_multiple": 3}, "7 A4 B1-", {"A": 7}, 0, {"B": 21}, "", "B"),
        ("R7.4 limited", {"renege_multiple": 3, "pot_limit": 20}, "7 A4 B1-", {"A": 7}, 0, {"B": 20}, "", "B"),
        ("R7.4 both are paid once", {}, "7 A5 B0-", {"A": 7}, 0, {"B": 7}, "", "B"),
        ("R7.4 the larger", {"renege_multiple": 2}, "7 A5 B0-", {"A": 7}, 0, {"B": 14}, "", "B"),
        ("R7.4 bourré alone", {"renege_multiple": 2}, "7 A5 B0+", {"A": 7}, 0, {"B": 7}, "", "B"),
        ("R8.3 barred alone on top", {}, "7 A3+ B1 C1", {}, 7, {}, "", ""),
        ("R8.3 and paying", {}, "7 A3- B1 C1", {}, 7, {"A": 7}, "", "A"),
        ("R8.3 barred among the top", {}, "7 A2+ B2 C1", {}, 7, {}, "AB", "AB"),
        ("R8.3 barred below", {}, "7 A3 B1+ C1", {"A": 7}, 0, {}, "", ""),
        ("R8.3 next best tie", {"renege_pot": "next_best"}, "7 A3+ B1 C1", {}, 7, {}, "BC", "BC"),
        ("R8.3 next best", {"renege_pot": "next_best"}, "7 A2+ B2 C1", {"B": 7}, 0, {}, "", ""),
        ("R8.3 nobody is next", {"renege_pot": "next_best"}, "7 A5- B0", {}, 7, {"A": 7, "B": 7}, "", "AB"),
    ],
)
def test_r7_a_deal_is_settled(
    rule: str, keys: Any, deal: str, taken: Any, carry: int, paid: Any, tied: str, exempt: str
) -> None:
    result = settled(deal, **keys)
    assert (result.taken, result.carry, result.payments) == (taken, carry, paid), rule
    assert ("".join(result.tied), "".join(result.exempt)) == (tied, exempt), rule
    assert result.winner == (next(iter(taken)) if taken and not tied else None), rule
    assert result.next_pot == carry + sum(paid.values()), rule


def test_r8_2_one_turn_to_deal_is_owed_for_each_corrected_renege() -> None:
    assert settle(7, {"A": 3, "B": 2}, [], ["B", "B"], HouseRules()).forfeit_deal == ("B", "B")


@pytest.mark.parametrize(
    ("balances", "pot", "parts"), [((-1, -1, 2), 0, (-840, -840, 1680)), ((-3, -2, 0), 5, (-1120, -280, 1400))]
)
def test_r7_6_a_deal_by_itself_is_settled_in_parts_of_a_chip(
    balances: tuple[int, ...], pot: int, parts: tuple[int, ...]
) -> None:
    assert settle_in_units(balances, pot) == parts
    assert all(isinstance(part, int) for part in settle_in_units(balances, pot))


@pytest.mark.parametrize("keys", [{}, {"pot_limit": 2}, {"tie": "divide"}, {"ante": 3}])
def test_r7_5_balances_and_pot_are_zero_at_every_moment(keys: dict[str, Any]) -> None:
    table = Table(SWEEP, seats=3, deals=9, **keys)
    assert sum(table.balances) + table.pot == 0
    while not table.match.over:
        table.finish()
        assert sum(table.balances) + table.pot == 0
        assert all(type(chips) is int for chips in [*table.balances, table.pot])
    assert table.pot == 0
    assert keys or min(table.balances) < -100  # credit is unlimited


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
