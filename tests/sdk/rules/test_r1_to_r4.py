"""What scenes do not tell of R1 to R4: seeds, what a view hides, and the callers' errors."""

from __future__ import annotations

import pytest

from bourre.rules.actions import Decision
from bourre.rules.cards import DECK, RANKS, Card, Suit, cards_in, parse_cards
from bourre.rules.deck import SeededChance
from bourre.rules.errors import InvalidAction, InvalidHouse
from bourre.rules.events import CardDrawn, DealStarted, Drew, HandDealt, TrumpTurned
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import visible_to
from tests.sdk.rules.scenes import HANDS
from tests.sdk.rules.table import Table, easy_answer, of, stacked

USUAL = HANDS["usual"].split(" / ")
NO_TRUMP, STOCK = HANDS["no_trump"].split(" + ")


def no_trump(form: str) -> Table:
    """Three seats; the stock begins with the nine of spades."""
    return Table(stacked(*NO_TRUMP.split(" / "), stock=STOCK), seats=3, trump_card=form)


@pytest.mark.parametrize("seats", range(2, 9))
def test_r1_1_two_to_eight_seats_get_five_cards_each_and_the_last_of_the_dealer_is_turned(seats: int) -> None:
    table = Table(list(DECK), seats=seats)
    dealt = [card for hand in table.hands for card in cards_in(hand)]
    assert sorted(dealt) == list(DECK[: 5 * seats])
    turned = DECK[5 * seats - 1]
    assert of(TrumpTurned, table.events) == [TrumpTurned(turned, turned.suit)]
    assert table.hands[0] >> turned & 1
    assert all(table.match.view(seat).turned == turned for seat in range(seats))


@pytest.mark.parametrize("seats", [0, 1, 9])
def test_r1_1_other_tables_are_refused(seats: int) -> None:
    with pytest.raises(InvalidHouse, match=rf"^{seats} seats cannot play Bourré \(R1.1\)\.\nhint: use 2 to 8 seats$"):
        Match(seats, 1, HouseRules(), SeededChance(bytes(32)))


def test_r1_2_one_shuffle_a_deal_and_one_more_a_gathering() -> None:
    table = Table(stacked(*USUAL), seats=3, deals=3)
    table.finish()
    table.finish()
    assert (table.chance.shuffles, table.chance.gatherings) == ([1, 2, 3], [])


def test_r1_2_the_seed_decides_every_card() -> None:
    assert played_out(bytes(32)) == played_out(bytes(32)) != played_out(bytes([1] * 32))


def test_r1_2_nobody_sees_the_cards_of_another() -> None:
    table = Table(stacked(*USUAL), seats=3)
    table.say("1 in 9H 8C")
    own, other = (list(visible_to(seat, table.events)) for seat in (1, 2))
    assert [event.seat for event in of(HandDealt, own)] == [1]
    assert of(Drew, other) == [Drew(1, 2, None, None)]
    assert of(Drew, own) == [Drew(1, 2, parse_cards("8C 9H"), parse_cards("2D 2S"))]


def test_r1_3_the_first_dealer_follows_from_the_seed_and_no_seat_is_favoured() -> None:
    seeded, drawn = [0] * 5, [0] * 5
    for number in range(5000):
        chance = SeededChance(number.to_bytes(32))
        seeded[chance.first_dealer(5)] += 1
        events = Match(5, 1, HouseRules(first_dealer="low_card"), chance).start()
        cards = [event.card for event in of(CardDrawn, events)]
        assert cards == chance.draw_for_deal()[: len(cards)]
        drawn[of(DealStarted, events)[0].dealer] += 1
    for counts in (seeded, drawn):
        assert sum((count - 1000) ** 2 / 1000 for count in counts) < 18.5  # chi-square, 4 degrees, 99.9 %
    assert of(DealStarted, Match(5, 1, HouseRules(), chance).start()) == [DealStarted(1, chance.first_dealer(5))]


def test_r1_3_the_first_seat_deals_where_all_cards_are_drawn_and_two_still_tie() -> None:
    drawn = " ".join(f"{rank}{suit}" for rank in RANKS for suit in "CDHS")
    table = Table(stacked(*USUAL[:2]), seats=2, first_dealer="low_card", drawn=drawn)
    assert len(of(CardDrawn, table.events)) == 52
    assert of(DealStarted, table.events)[0].dealer == 0


def test_r2_2_a_match_of_nothing_exempts_nobody() -> None:
    table = Table(stacked(*USUAL), seats=3, deals=2, ante=0)
    table.finish()
    assert (table.match.deal.number, table.match._exempt) == (2, frozenset())


