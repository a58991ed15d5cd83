"""The baseline `bot styles`: it learns from earlier deals alone, and its mean is 0."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random
from statistics import mean, stdev

import pytest

from bourre.rules.cards import DECK, SUIT_CARDS, Card, Suit, card_set, highest, lowest, parse_cards
from bourre.rules.deck import DuplicateChance, derive, master_seed, shuffle
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre_referee.model.luck import DrawObserver, PlayedBoard, luck, luck_of_match, style_luck
from bourre_referee.model.luck.card_choices import FOLLOWS, LEADS, masters
from bourre_referee.model.luck.card_style import CardStyle, StyleCounts, count_deal
from bourre_referee.model.luck.deal_luck import STYLE_ORDERS
from bourre_referee.model.luck.draw_luck import draw_cards
from bourre_referee.model.luck.imagined_tricks import play_tricks
from bourre_referee.model.luck.played_cards import PlayedCards
from bourre_referee.model.luck.trick_playout import Situation, TrickPlayout
from tests.sdk.random_answers import play_randomly

LIMIT = HouseRules.preset("limit")
SEED = master_seed(24)
UNKNOWN = StyleCounts().style


def cards(text: str) -> int:
    return card_set(parse_cards(text))


def board_of(seats: int, house: HouseRules, deal: int, clumsiness: float = 0.0) -> PlayedBoard:
    """A deal, played at random from its own dice."""
    match = Match(seats, 1000, house, DuplicateChance(SEED), only=deal)
    observer = DrawObserver(seats)
    for _, _, events in play_randomly(match, Random(deal), clumsiness):
        observer.hear(events)
    return observer.board(deal, tuple((seat + deal) % seats for seat in range(seats)))


@pytest.mark.parametrize("preset", PRESETS)
def test_it_adds_up_to_nothing_under_every_preset_even_amid_reneges(preset: str) -> None:
    house = HouseRules.preset(preset)
    for seats in (2, 5):
        found = style_luck([board_of(seats, house, deal, 0.2) for deal in range(1, 7)], house, SEED)
        assert [sum(board) for board in found] == [0] * 6


def test_there_is_luck_in_deals_in_which_bots_draw() -> None:
    found = style_luck([board_of(5, LIMIT, deal) for deal in range(1, 7)], LIMIT, SEED)
    assert any(map(any, found))


def test_its_mean_is_nothing_over_many_deals() -> None:
    found = style_luck([board_of(3, LIMIT, deal) for deal in range(1, 201)], LIMIT, SEED)
    for seat in range(3):
        units = [deal[seat] for deal in found]
        assert stdev(units) > 0
        assert abs(mean(units)) < 4 * stdev(units) / sqrt(len(units))


def test_over_all_orders_it_is_exactly_nothing() -> None:
    """If the real order is each of those it is compared with in turn, the luck of a seat adds up to 0."""
    board = next(board for deal in range(1, 50) if (board := board_of(4, LIMIT, deal)).drawing)
    drawing = board.drawing
    assert drawing is not None
    totals = [0] * 4
    for number in range(1, STYLE_ORDERS + 1):
        order = shuffle(derive(SEED, f"luck {drawing.deal} {number}"), drawing.stock)
        served = draw_cards(drawing, [received.bit_count() for received in drawing.received], order)
        (found,) = style_luck(
            [replace(board, first=None, drawing=replace(drawing, received=tuple(served)))], LIMIT, SEED
        )
        totals = [total + units for total, units in zip(totals, found, strict=True)]
    assert totals == [0] * 4


def test_neither_its_own_deal_nor_a_later_one_changes_a_luck() -> None:
    boards = [board_of(3, LIMIT, deal) for deal in range(1, 31)]
    found = style_luck(boards, LIMIT, SEED)
    for kept in (5, 29):
        unplayed = [*boards[: kept - 1], *(replace(board, played=None) for board in boards[kept - 1 :])]
        assert style_luck(unplayed, LIMIT, SEED)[:kept] == found[:kept]
    blind = style_luck([replace(board, played=None) for board in boards], LIMIT, SEED)
    assert blind != found  # what earlier deals showed does change it


def test_the_order_in_which_boards_finish_changes_nothing() -> None:
    boards = [board_of(3, LIMIT, deal) for deal in range(1, 13)]
    turned = style_luck(boards[::-1], LIMIT, SEED)
    assert turned[::-1] == style_luck(boards, LIMIT, SEED)


def test_terms_older_than_the_baseline_keep_their_luck() -> None:
    boards = [board_of(3, LIMIT, deal) for deal in range(1, 13)]
    older = luck_of_match(boards, LIMIT, SEED, None)
    assert older == [luck(board.drawing, 3, LIMIT, SEED) for board in boards]
    assert older != luck_of_match(boards, LIMIT, SEED, "bot styles 1")


@pytest.mark.parametrize("lead", range(len(LEADS)))
def test_it_recognizes_the_style_that_played(lead: int) -> None:
    """From deals that styles played themselves, the most frequent agreement is with that style."""
    true = CardStyle(LEADS[lead], FOLLOWS[lead % len(FOLLOWS)], FOLLOWS[(lead + 1) % len(FOLLOWS)])
    counts, agreed, decisions = StyleCounts(), 0, 0
    house = HouseRules.preset("limit", must_beat=False, must_trump="never")
    deals = [dealt(number) for number in range(60)]
    for hands in deals[:40]:
        count_deal(played_by(true, hands, house), [counts, counts, counts], house)
    for hands in deals[40:]:
        same = zip(played_by(true, hands, house).cards, played_by(counts.style, hands, house).cards, strict=True)
        for real, expected in same:
            decisions += 1
            agreed += real == expected
    assert agreed > 0.9 * decisions


def dealt(number: int) -> list[int]:
    deck = shuffle(derive(SEED, f"styles {number}"), DECK)
    return [card_set(deck[5 * player : 5 * player + 5]) for player in range(3)]


def chosen(style: CardStyle, situation: Situation, trumps: int) -> Card:
    follow = style.win if situation.can_win else style.lose
    choice = follow if situation.follows else style.lead
    return choice(situation.legal, situation.unseen, trumps)


def played_by(style: CardStyle, hands: list[int], house: HouseRules) -> PlayedCards:
    heard: list[tuple[int, Card]] = []
    playout = TrickPlayout(hands, Suit.S, house)
    while not playout.over:
        heard.append((playout.to_act, chosen(style, playout.situation, playout.trumps)))
        playout.play(heard[-1][1])
    return PlayedCards((0, 1, 2), tuple(hands), Suit.S, tuple(heard))


def test_a_master_is_a_card_that_nothing_unseen_beats() -> None:
    hand, trumps = cards("KS AH QD"), SUIT_CARDS[Suit.S]
    assert masters(hand, cards("QS KH KD"), trumps) == cards("KS")
    assert masters(hand, cards("KH KD"), trumps) == cards("KS AH")
    assert masters(hand, cards("AS"), trumps) == 0


def test_of_a_bot_of_which_nothing_is_known_it_expects_high_leads_and_cheap_tricks() -> None:
    assert UNKNOWN.lead(cards("2S AH"), 0, SUIT_CARDS[Suit.S]) == highest(cards("2S AH"))
    assert UNKNOWN.win(cards("KH AH"), 0, SUIT_CARDS[Suit.S]) == lowest(cards("KH AH"))
    assert play_tricks([cards("AS KS QS"), cards("2C 3C 4C")], Suit.S, [UNKNOWN] * 2, LIMIT) == [3, 0]


def test_play_outs_follow_the_house() -> None:
    """The second seat cannot follow hearts: whether it must trump decides the first trick, and so the last."""
    hands, thrifty = [cards("AH 3C"), cards("2S 2D")], CardStyle(LEADS[0], FOLLOWS[2], FOLLOWS[2])
    free = HouseRules.preset("pagat", must_trump="never")
    assert play_tricks(hands, Suit.S, [thrifty] * 2, HouseRules.preset("pagat")) == [0, 2]
    assert play_tricks(hands, Suit.S, [thrifty] * 2, free) == [1, 1]
