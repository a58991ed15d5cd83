"""Simulates deals with learned bots, to measure the luck of all cards, including the first hands."""

from __future__ import annotations

from collections.abc import Sequence

from learned import ACE, Model
from playings import LIMIT

from bourre.rules.cards import DECK, Card, card_set
from bourre.rules.deal_setup import SeatStock
from bourre.rules.deck import Chance, derive, shuffle
from bourre.rules.match import Match
from bourre.rules.pot import UNIT, settle, settle_in_units
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.luck.draw_luck import tricks_won

DECKS = 16
"""Number of other decks to compare the real one with."""


def deal_luck(models: Sequence[Model], chance: Chance, seed: bytes, deal: int) -> list[float]:
    """Returns how many more chips learned bots win with this deck than with others over all seatings; 0 on average."""
    seats = len(models)
    match = Match(seats, deal, LIMIT, chance, only=deal)
    match.start()
    dealer = match.deal.dealer
    total = [DECKS * units for units in _won(models, chance.deck(deal), dealer, deal)]
    for number in range(DECKS):
        other = shuffle(derive(seed, f"other deck {deal} {number}"), DECK)
        total = [sum_ - units for sum_, units in zip(total, _won(models, other, dealer, deal), strict=True)]
    return [units / DECKS / UNIT for units in total]


def _won(models: Sequence[Model], deck: Sequence[Card], dealer: int, deal: int) -> list[int]:
    """Returns winnings by bot, in 1/840 chips, over all seatings of this deal."""
    won = [0] * len(models)
    for line_up in seatings(len(models), deal):
        for bot, units in zip(line_up, simulate_deal([models[bot] for bot in line_up], deck, dealer), strict=True):
            won[bot] += units
    return won


def simulate_deal(models: Sequence[Model], deck: Sequence[Card], dealer: int) -> Sequence[int]:
    """Returns what each seat wins in 1/840 chips, under the preset `limit`, with this deck."""
    seats, dealt = len(models), len(models) * LIMIT.cards
    order = [(dealer + 1 + turn) % seats for turn in range(seats)]
    turned = deck[dealt - 1]
    stock = SeatStock(list(deck[dealt:]), lambda _, pile: list(pile), seats=seats)
    hands: dict[int, int] = {}
    for turn, seat in enumerate(order):
        hand = card_set(deck[turn:dealt:seats])
        obliged = seat == dealer and (not hands or turned.rank == ACE)
        if obliged or models[seat].comes_in(hand, turned.suit, len(hands), seats - 1 - turn):
            gone = models[seat].discards(hand, turned.suit, LIMIT.max_discards)
            served, _ = stock.serve(seat, gone.bit_count())
            stock.discard(gone)
            hands[seat] = hand & ~gone | served
        else:
            stock.fold(hand)
    won = tricks_won(list(hands.values()), turned.suit)
    settlement = settle(seats, dict(zip(hands, won, strict=True)), (), (), LIMIT)
    balances = [settlement.taken.get(seat, 0) - settlement.payments.get(seat, 0) - 1 for seat in range(seats)]
    return settle_in_units(balances, settlement.next_pot)
