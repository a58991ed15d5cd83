"""What a player knows, in words: the table, and what happened in earlier deals."""

from __future__ import annotations

from bourre.rules.events import DealEnded, DealStarted, Declared, Event, MatchEnded, PotTaken
from bourre.table_words import DealLines, cards_text, seats_text, trump_text
from bourre.testing import view


def deal(number: int) -> list[Event]:
    """A deal of two seats that the second wins."""
    return [DealStarted(number, 0), Declared(0, False), PotTaken(1, number), DealEnded(number, (-number, number), 0)]


def heard(lines: DealLines, *events: Event) -> DealLines:
    for event in events:
        lines.hear(event)
    return lines


def test_only_the_latest_deals_are_kept_and_told_once_they_have_ended() -> None:
    lines = heard(DealLines(3, (Declared, PotTaken)), *deal(1), *deal(2), *deal(3), *deal(4)[:-1])
    assert lines.of_ended() == [f"deal {number}: {Declared(0, False)}; {PotTaken(1, number)}" for number in (2, 3)]
    heard(lines, DealEnded(4, (-4, 4), 0), MatchEnded((-10, 10)))
    assert [line.partition(":")[0] for line in lines.of_ended()] == ["deal 2", "deal 3", "deal 4"]


def test_a_deal_is_told_in_full_by_its_number_or_as_the_latest() -> None:
    lines = heard(DealLines(2), *deal(1), *deal(2), *deal(3)[:2])
    assert lines.of_deal(2) == [str(event) for event in deal(2)]
    assert lines.of_deal() == [str(event) for event in deal(3)[:2]]
    assert lines.of_deal(1) == []
    assert DealLines(2).of_deal() == []


def test_before_the_second_deal_nothing_has_ended() -> None:
    assert heard(DealLines(1, (Declared,)), *deal(1)[:2]).of_ended() == []


def test_a_seat_line_says_who_it_is_what_it_did_and_what_it_owes() -> None:
    seen = view(
        "play hand='AS KH 2C' trick=QH trump=S balances='3 -1 -1 -1' owed_turns='1 2 0 0' barred=1 drawn='2 0 - 1'"
    )
    you, other, *_ = seats_text(seen).split("\n")
    assert you.startswith("- seat 0 (you")
    assert you.endswith("plays, drew 2, has 0 tricks, balance +3 chips, forfeits 1 turn to deal")
    assert other.endswith("balance -1 chips, cannot win this pot, forfeits 2 turns to deal")


def test_the_trump_suit_and_the_cards_that_have_been_seen() -> None:
    seen = view("play hand='AS KH 2C' trick=QH trump=S")
    assert trump_text(seen) == "S (spades)"
    assert cards_text(seen).split("\n")[-1] == "Trick 3, in progress: seat 3 QH"
    assert cards_text(view("play hand='AS KH 2C' trump=S")).endswith("in progress: you lead")
