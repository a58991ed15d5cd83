"""The baseline `bot styles`: its known values, it learns from earlier deals alone, and its mean is 0."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from random import Random

import pytest

from bourre.rules.actions import Action, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import SUIT_CARDS, Suit, card_set, highest, lowest, parse_cards, show
from bourre.rules.deck import DuplicateChance, derive, master_seed, shuffle
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.luck import BASELINE, Baseline, LuckRecorder, PlayedBoard, luck_of_match, style_luck
from bourre_referee.luck.card_style import FOLLOWS, LEADS, CardStyle, StyleCounts, play_tricks
from bourre_referee.luck.draw_luck import draw_cards
from bourre_referee.luck.style_luck import STYLE_ORDERS
from tests.sdk.random_answers import play_randomly

LIMIT = HouseRules.preset("limit")
SEED = master_seed(24)
UNKNOWN = StyleCounts().style
BASELINES: tuple[Baseline | None, ...] = (None, BASELINE)


def cards(text: str) -> int:
    return card_set(parse_cards(text))


def answer(view: View, bot: int) -> Action:
    """Four bots that come in, throw away and play in different ways; 0 and 1 differ only in how they play."""
    if view.decision == "name_trump":
        return NameTrump(view.hand[-1 - bot % 2].suit)
    if view.decision == "play":
        careless = bot == 3 and view.correcting is None
        choices = view.hand if careless else view.legal
        return Play(choices[-1] if bot == 0 or (bot == 2 and not view.trick) else choices[0])
    trumps = [card for card in view.hand if card.suit == view.trump]
    enters = len(trumps) > bot // 2 or any(card.rank > 10 for card in trumps)
    if view.decision == "stay":
        return Stay(enters)
    weak = [card for card in view.hand if card.suit != view.trump and card.rank < (13, 13, 15, 8)[bot]]
    thrown, takes = tuple(weak[: view.max_discards]), view.may_take_turned and bool(weak) and bot % 2 == 0
    if view.decision == "draw":
        return Draw(thrown, takes)
    return Declare(True, thrown, takes) if enters and view.house.declare_mode == "turn" else Declare(enters)


def played_deal(house: HouseRules, deal: int, line_up: tuple[int, ...]) -> PlayedBoard:
    """A deal between these bots in these seats."""
    match, observer = Match(len(line_up), 1000, house, DuplicateChance(SEED), only=deal), LuckRecorder(len(line_up))
    observer.hear(match.start())
    while not match.over:
        observer.hear(match.apply(match.to_act, answer(match.view(match.to_act), line_up[match.to_act] % 4)))
    return observer.board(deal, line_up)


def seated_deals(house: HouseRules, seats: int, deals: int) -> list[PlayedBoard]:
    """Deals in all their seatings."""
    return [played_deal(house, deal, line_up) for deal in range(1, deals + 1) for line_up in seatings(seats, deal)]


KNOWN_LUCK = {
    "pagat": "b2cba4ef0e13f258",
    "limit": "92ca861a1eaef22d",
    "double_ante": "399320482fa9df76",
    "separate_rounds": "b2cba4ef0e13f258",
    "simultaneous": "b2cba4ef0e13f258",
    "separate_dead": "efaa77dacfa85867",
    "separate_dealer_option": "539a6613fb955a82",
    "wikipedia": "fa928da6b2ae97cc",
    "bicycle": "205da5ccc3553789",
    "nba": "527b3ac88a7bfcd9",
    "indiana": "2abdd68a22f9b77c",
    "booray": "f959f6a2863c6235",
    "returned": "81576dbe34a253e8",
}
RETURNED = HouseRules(
    trump_card="separate_returned", tie="divide", seven_player_limit=3, lead_honour="highest", must_overtrump=False
)
HOUSES = {preset: HouseRules.preset(preset) for preset in PRESETS} | {"returned": RETURNED}


@pytest.mark.parametrize(("name", "known"), KNOWN_LUCK.items())
def test_the_luck_is_as_ever_in_every_seating_of_every_deal(name: str, known: str) -> None:
    """If this changes, the runs of earlier versions are no longer verified."""
    house = HOUSES[name]
    matches = [seated_deals(house, 4, 6 if name == "limit" else 2), seated_deals(house, 7, 1)]
    found = [luck_of_match(boards, house, SEED, baseline) for boards in matches for baseline in BASELINES]
    assert {sum(board) for match in found for board in match} == {0}
    assert sha256(repr(found).encode()).hexdigest()[:16] == known


def board_of(seats: int, house: HouseRules, deal: int, clumsiness: float = 0.0) -> PlayedBoard:
    """A deal, played at random from its own dice."""
    match = Match(seats, 1000, house, DuplicateChance(SEED), only=deal)
    observer = LuckRecorder(seats)
    for _, _, events in play_randomly(match, Random(deal), clumsiness):
        observer.hear(events)
    return observer.board(deal, tuple((seat + deal) % seats for seat in range(seats)))


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
    boards = [board_of(3, LIMIT, deal, 0.1) for deal in range(1, 17)]
    found = style_luck(boards, LIMIT, SEED)
    for kept in (5, 15):
        unplayed = [*boards[: kept - 1], *(replace(board, played=None) for board in boards[kept - 1 :])]
        assert style_luck(unplayed, LIMIT, SEED)[:kept] == found[:kept]
    blind = style_luck([replace(board, played=None) for board in boards], LIMIT, SEED)
    assert blind != found  # what earlier deals showed does change it


def test_the_order_in_which_boards_finish_changes_nothing() -> None:
    boards = seated_deals(LIMIT, 3, 4)
    turned = style_luck(boards[::-1], LIMIT, SEED)
    assert turned[::-1] == style_luck(boards, LIMIT, SEED)


@pytest.mark.parametrize(
    ("legal", "unseen", "leads", "follows"),
    [
        ("2S 9S 4H KH", "TS AH", "KH 2S 9S KH 2S 4H KH 4H", "2S KH 4H 4H"),
        ("2S 9S 4H KH", "3H", "KH 2S 9S KH 2S 4H 9S 9S", "2S KH 4H 2S"),
        ("5C JD QH", "KH QC", "QH 5C QH QH 5C 5C JD JD", "5C QH 5C JD"),
        ("2S 9S", "TS", "9S 2S 9S 9S 2S 2S 9S 2S", "2S 9S 2S 2S"),
        ("3C AH", "2S 4C", "AH 3C AH AH 3C 3C AH 3C", "3C AH 3C 3C"),
        ("2C KD AH", "3C", "AH 2C AH AH 2C 2C AH AH", "2C AH 2C KD"),
    ],
)
def test_each_way_to_choose_chooses_its_card(legal: str, unseen: str, leads: str, follows: str) -> None:
    """By hand, spades being trumps."""
    for ways, told in ((LEADS, leads), (FOLLOWS, follows)):
        assert show(way(cards(legal), cards(unseen), SUIT_CARDS[Suit.S]) for way in ways) == told


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
