"""R8.4 `silent`: nothing is said; the bot may take its card back by itself until the next card is accepted."""

from __future__ import annotations

from typing import Any

import pytest

from bourre.rules.actions import Decision, Fault
from bourre.rules.cards import Card, parse_cards
from bourre.rules.events import (
    CardPlayed,
    Event,
    Faulted,
    MatchPaid,
    Penalized,
    PotTaken,
    RenegeCorrected,
    Reneged,
    TrickReopened,
    TrickTaken,
)
from tests.sdk.rules.table import Table, of, stacked

# Trump is spades; 9H is led by seat 1: seat 2 has to follow with the king, seat 0 with a heart.
HANDS = ("2H 3H 8D TC 4S", "9H 8C 7D 6C 5D", "KH 2C 3C 4D 6S")


def at_seat_2(*hands: str, **keys: Any) -> Table:
    """All are in, 9H is led: seat 2 is to play."""
    hands = hands or HANDS
    table = Table(stacked(*hands), seats=len(hands), deals=2, renege_policy="silent", **keys)
    table.say(*[f"{seat} in" for seat in (*range(1, len(hands)), 0)], "1 9H")
    return table


def told(seat: int, card: str, legal: str) -> list[Event]:
    """The events of a renege that stands, once it is too late to correct it."""
    return [Reneged(seat, Card(card), "R5.2", parse_cards(legal), 3), Penalized(seat, "R8.1", 3)]


def taken_back(seat: int, card: str, legal: str) -> list[Event]:
    """The events of a renege that is corrected."""
    return [Reneged(seat, Card(card), "R5.2", parse_cards(legal), 3), RenegeCorrected(seat, Card(card))]


def test_r8_4_silent_not_a_word_is_said_and_the_next_is_asked() -> None:
    table = at_seat_2()
    assert table.say("2 2C") == [CardPlayed(2, Card("2C"))]
    assert table.match.to_act == 0
    for seat in range(3):
        view = table.match.view(seat)
        assert (view.barred, view.recalled, view.correcting) == ((), (), None)


def test_r8_4_silent_it_is_told_and_stands_when_the_next_card_is_accepted() -> None:
    table = at_seat_2()
    table.say("2 2C")
    assert table.say("0 2H")[:3] == [*told(2, "2C", "KH"), CardPlayed(0, Card("2H"))]
    assert table.view.barred == (2,)
    events = table.finish()
    assert MatchPaid(2, 3, bourred=True, reneged=True) in events or MatchPaid(2, 3, False, True) in events
    assert 2 not in [event.seat for event in of(PotTaken, events)]


def test_r8_4_silent_a_card_that_the_referee_plays_closes_the_window_too() -> None:
    table = at_seat_2()
    table.say("2 2C")
    assert table.say("0 ?late")[:5] == [
        Faulted(0, Fault.LATE),
        *told(2, "2C", "KH"),
        Penalized(0, "R8.5", 3),
        CardPlayed(0, Card("2H")),
    ]
    assert table.say("2 recall KH") == [Faulted(2, Fault.UNASKED)]


def test_r8_4_silent_the_next_renege_closes_the_window_and_opens_its_own() -> None:
    table = at_seat_2()
    table.say("2 2C")
    events = table.say("0 TC")
    assert events == [*told(2, "2C", "KH"), CardPlayed(0, Card("TC")), TrickTaken(1, 1)]
    assert table.say("2 recall KH") == [Faulted(2, Fault.UNASKED)]
    assert table.say("0 recall 2H")[:2] == taken_back(0, "TC", "2H 3H")


def test_r8_4_silent_recalled_in_time_it_is_r8_2() -> None:
    table = at_seat_2()
    table.say("2 2C")
    assert table.say("2 recall KH") == [*taken_back(2, "2C", "KH"), CardPlayed(2, Card("KH"))]
    assert (table.view.leader, table.view.trick) == (1, parse_cards("9H KH"))
    assert table.match.view(2).hand == parse_cards("2C 3C 4D 6S")
    assert (table.match.to_act, table.view.barred) == (0, (2,))
    assert table.view.recalled == ((2, Card("2C")),)
    table.say("0 2H")
    events = table.finish()
    assert [event for event in of(MatchPaid, events) if event.reneged] == []
    assert 2 not in [event.seat for event in of(PotTaken, events)]
    assert table.match.owed_turns == [0, 0, 1]


def test_r8_4_silent_a_fault_or_a_word_of_another_leaves_the_window_open() -> None:
    table = at_seat_2()
    table.say("2 2C", "0 !late", "1 !premature", "0 recall 2H")
    assert table.say("2 recall KH")[:2] == taken_back(2, "2C", "KH")


@pytest.mark.parametrize(
    "line", ["2 recall 2C", "2 recall 3C", "2 recall AS", "0 recall 2H", "1 recall KH", "0 recall KH"]
)
def test_r8_4_silent_a_recall_by_another_or_to_an_illegal_card_changes_nothing(line: str) -> None:
    table = at_seat_2()
    table.say("2 2C")
    before = [table.match.view(seat) for seat in range(3)]
    assert table.say(line) == [Faulted(int(line[0]), Fault.UNASKED)]
    assert [table.match.view(seat) for seat in range(3)] == before
    assert table.say("2 recall KH")[:2] == taken_back(2, "2C", "KH")  # it is not used up


