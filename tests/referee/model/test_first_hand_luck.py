"""The luck of the first hands in the baseline `bot styles`: what is learned of entries and discards, and its mean."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random
from statistics import mean, stdev, variance

import pytest

from bourre.rules.actions import Declare, Draw, Play
from bourre.rules.cards import DECK, Suit, card_set, parse_cards
from bourre.rules.deck import DuplicateChance, derive, master_seed, shuffle
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle_in_units
from bourre.rules.visibility import View
from bourre_referee.model.luck import COEFFICIENT, ORDERS, DrawObserver, PlayedBoard, style_luck
from bourre_referee.model.luck.bot_style import BotLessons
from bourre_referee.model.luck.card_choices import FOLLOWS, LEADS
from bourre_referee.model.luck.card_style import CardStyle
from bourre_referee.model.luck.deal_luck import scale_by_trust
from bourre_referee.model.luck.discard_style import KEPT_RANKS, DiscardCounts, choose_discards
from bourre_referee.model.luck.entry_style import EntryLessons, describe_hand, describe_place
from bourre_referee.model.luck.imagined_deals import ImaginedTable, other_cards, real_cards
from bourre_referee.model.luck.imagined_tricks import play_tricks
from bourre_referee.model.luck.trick_playout import TrickPlayout
from bourre_referee.schedule.duplicate_seatings import seatings
from tests.referee.model.test_style_luck import board_of, chosen

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
    match, observer = Match(SEATS, deal, LIMIT, DuplicateChance(SEED), only=deal), DrawObserver(SEATS)
    observer.hear(match.start())
    while not match.over:
        seat = match.to_act
        observer.hear(match.apply(seat, answer(match.view(seat), line_up[seat])))
    board = observer.board(deal, line_up)
    return board, settle_in_units(match.ledger.balances, match.ledger.pot)


@cache
def boards() -> tuple[Board, ...]:
    return tuple(play_board(deal, tuple(line_up)) for deal in range(1, 101) for line_up in seatings(SEATS, deal))


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


def test_it_learns_which_hands_a_bot_plays_and_what_it_keeps() -> None:
    bold, cautious = BotLessons(), BotLessons()
    told = [0, 0]
    for board, _ in boards():
        assert board.first
        for said in board.first.declared:
            bot = board.line_up[said.seat]
            if bot < 2:
                (bold, cautious)[bot].hear_declaration(board.first, said)
                told[bot] += 1
        for seat, hand, thrown in board.first.discarded:
            if board.line_up[seat] == 0:
                bold.hear_discard(board.first, hand, thrown, LIMIT)
        bold.learn()
        cautious.learn()
    for lessons, number in ((bold, told[0]), (cautious, told[1])):
        surplus, total = lessons.style.trust
        assert total == number + 8
        assert 0.85 < surplus / total <= 1
    assert bold.style.kept_rank == 15  # no side card is kept, not even an ace


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


@pytest.mark.parametrize("rank", KEPT_RANKS)
def test_it_recognizes_what_is_kept(rank: int) -> None:
    counts = DiscardCounts()
    for number in range(60):
        hand = card_set(shuffle(derive(SEED, f"discards {number}"), DECK)[:5])
        counts.count(hand, Suit.H, choose_discards(hand, Suit.H, rank, 4), 4)
    assert counts.kept_rank == rank


def test_of_too_many_weak_cards_the_lowest_go() -> None:
    assert choose_discards(card_set(parse_cards("2C 3C 4C 5C 6C")), Suit.S, 15, 3) == card_set(parse_cards("2C 3C 4C"))


@pytest.mark.parametrize("preset", PRESETS)
def test_an_imagined_deal_pays_out_its_pot_under_every_preset(preset: str) -> None:
    house = HouseRules.preset(preset)
    for seats in (2, 5, 8):
        table = ImaginedTable(1, 7, [BotLessons().style] * seats, house)
        for number in range(10):
            assert sum(table.value(other_cards(seats, SEED, f"preset {number}", house))) == 7 * UNIT


def test_other_decks_are_dealt_as_the_real_one() -> None:
    """Cards of another deck named like the real one are those of the real deal."""
    board, _ = boards()[0]
    first = board.first
    assert first
    assert first.turned is not None
    dealt = other_cards(SEATS, SEED, "deck 1", LIMIT)
    real = real_cards(first, first.turned, SEED, "order", LIMIT)
    assert (dealt.hands, dealt.trump, dealt.dealer_is_obliged) == (real.hands, real.trump, real.dealer_is_obliged)
    assert sorted(dealt.stock.values()) == sorted(real.stock.values()) == list(first.undealt)


@pytest.mark.parametrize("preset", PRESETS)
def test_imagined_tricks_are_those_of_the_rules(preset: str) -> None:
    house, dice = HouseRules.preset(preset), Random(preset)
    for number in range(40):
        deck, players = shuffle(derive(SEED, f"tricks {number}"), DECK), 2 + number % 5
        hands = [card_set(deck[house.cards * at : house.cards * (at + 1)]) for at in range(players)]
        styles = [CardStyle(dice.choice(LEADS), dice.choice(FOLLOWS), dice.choice(FOLLOWS)) for _ in hands]
        playout = TrickPlayout(hands, Suit.D, house)
        while not playout.over:
            playout.play(chosen(styles[playout.to_act], playout.situation, playout.trumps))
        assert play_tricks(hands, Suit.D, styles, house) == playout.won


def test_what_was_declared_is_noted_with_its_place() -> None:
    for board, _ in boards()[:30]:
        first = board.first
        assert first
        assert sum(map(int.bit_count, first.hands)) + len(first.undealt) == 52
        assert first.pot == SEATS
        assert not any(thrown & ~hand for _, hand, thrown in first.discarded)
        for before, said in zip(first.declared, first.declared[1:], strict=False):
            assert (said.rivals, said.to_come) == (before.rivals + before.plays, before.to_come - 1)
