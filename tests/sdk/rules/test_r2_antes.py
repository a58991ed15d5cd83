"""R2: antes, and who is exempt from them."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.events import AntePaid, DealStarted, Declared, Event, MatchPaid, PotTaken
from tests.sdk.rules.table import Table, of, stacked

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


def test_r2_3_each_seat_antes_for_itself_by_default() -> None:
    assert Table(SWEEP, seats=3, dealer=0).balances == [-1, -1, -1]


def test_r2_3_dealer_antes_all_the_dealer_pays_for_those_who_owe() -> None:
    table = Table(SWEEP, seats=3, deals=3, dealer=2, ante=2, dealer_antes_all=True)
    assert (table.balances, table.pot) == ([0, 0, -6], 6)
    table.say("0 in", "1 in", "2 in")
    table.finish()  # seats 0 and 2 go bourré: only seat 1 owes an ante, and seat 0 deals
    assert of(AntePaid, table.events) == [AntePaid(2, 6), AntePaid(0, 2)]


def test_r2_3_dealer_antes_all_where_nobody_owes_nobody_pays() -> None:
    table = Table(stacked("2H 3H 4H 5H 4S", "AS KS 6H 7H 8H"), seats=2, deals=2, dealer_antes_all=True)
    table.match._exempt = frozenset({0, 1})
    assert list(table.match._antes(1)) == []


def test_r2_4_no_second_ante_by_default() -> None:
    table = Table(SWEEP, seats=3)
    table.say("1 in", "2 in", "0 in")
    assert table.balances == [-1, -1, -1]


def test_r2_4_the_second_ante_is_paid_on_declaring_play_into_this_deals_pot() -> None:
    table = Table(SWEEP, seats=3, deals=2, second_ante=2)
    assert table.say("1 in")[:2] == [Declared(1, True), AntePaid(1, 2)]
    assert of(AntePaid, table.say("2 pass")) == []
    table.say("0 in")
    assert (table.balances, table.pot) == ([-3, -3, -1], 7)
    events = table.finish()
    assert (of(PotTaken, events), of(MatchPaid, events)) == ([PotTaken(1, 7)], [MatchPaid(0, 7, True, False)])


def test_r2_4_the_obliged_dealer_and_the_lone_player_pay_it_too() -> None:
    table = Table(SWEEP, seats=3, deals=2, second_ante=2)
    events = table.say("1 pass", "2 pass")
    assert events[2:5] == [Declared(0, True, obliged=True), AntePaid(0, 2), PotTaken(0, 5)]
    ace = stacked("2H 3H 8D TC AS", "2S KS QS JS TS", "KH 2C 3C 4D 6D")
    assert Table(ace, seats=3, second_ante=2).events[-2:] == [Declared(0, True, obliged=True), AntePaid(0, 2)]


@pytest.mark.parametrize("mode", ["turn", "separate", "simultaneous"])
def test_r2_4_in_every_mode_of_declaring(mode: str) -> None:
    table = Table(SWEEP, seats=3, second_ante=1, declare_mode=mode)
    table.say("1 in", "2 pass", "0 in")
    assert [event.seat for event in of(AntePaid, table.events)] == [0, 1, 2, 1, 0]


def test_r2_4_double_ante_exempts_nobody() -> None:
    table = Table(SWEEP, seats=3, deals=2, preset="double_ante")
    table.say("1 in", "2 in", "0 in")
    assert table.pot == 6
    table.finish()
    assert antes(table, 2) == [0, 1, 2]


def test_r2_5_antes_are_paid_into_a_carried_pot_too() -> None:
    assert split_pot(deals=2).pot == 3 + 1


def test_r2_5_pot_empty_antes_only_into_an_empty_pot() -> None:
    table = split_pot(deals=4, ante_when="pot_empty")
    assert (antes(table, 2), table.pot) == ([], 3)
    table.say("2 pass", "0 pass")  # seat 1 deals, and takes the pot
    assert antes(table, 3) == [0, 1, 2]  # the exemption of the tied has lapsed


def test_r2_5_a_pot_is_played_until_it_is_empty() -> None:
    """004: two go bourré, and their matches are the next pot; antes come when somebody wins it and nobody pays."""
    sweep = stacked("2H 3H 8D TC", "AS KS QS JS", "KH 2C 3C 4D", stock="9S")
    table = Table(sweep, seats=3, deals=4, preset="booray")
    table.finish()
    assert (antes(table, 2), table.pot) == ([], 6)
    table.say("2 pass", "0 pass")  # all others passed: seat 1, who deals, takes the 6
    assert antes(table, 3) == [0, 1, 2]
    assert table.pot == 3


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