def test_r8_4_silent_a_recall_after_a_legal_card_changes_nothing() -> None:
    table = at_seat_2()
    table.say("2 KH")
    assert table.say("2 recall 2C") == [Faulted(2, Fault.UNASKED)]
    assert table.view.trick == parse_cards("9H KH")


def test_r8_4_silent_a_recall_before_the_play_changes_nothing() -> None:
    table = Table(stacked(*HANDS), seats=3, renege_policy="silent")
    assert table.say("1 recall 9H") == [Faulted(1, Fault.UNASKED)]
    assert table.view.decision == Decision.DECLARE


def test_r8_4_silent_too_late_changes_nothing() -> None:
    table = at_seat_2()
    table.say("2 2C", "0 2H")
    assert table.say("2 recall KH") == [Faulted(2, Fault.UNASKED)]


def test_r8_4_silent_once_corrected_the_window_is_closed() -> None:
    table = at_seat_2()
    table.say("2 2C", "2 recall KH")
    assert table.say("2 recall KH") == [Faulted(2, Fault.UNASKED)]


def test_r8_4_silent_the_trick_that_the_card_completed_is_reopened() -> None:
    table = at_seat_2()
    table.say("2 KH")
    assert table.say("0 TC") == [CardPlayed(0, Card("TC")), TrickTaken(2, 1)]
    assert (table.match.to_act, table.view.tricks_won) == (2, (0, 0, 1))
    assert table.say("0 recall 2H") == [
        *taken_back(0, "TC", "2H 3H"),
        TrickReopened(1),
        CardPlayed(0, Card("2H")),
        TrickTaken(2, 1),
    ]
    assert table.view.tricks[0].cards == parse_cards("9H KH 2H")
    assert len(table.view.tricks) == 1
    assert table.match.view(0).hand == parse_cards("3H 4S 8D TC")


def test_r8_4_silent_a_reopened_trick_may_go_to_another() -> None:
    table = at_seat_2("AH 3H 8D TC 4S", *HANDS[1:])
    table.say("2 KH")
    assert table.say("0 TC")[-1] == TrickTaken(2, 1)
    assert table.say("0 recall AH")[-1] == TrickTaken(0, 1)
    assert (table.match.to_act, table.view.tricks_won) == (0, (1, 0, 0))
    tricks = table.match.deal.tricks
    assert tricks is not None
    assert tricks.won == {1: 0, 2: 0, 0: 1}
    assert tricks.position() == table.view.position


def test_r8_4_silent_a_recalled_ruff_gives_the_trick_back() -> None:
    table = at_seat_2()
    table.say("2 KH")
    assert table.say("0 4S")[-1] == TrickTaken(0, 1)  # leads next, and may still recall
    assert table.match.to_act == 0
    assert table.say("0 recall 2H")[-1] == TrickTaken(2, 1)
    assert table.match.to_act == 2


def test_r8_4_silent_whoever_completed_the_trick_and_leads_the_next_has_let_it_pass() -> None:
    table = at_seat_2()
    table.say("2 KH", "0 4S")
    assert table.say("0 8D") == [*told(0, "4S", "2H 3H"), CardPlayed(0, Card("8D"))]
    assert table.say("0 recall 2H") == [Faulted(0, Fault.UNASKED)]


def test_r8_4_silent_the_last_card_that_can_be_a_renege_is_told_with_the_deals_last() -> None:
    """A hand of one card is always legal: the deal's last card is never a renege."""
    table = at_seat_2("2H 3H 8D TC 4S", "9H 8H 7D 6C 5D", "KH QH 3C 4D 2D")
    table.play("KH 2H  QH 3H 8H  2D 8D 5D  TC 6C")
    assert table.say("2 4D") == [CardPlayed(2, Card("4D")), TrickTaken(0, 4)]
    assert table.say("0 4S")[:2] == told(2, "4D", "3C")
    assert table.say("2 recall 3C") == [Faulted(2, Fault.UNASKED)]


def test_r8_4_silent_at_two_seats_the_follower_completes_every_trick() -> None:
    table = Table(stacked("KH 3H 8D TC 4S", "9H 8C 7D 6C 5D"), seats=2, deals=2, renege_policy="silent")
    table.say("1 in", "0 in", "1 9H", "0 3H")
    assert table.match.view(1).tricks_won == (0, 1)
    events = table.say("0 recall KH")
    assert events == [
        Reneged(0, Card("3H"), "R5.3", parse_cards("KH"), 2),
        RenegeCorrected(0, Card("3H")),
        TrickReopened(1),
        CardPlayed(0, Card("KH")),
        TrickTaken(0, 1),
    ]
    assert (table.match.to_act, table.view.tricks_won) == (0, (1, 0))


def test_r8_4_silent_after_a_recall_a_second_renege_of_the_seat_stands() -> None:
    table = at_seat_2()
    table.say("2 2C", "2 recall KH", "0 2H", "2 2C", "0 TC", "1 6C", "0 8D", "1 5D")
    table.say("2 3C")
    table.finish()
    paid = [event for event in of(MatchPaid, table.events) if event.seat == 2]
    assert [event.reneged for event in paid] == [True]
    assert table.match.owed_turns[2] == 1
