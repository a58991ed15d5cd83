"""R2: antes, and who is exempt from them."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.errors import InvalidHouse
from bourre.rules.events import AntePaid, DealStarted, Event
from bourre.rules.house import HouseRules
from tests.rules.table import Table, of, stacked

# Seat 1 takes every trick; the deal's trump is spades.
SWEEP = stacked("2H 3H 8D TC 2S", "AS KS QS JS TS", "KH 2C 3C 4D 6D")
# Seat 1 takes two tricks, seat 2 takes two, seat 0 takes one.
SPLIT = stacked("2H 3H 8H 9C 4S", "AS KS 2C 3C 4C", "QS JS 5C 6C 7H")
SPLIT_AFTER_THE_FIRST_TRICK = "KS QS 2H 2C 5C 9C 3H 3C 7H 6C 8H 4C"


@pytest.mark.parametrize("ante", [0, 1, 7])
def test_r2_1_every_seat_antes_before_each_deal(ante: int) -> None:
    table = Table(SWEEP, seats=3, ante=ante)
    assert table.pot == 3 * ante
    assert table.balances == [-ante] * 3
    assert antes(table, 1) == ([0, 1, 2] if ante else [])


def test_r2_2_who_paid_a_match_for_bourre_is_exempt_from_the_next_ante_only() -> None:
    table = Table(SWEEP, seats=3, deals=3)
    table.finish()
    assert antes(table, 2) == [1]
    everyone_passes(table)
    assert antes(table, 3) == [0, 1, 2]


def test_r2_2_who_paid_a_match_for_a_renege_is_exempt_from_the_next_ante_only() -> None:
    table = Table(SPLIT, seats=3, deals=3)
    table.say("1 in", "2 in", "0 in", "1 AS", "2 7H", "2 6C")
    table.finish()
    assert table.match.deal.number == 2
    assert 2 not in antes(table, 2)
    everyone_passes(table)
    assert antes(table, 3) == [0, 1, 2]


def test_r2_2_a_corrected_renege_exempts_nobody() -> None:
    table = Table(SPLIT, seats=3, deals=2)
    table.say("1 in", "2 in", "0 in", "1 AS", "2 JS", "0 2H", "0 4S")
    table.play(SPLIT_AFTER_THE_FIRST_TRICK)
    assert antes(table, 2) == [0]  # the others are exempt, for they tied


def test_r2_2_the_tied_of_a_split_pot_are_exempt_from_the_next_ante_only() -> None:
    table = split_pot(deals=3)
    assert antes(table, 2) == [0]
    everyone_passes(table)
    assert antes(table, 3) == [0, 1, 2]


def test_r2_2_passing_exempts_nobody() -> None:
    table = Table(SWEEP, seats=3, deals=3)
    everyone_passes(table)
    assert antes(table, 2) == [0, 1, 2]


def test_r2_2_exempt_bourre_and_exempt_tied_can_be_set_off() -> None:
    table = Table(SWEEP, seats=3, deals=2, exempt_bourre=False)
    table.finish()
    assert antes(table, 2) == [0, 1, 2]
    assert antes(split_pot(deals=2, exempt_tied=False), 2) == [0, 1, 2]


def test_r2_2_a_match_of_nothing_exempts_nobody() -> None:
    table = Table(SWEEP, seats=3, deals=2, ante=0)
    table.finish()
    assert table.match.deal.number == 2
    assert table.match.ledger.pot == 0
    assert table.match._exempt == frozenset()


def test_r2_3_the_dealer_antes_for_himself_alone() -> None:
    assert Table(SWEEP, seats=3, dealer=0).balances == [-1, -1, -1]
    with pytest.raises(InvalidHouse, match=r"dealer_antes_all = true is a rule .* cannot play yet"):
        HouseRules.preset(dealer_antes_all=True)


def test_r2_4_declaring_play_costs_no_second_ante() -> None:
    table = Table(SWEEP, seats=3)
    table.say("1 in", "2 in", "0 in")
    assert table.balances == [-1, -1, -1]
    with pytest.raises(InvalidHouse, match=r"second_ante = 1 is a rule .* cannot play yet"):
        HouseRules.preset("double_ante")


def test_r2_5_antes_are_paid_into_a_carried_pot_too() -> None:
    table = split_pot(deals=2)
    assert table.pot == 3 + 1
    with pytest.raises(InvalidHouse, match=r"ante_when = 'pot_empty' is a rule .* cannot play yet"):
        HouseRules.preset(ante_when="pot_empty")


def split_pot(deals: int, **keys: Any) -> Table:
    """A table whose first deal ended 1 2 2: seats 1 and 2 tie."""
    table = Table(SPLIT, seats=3, deals=deals, **keys)
    table.say("1 in", "2 in", "0 in", "1 AS", "2 JS", "0 4S")
    table.play(SPLIT_AFTER_THE_FIRST_TRICK)
    assert table.match.deal.number == 2
    return table


def everyone_passes(table: Table) -> None:
    """Plays one deal in which all but the dealer pass."""
    deal = table.match.deal
    while table.match.deal is deal:
        table.say(f"{table.match.to_act} pass")


def antes(table: Table, deal: int) -> list[int]:
    """The seats that paid the ante of a deal."""
    found: dict[int, list[Event]] = {}
    number = 0
    for event in table.events:
        if isinstance(event, DealStarted):
            number = event.deal
        found.setdefault(number, []).append(event)
    return [event.seat for event in of(AntePaid, found.get(deal, []))]
