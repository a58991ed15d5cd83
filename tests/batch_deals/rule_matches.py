"""Lockstep deals beside matches of `bourre.rules` with the same cards and choices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from bourre.rules.actions import Action, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import DECK, Card, Suit
from bourre.rules.deck import SeededChance
from bourre.rules.events import DealEnded, Event
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre_lab.batch_deals import CARD_ACTIONS, LockstepDeals, random_decks
from bourre_lab.batch_deals.action_numbers import COME_IN, NAME_TRUMP, PASS, SUBSETS, TAKE
from bourre_lab.batch_deals.card_sets import FIRST_CARD, Flags, Ints

MOST_GATHERINGS = 12


class FixedChance(SeededChance):
    """Deals one deck, shuffles by fixed orders of all cards, and lets every seat pay a stake first."""

    def __init__(self, deck: Iterable[int], orders: Ints, stake: int = 0) -> None:
        super().__init__(bytes(32))
        self._deck = [DECK[card - FIRST_CARD] for card in deck]
        self._orders = orders
        self._stake = stake

    def stake(self, deal: int) -> int:
        return self._stake

    def deck(self, deal: int) -> list[Card]:
        return list(self._deck)

    def shuffle_gathered(self, deal: int, time: int, cards: Iterable[Card]) -> list[Card]:
        places = {card: place for place, card in enumerate(self._orders[time].tolist())}
        return sorted(cards, key=lambda card: places[card + 0])

    def shuffle_returned(self, deal: int, cards: Iterable[Card]) -> list[Card]:
        return self.shuffle_gathered(deal, 0, cards)


def choice_of(action: int, match: Match, seat: int) -> Action:
    """Returns the choice of `bourre.rules` that this action stands for."""
    if action >= NAME_TRUMP + 4:
        return Play(DECK[action - CARD_ACTIONS - FIRST_CARD])
    if action >= NAME_TRUMP:
        return NameTrump(Suit(action - NAME_TRUMP))
    hand = match.view(seat).hand
    subset = (action - COME_IN) % SUBSETS
    cards = tuple(card for place, card in enumerate(hand) if subset >> place & 1) if action else ()
    if match.decision == Decision.STAY:
        return Stay(action != PASS)
    if match.decision == Decision.DRAW:
        return Draw(cards, action >= TAKE)
    return Declare(action != PASS, cards, action >= TAKE)


def new_match(deck: Ints, orders: Ints, house: HouseRules, seats: int) -> Match:
    """Returns a match of two deals, so that what the first one leaves behind can be seen."""
    return Match(seats, 2, replace(house, first_dealer=seats - 1), FixedChance(deck.tolist(), orders))


def note_ends(ends: dict[int, DealEnded], row: int, events: Iterable[Event]) -> None:
    """Notes how the first deal of a match ends."""
    for event in events:
        if isinstance(event, DealEnded) and event.deal == 1:
            ends[row] = event


def never(_: object) -> object:
    """Fails: no bot of these tests answers later."""
    raise AssertionError("this bot answers at once")


class SameDeals:
    """Deals in step, and a match of the rules for each."""

    def __init__(self, house: HouseRules, seats: int, count: int, rng: np.random.Generator, keen: float = 1.0) -> None:
        """The less `keen`, the more often a random answer is to pass."""
        decks = random_decks(count, rng)
        orders = np.stack([random_decks(count, rng) for _ in range(MOST_GATHERINGS)], axis=1)
        self.rng = rng
        self.keen = keen
        self.deals = LockstepDeals(house, seats)
        self.deals.reset(decks, house.ante * seats, lambda rows, times: orders[rows, times])
        self.matches = [new_match(deck, order, house, seats) for deck, order in zip(decks, orders, strict=True)]
        self.ends: dict[int, DealEnded] = {}
        for row, match in enumerate(self.matches):
            note_ends(self.ends, row, match.start())

    def steps(self) -> Iterator[Flags]:
        """Yields the legal actions before each step, of shape (deals, actions), then plays random ones in both."""
        while not self.deals.all_over:
            legal = self.deals.legal_actions()
            yield legal
            lots = legal * self.rng.random(legal.shape)
            lots[:, COME_IN:] *= self.keen
            actions = lots.argmax(axis=1)
            for row in self.open_rows():
                match = self.matches[row]
                choice = choice_of(int(actions[row]), match, match.to_act)
                note_ends(self.ends, row, match.apply(match.to_act, choice))
            self.deals.step(actions)

    def open_rows(self) -> list[int]:
        """The deals that are not over."""
        rows: list[int] = np.flatnonzero(~self.deals.over).tolist()
        return rows
