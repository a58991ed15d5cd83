"""What a player knows, in words: the table, and what happened in earlier deals."""

from __future__ import annotations

from bourre.rules.actions import Declare, Draw, Play
from bourre.rules.cards import Card, parse_cards
from bourre.rules.events import DealEnded, DealStarted, Declared, Event, MatchEnded, PotTaken
from bourre.testing import view
from bourre.words.table_words import (
    DealLines,
    as_codes,
    as_signs,
    card_name,
    cards_text,
    choice_words,
    describe_cards,
    seats_text,
    show_glyphs,
    trump_text,
)


def deal(number: int) -> list[Event]:
    """A deal of two seats that the second wins."""
    return [DealStarted(number, 0), Declared(0, False), PotTaken(1, number), DealEnded(number, (-number, number), 0)]


def heard(lines: DealLines, *events: Event) -> DealLines:
    for event in events:
        lines.hear(event, str(event))
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
    text = "trick=QH balances='3 -1 -1 -1' owed_turns='1 2 0 0' barred=3 drawn='2 0 - 1' plays='in in pass in'"
    assert seats_text(view(f"play hand='AS KH 2C 9D' trump=S {text}")).split("\n") == [
        "- seat 0 (you): plays, drew 2, has 0 tricks, balance +3 chips, forfeits 1 turn to deal",
        "- seat 1 (dealer): plays, drew 0, has 0 tricks, balance -1 chips, forfeits 2 turns to deal",
        "- seat 2: passed, balance -1 chips",
        "- seat 3: plays, drew 1, has 1 trick, balance -1 chips, cannot win this pot",
    ]
    asked = view("declare hand='AS KH 2C 9D 4C' trump=S seats=2 seat=1 dealer=1 plays='in ?' drawn='0 -'")
    assert seats_text(asked).split("\n") == [
        "- seat 0: plays, drew 0, balance -1 chips",
        "- seat 1 (you, dealer): has not declared, balance -1 chips",
    ]


def test_a_line_for_each_thing_that_is_known_of_the_cards() -> None:
    text = "seats=2 dealer=1 tricks='0:3D 4D / 1:5C 6C' turned=7S discarded='4C 5H' recalled='1:AC'"
    seen = view(f"play hand='AS KH 9S' trump=S {text}")
    lines = [
        "Turned card: 7S; its suit is trump.",
        "You discarded: 4C 5H",
        "Trick 1: seat 0 3D, seat 1 4D; seat 1 took it.",
        "Trick 2: seat 1 5C, seat 0 6C; seat 0 took it.",
        "Trick 3, in progress: you lead",
        "Seat 1 showed AC and took it back.",
    ]
    assert cards_text(seen).split("\n") == lines
    assert cards_text(view(f"play hand='AS KH 9S' trump=S {text} preset=separate_dead")).split("\n")[1:] == lines[1:]
    dead = view("declare hand='AS KH 2C 3D 9S' trump=S turned=5S preset=separate_dead")
    assert cards_text(dead) == "Turned card: 5S; it belongs to nobody."
    following = view("play hand='AS KH 2C' trick='QH' trump=S turned=-")
    assert cards_text(following).split("\n")[2:] == ["Trick 3, in progress: seat 3 QH"]
    assert (describe_cards(seen), trump_text(seen)) == ("hand 9S KH AS, trump S, legal 9S KH AS", "S (spades)")
    assert describe_cards(following) == "hand 2C KH AS, trump S, trick QH, legal KH"


def test_before_the_trump_is_named_it_is_said_to_be_open() -> None:
    asked = view("name_trump hand='AS KH 2C 3D 9S' preset=nba")
    assert (describe_cards(asked), trump_text(asked)) == ("hand 2C 3D 9S KH AS, trump not named", "not named yet")
    assert [card_name(Card(text)) for text in ("2C", "TD", "QH", "AS")] == [
        "two of clubs",
        "ten of diamonds",
        "queen of hearts",
        "ace of spades",
    ]


def test_a_choice_is_told_with_the_cards_as_the_reader_wants_them() -> None:
    cards = parse_cards("2C KH")
    assert choice_words(Draw(cards, takes=True)) == "exchange 2C KH, one for the turned card"
    assert (
        choice_words(Declare(True, cards, takes=True), show_glyphs) == "play, exchanging 2♣ K♥, one for the turned card"
    )
    assert (choice_words(Play(cards[1]), show_glyphs), choice_words(Declare(False))) == ("play K♥", "pass")


def test_the_codes_of_a_text_become_signs_and_back() -> None:
    text = describe_cards(view("play hand='AS TH 2C' trick=QH trump=S"))
    signs = "hand 2♣ T♥ A♠, trump ♠, trick Q♥, legal T♥"
    assert (as_signs(text), as_codes(signs)) == (signs, text)
    assert as_signs("C broke R5.2 in CASH, see 4CX") == "C broke R5.2 in CASH, see 4CX"