def test_r2_3_dealer_antes_all_where_nobody_owes_nobody_pays() -> None:
    table = Table(stacked(*USUAL[:2]), seats=2, deals=2, dealer_antes_all=True)
    table.match._exempt = frozenset({0, 1})
    assert list(table.match._antes(1)) == []


def test_r3_2_a_turned_card_apart_is_dead_until_the_dealer_takes_it() -> None:
    for form, take, dead in (("dead", "", "9S"), ("dealer_option", "", "9S"), ("dealer_option", " 2H take", "")):
        table = no_trump(f"separate_{form}")
        table.say("1 in", "2 in")
        assert (table.view.may_take_turned, table.match.view(1).may_take_turned) == (form == "dealer_option", False)
        assert (table.view.turned, table.view.dead, table.view.trump) == (Card("9S"), Card("9S"), Suit.S)
        table.say(f"0 in{take}")
        assert cards_in(table.view.position.dead) == parse_cards(dead)
        assert table.match.deal.tricks is not None
        assert table.match.deal.tricks.position() == table.view.position


def test_r3_2_separate_returned_all_undealt_cards_are_shuffled_and_none_is_dead() -> None:
    table = no_trump("separate_returned")
    (shuffled,) = table.chance.returns
    assert (len(shuffled), Card("9S") in shuffled) == (52 - 15, True)
    assert (table.view.turned, table.view.dead, table.view.trump) == (Card("9S"), None, Suit.S)
    table.say("1 in", "2 in", "0 in")
    assert table.view.position.dead == 0


def test_r3_2_dealer_chooses_there_is_no_trump_until_it_is_named() -> None:
    table = no_trump("dealer_chooses")
    assert (table.view.named, table.view.turned, table.view.dead) == (None, None, None)
    message = r"^the trump suit is not named yet: use `view.named`, which is None until then$"
    with pytest.raises(InvalidAction, match=message):
        _ = table.view.trump
    for line, words in [("1 trump H", "seat 1 is not asked"), ("0 in", "seat 0 was asked to name_trump, not in")]:
        with pytest.raises(InvalidAction, match=words):
            table.say(line)
    table.say("0 trump H")
    assert {table.match.view(seat).trump for seat in range(3)} == {Suit.H}


@pytest.mark.parametrize("lines", [("1 KH",), ("1 draw",), ("1 stay",), ("2 in",), ("1 in", "2 9H")])
def test_r4_1_an_answer_of_the_wrong_kind_is_the_callers_error_and_changes_nothing(lines: tuple[str, ...]) -> None:
    table = Table(stacked(*USUAL), seats=3)
    table.say(*lines[:-1])
    before = [table.match.view(seat) for seat in range(3)]
    with pytest.raises(InvalidAction, match=r"asked"):
        table.say(lines[-1])
    assert [table.match.view(seat) for seat in range(3)] == before
    table.finish()


def test_r4_1_an_error_of_the_caller_says_who_was_asked_for_what() -> None:
    table = Table(stacked(*USUAL), seats=3)
    with pytest.raises(InvalidAction, match=r"^seat 2 is not asked: seat 1 is$"):
        table.say("2 in")
    table.say("1 in", "2 in", "0 in")
    for line in ("1 in", "1 draw 9H", "1 pass"):
        with pytest.raises(InvalidAction, match="seat 1 was asked for a card"):
            table.say(line)
    assert table.view.decision == Decision.PLAY


def test_r4_1_what_is_declared_at_once_is_seen_by_nobody_before_all_are_in() -> None:
    table = Table(stacked(*USUAL), seats=3, declare_mode="simultaneous")
    table.say("1 in 9H", "2 pass")
    assert {table.match.view(seat).plays for seat in range(3)} == {(None, None, None)}
    table.say("0 in")
    assert (table.view.plays, table.view.drawn) == ((True, True, False), (None, None, None))


@pytest.mark.parametrize("second_pass", ["in", "draw", "trump S", "9H"])
def test_r4_9_an_answer_of_the_wrong_kind_is_the_callers_error(second_pass: str) -> None:
    hands, stock = HANDS["indiana"].split(" + ")
    table = Table(stacked(*hands.split(" / "), stock=stock), seats=4, preset="indiana")
    table.say("1 in", "2 in", "0 in", "1 draw", "2 draw", "0 draw")
    assert (table.view.legal, table.view.match) == ((), 7)
    with pytest.raises(InvalidAction, match=r"^seat 1 was asked to stay, not "):
        table.say(f"1 {second_pass}")
    assert table.match.asked == (1,)


def played_out(seed: bytes) -> list[object]:
    """All events of a match of two deals."""
    match = Match(5, 2, HouseRules(), SeededChance(seed))
    events: list[object] = list(match.start())
    while not match.over:
        events += match.apply(match.to_act, easy_answer(match.view(match.to_act)))
    return events
