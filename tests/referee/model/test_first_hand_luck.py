"""The luck of the first hands in the baseline `bot styles`: what is learned of entries and discards, and its mean."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random
from statistics import mean, stdev, variance

import pytest

from bourre.rules.actions import Declare, Draw, Play
from bourre.rules.cards import DECK, SUIT_CARDS, Card, Suit, card_set, cards_in, highest, parse_cards
from bourre.rules.deck import DuplicateChance, derive, master_seed, shuffle
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units
from bourre.rules.tricks import Position, best_card, legal_plays
from bourre.rules.visibility import View
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.luck import COEFFICIENT, ORDERS, LuckRecorder, PlayedBoard, style_luck
from bourre_referee.luck.bot_style import (
    KEPT_RANKS,
    BotLessons,
    DiscardCounts,
    EntryLessons,
    choose_discards,
    describe_hand,
    describe_place,
)
from bourre_referee.luck.card_style import FOLLOWS, LEADS, CardStyle, play_tricks
from bourre_referee.luck.counterfactual_deals import CounterfactualTable, other_cards, real_cards
from bourre_referee.luck.style_luck import scale_by_trust
from tests.referee.model.test_style_luck import HOUSES, board_of, played_deal
from tests.referee.model.test_style_luck import SEED as LUCK_SEED

LIMIT = HouseRules.preset("limit")
SEED = master_seed(2424)
SEATS = 3

Board = tuple[PlayedBoard, tuple[int, ...]]
"""With what each seat won, in 1/840 chips."""


def trumps_of(view: View) -> int:
    return sum(card.suit == view.trump for card in view.hand)


def answer(view: View, bot: int) -> Declare | Draw | Play:
    """Bot 0 plays any trump, the others three; all throw away the rest, and play their lowest cards."""
    weak = tuple(card for card in view.hand if card.suit != view.trump)
    if view.decision == "declare":
        plays = trumps_of(view) >= (1 if bot == 0 else 3)
        return Declare(plays, weak if plays else ())
    return Draw(weak) if view.decision == "draw" else Play(view.legal[0])


def play_board(deal: int, line_up: tuple[int, ...]) -> Board:
    match, observer = Match(SEATS, deal, LIMIT, DuplicateChance(SEED), only=deal), LuckRecorder(SEATS)
    observer.hear(match.start())
    while not match.over:
        seat = match.to_act
        observer.hear(match.apply(seat, answer(match.view(seat), line_up[seat])))
    board = observer.board(deal, line_up)
    return board, settle_in_units(match.ledger.balances, match.ledger.pot)


@cache
def boards() -> tuple[Board, ...]:
    return tuple(play_board(deal, tuple(line_up)) for deal in range(1, 101) for line_up in seatings(SEATS, deal))


@cache
def first_lucks() -> list[tuple[int, ...]]:
    return style_luck([replace(board, drawing=None) for board, _ in boards()], LIMIT, SEED)


def by_deal(values: list[int]) -> list[int]:
    return [sum(values[at : at + SEATS]) for at in range(0, len(values), SEATS)]


def apart(by_seat: list[tuple[int, ...]]) -> list[int]:
    """What bot 0 has more than bot 1, deal by deal."""
    line_ups = [board.line_up for board, _ in boards()]
    return by_deal([of[seats.index(0)] - of[seats.index(1)] for of, seats in zip(by_seat, line_ups, strict=True)])


def test_its_mean_is_nothing_and_the_seats_add_up_to_nothing() -> None:
    found = first_lucks()
    assert {sum(board) for board in found} == {0}
    units = apart(found)
    assert stdev(units) > 0
    assert abs(mean(units)) < 4 * stdev(units) / sqrt(len(units))


def test_it_explains_what_bots_that_enter_otherwise_win() -> None:
    raw, luck = apart([units for _, units in boards()]), apart(first_lucks())
    left = [won - COEFFICIENT * units / ORDERS for won, units in zip(raw, luck, strict=True)]
    assert variance(left) < 0.6 * variance(raw)


def test_bots_that_enter_alike_have_the_same_luck() -> None:
    line_ups = [board.line_up for board, _ in boards()]
    found = [luck[seats.index(1)] - luck[seats.index(2)] for luck, seats in zip(first_lucks(), line_ups, strict=True)]
    assert stdev(by_deal(found)) < 0.5 * stdev(apart(first_lucks()))


def test_a_house_whose_dealer_names_the_trump_has_no_such_luck() -> None:
    nba = HouseRules.preset("nba")
    found = style_luck([replace(board_of(4, nba, deal), drawing=None) for deal in range(1, 4)], nba, SEED)
    assert not any(map(any, found))


def test_a_bot_that_tosses_a_coin_is_not_trusted() -> None:
    lessons, dice = BotLessons(), Random(1)
    for board, _ in boards():
        assert board.first
        for said in board.first.declared:
            lessons.hear_declaration(board.first, said._replace(plays=dice.random() < 0.5))
        lessons.learn()
    surplus, total = lessons.style.trust
    assert surplus / total < 0.2


def test_of_a_bot_of_which_nothing_is_known_it_expects_two_trumps_or_a_high_one() -> None:
    style = EntryLessons().style
    place = describe_place(1, 1)
    hands = {"2S 3S 4C 5C 6C": True, "QS 3H 4C 5C 6C": True, "JS 3H 4C 5C AC": False, "AH KH QH AC KC": False}
    for hand, plays in hands.items():
        assert style.plays(describe_hand(card_set(parse_cards(hand)), Suit.S) | place) is plays


def test_a_share_is_believed_by_how_often_a_bot_declared_as_expected() -> None:
    sure = BotLessons().style
    doubtful, unknown = sure._replace(trust=(4, 8)), sure._replace(trust=(0, 8))
    assert sum(scale_by_trust((840, -280, -560), [sure, doubtful, unknown])) == 0
    first, second = scale_by_trust((1120, 0, -1120), [sure] * 3), scale_by_trust((1120, 0, -1120), [doubtful] * 3)
    assert first == [2 * units for units in second] == [2400, 0, -2400]
    assert scale_by_trust((1120, 0, -1120), [unknown] * 3) == [0, 0, 0]


@pytest.mark.parametrize(
    ("hand", "facts"),
    [
        ("2C 3D 4H 5C 6D", {13}),
        ("TS 3D 4H 5C TD", {0, 13}),
        ("JS 3D 4H 5C JD", {0, 4, 9, 13}),
        ("QS 2S 4H 5C QD", {0, 1, 4, 5, 9, 13}),
        ("KS QS 2S KD 5C", {0, 1, 2, 4, 5, 6, 8, 9, 10, 13}),
        ("AS JS 3S 2S AD", {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 13}),
        ("AS AH KD QC 2C", {0, 4, 5, 6, 7, 9, 10, 11, 12, 13}),
        ("AH QD JC 3C 2C", {9, 10, 11, 13}),
    ],
)
def test_the_facts_of_a_hand_are_its_trumps_and_its_best_cards(hand: str, facts: set[int]) -> None:
    """By hand, spades being trumps."""
    assert describe_hand(card_set(parse_cards(hand)), Suit.S) == sum(1 << number for number in facts)


def test_the_facts_of_a_place_are_who_is_in_and_who_follows() -> None:
    assert [describe_place(rivals, 4) >> 14 for rivals in range(5)] == [0, 1, 3, 7, 7]
    assert [describe_place(0, to_come) >> 14 for to_come in range(5)] == [56, 48, 32, 32, 0]
    assert describe_place(2, 1) >> 14 == 3 + 48


def test_what_is_learned_of_entries_is_as_ever_and_lessons_without_news_teach_nothing() -> None:
    """A bot that tosses a coin; what it is expected to play of 60 hands is a number."""
    dice, lessons = Random(3), EntryLessons()
    hands = [card_set(shuffle(derive(SEED, f"{number}"), DECK)[:5]) for number in range(60)]

    def plays() -> int:
        place = describe_place(1, 2)
        return sum(lessons.style.plays(describe_hand(hand, Suit.S) | place) << at for at, hand in enumerate(hands))

    for deal in range(60):
        for turn in range(1 + deal % 3):
            facts = describe_hand(hands[(7 * deal + turn) % 60], Suit.S)
            lessons.add(facts | describe_place(turn, deal % 5), dice.random() < 0.5)
        lessons.learn()
    learned = plays()
    for _ in range(50):
        lessons.learn()
    assert f"{plays():x}" == f"{learned:x}" == "68524410c03001"


@pytest.mark.parametrize("rank", KEPT_RANKS)
def test_it_recognizes_what_is_kept(rank: int) -> None:
    counts = DiscardCounts()
    for number in range(60):
        hand = card_set(shuffle(derive(SEED, f"discards {number}"), DECK)[:5])
        counts.count(hand, Suit.H, choose_discards(hand, Suit.H, rank, 4), 4)
    assert counts.kept_rank == rank


def test_of_too_many_weak_cards_the_lowest_go() -> None:
    hand = card_set(parse_cards("2C 3C KD AH 6S"))
    assert DiscardCounts().kept_rank == 13  # before anything is known
    for rank, most, thrown in ((13, 5, "2C 3C"), (14, 5, "2C 3C KD"), (15, 5, "2C 3C KD AH"), (15, 3, "2C 3C KD")):
        assert choose_discards(hand, Suit.S, rank, most) == card_set(parse_cards(thrown))


@pytest.mark.parametrize("preset", PRESETS)
def test_an_imagined_deal_pays_out_its_pot_under_every_preset(preset: str) -> None:
    house = HouseRules.preset(preset)
    for seats in (2, 5, 8):
        table = CounterfactualTable(1, 7, [BotLessons().style] * seats, house)
        for number in range(10):
            assert sum(table.value(other_cards(seats, SEED, f"preset {number}", house))) == 7 * UNIT


@pytest.mark.parametrize("name", sorted(HOUSES.keys() - {"nba"}))
def test_other_decks_are_dealt_as_the_real_one(name: str) -> None:
    """Cards of another deck named like the real one are those of the real deal."""
    house = HOUSES[name]
    first = played_deal(house, 1, (0, 1, 2)).first
    assert first
    assert first.turned is not None
    dealt = other_cards(SEATS, LUCK_SEED, "deck 1", house)
    real = real_cards(first, first.turned, LUCK_SEED, "order", house)
    assert (dealt.hands, dealt.trump, dealt.dealer_is_obliged) == (real.hands, real.trump, real.dealer_is_obliged)
    assert sorted(dealt.stock.values()) == sorted(real.stock.values()) == list(first.undealt)


@pytest.mark.parametrize("preset", PRESETS)
def test_imagined_tricks_are_those_of_the_rules(preset: str) -> None:
    """A view of the same hands, played on by the same choices, gives the same tricks."""
    house, dice = HouseRules.preset(preset), Random(preset)
    for number in range(40):
        deck, players = shuffle(derive(SEED, f"tricks {number}"), DECK), 2 + number % 5
        hands = [card_set(deck[house.cards * at : house.cards * (at + 1)]) for at in range(players)]
        styles = [CardStyle(dice.choice(LEADS), dice.choice(FOLLOWS), dice.choice(FOLLOWS)) for _ in hands]
        assert play_tricks(hands, Suit.D, styles, house) == tricks_by_position(hands, Suit.D, styles, house)


def tricks_by_position(hands: list[int], trump: Suit, styles: list[CardStyle], house: HouseRules) -> list[int]:
    """Each card chosen from the position alone, and each trick taken by its best card."""
    left, won, leader, seen = [*hands], [0] * len(hands), 0, 0
    for _ in range(house.cards):
        trick: list[Card] = []
        for player in [*range(leader, len(hands)), *range(leader)]:
            hand, style = left[player], styles[player]
            legal = legal_plays(Position(hand, tuple(trick), trump, len(hands), won[player], seen, 0, house))
            wins = bool(trick) and any(best_card([*trick, card], trump) == card for card in cards_in(legal))
            choice = style.lead if not trick else style.win if wins else style.lose
            unseen = card_set(DECK) & ~(hand | seen | card_set(trick))
            card = choice(legal, unseen, SUIT_CARDS[trump]) if legal.bit_count() > 1 else highest(legal)
            left[player] ^= 1 << card
            trick.append(card)
        leader = (leader + trick.index(best_card(trick, trump))) % len(hands)
        won[leader] += 1
        seen |= card_set(trick)
    return won
