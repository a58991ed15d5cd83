"""The second pass of preset `indiana`: after the draw each seat in stays for another second ante, or leaves."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision, Fault
from bourre.rules.errors import InvalidAction
from bourre.rules.events import AntePaid, CardPlayed, Faulted, MatchPaid, PotTaken, Stayed, TrickTaken
from tests.sdk.rules.table import Table, of, stacked

# Nine of spades is turned: trump is spades. Seat 3 holds neither trump nor club.
DECK = stacked("2C 3S 8D TC", "9H 8C 7D 6C", "KH 2S 3C 4D", "QH JH TH 7H", stock="9S")


def drawn(**keys: Any) -> Table:
    """Seats 1, 2 and 0 are in and stand pat; seat 3 could not."""
    table = Table(DECK, seats=4, deals=2, preset="indiana", **keys)
    table.say("1 in", "2 in", "0 in", "1 draw", "2 draw", "0 draw")
    return table


def test_r4_9_is_asked_after_the_draw_from_the_dealers_left() -> None:
    table = drawn()
    assert (table.balances, table.pot) == ([-2, -2, -2, -1], 7)
    assert (table.match.asked, table.match.decision) == ((1,), Decision.STAY)
    assert table.view.legal == ()
    assert table.say("1 stay") == [Stayed(1, True), AntePaid(1, 1)]
    assert table.match.asked == (2,)
    assert table.say("2 leave") == [Stayed(2, False)]
    assert table.view.plays == (True, True, False, False)
    assert table.say("0 stay") == [Stayed(0, True), AntePaid(0, 1)]
    assert (table.match.asked, table.match.decision) == ((1,), Decision.PLAY)
    assert table.view.playing == (1, 0)
    assert (table.balances, table.pot) == ([-3, -3, -2, -1], 9)


@pytest.mark.parametrize("line", ["1 in", "1 draw", "1 trump S", "1 9H"])
def test_r4_9_an_answer_of_the_wrong_kind_is_the_callers_error(line: str) -> None:
    table = drawn()
    with pytest.raises(InvalidAction, match=r"^seat 1 was asked to stay, not "):
        table.say(line)
    assert table.match.asked == (1,)


def test_r4_9_whoever_left_is_never_bourre_and_loses_what_it_paid() -> None:
    table = drawn()
    table.say("1 stay", "2 leave", "0 stay")
    events = table.finish()
    assert len(of(TrickTaken, events)) == 4
    assert 2 not in [event.seat for event in events if isinstance(event, CardPlayed | MatchPaid | PotTaken)]
    assert table.balances[2] == -2 - 1  # the next ante is paid


def test_r4_9_the_first_still_in_leads() -> None:
    table = drawn()
    table.say("1 leave", "2 stay", "0 stay")
    assert table.match.to_act == 2


def test_r4_9_the_last_one_left_is_not_asked_pays_no_more_and_wins() -> None:
    table = drawn()
    events = table.say("1 leave", "2 leave")
    assert events[:3] == [Stayed(1, False), Stayed(2, False), PotTaken(0, 7)]
    assert of(AntePaid, events) == [AntePaid(seat, 1) for seat in range(4)]  # those of the next deal
    assert of(MatchPaid, events) == []


def test_r4_9_one_who_stayed_alone_keeps_what_it_paid_in_the_pot_it_wins() -> None:
    table = drawn()
    events = table.say("1 stay", "2 leave", "0 leave")
    assert of(PotTaken, events) == [PotTaken(1, 8)]


def test_r4_9_the_match_counts_both_second_antes() -> None:
    table = drawn()
    table.say("1 stay", "2 stay", "0 stay")
    assert (table.pot, table.view.match) == (10, 10)


def test_r4_9_a_lone_player_is_not_asked() -> None:
    table = Table(DECK, seats=4, deals=2, preset="indiana")
    events = table.say("1 in", "2 pass", "0 pass")
    assert (of(Stayed, events), of(PotTaken, events)) == ([], [PotTaken(1, 5)])


def test_r4_9_in_turn_and_at_once_too() -> None:
    for mode in ("turn", "simultaneous"):
        table = Table(DECK, seats=4, preset="indiana", declare_mode=mode, second_ante=2)
        table.say("1 in", "2 pass", "0 in")
        if mode == "simultaneous":
            table.say("1 draw", "0 draw")
        assert (table.match.asked, table.match.decision) == ((1,), Decision.STAY)
        assert table.say("1 stay") == [Stayed(1, True), AntePaid(1, 2)]


def test_r4_9_without_it_nobody_is_asked() -> None:
    assert drawn(second_pass=False).match.decision == Decision.PLAY


def test_r8_5_in_a_second_pass_silence_passes_no_chips_but_a_fault() -> None:
    assert drawn().say("1 ?late") == [Faulted(1, Fault.LATE), Stayed(1, False)]
