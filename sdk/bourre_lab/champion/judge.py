"""Judges the expected chips of each choice of a seat, and plays by them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from bourre.bot import Bot
from bourre.rules.actions import PLAYS, Choice, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import DECK, Card, Suit, card_set
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre_lab.batch_deals.card_sets import FIRST_CARD, Ints, sorted_cards
from bourre_lab.batch_deals.state import State
from bourre_lab.champion.judged_choices import COMES_IN, DISCARDS, NAMES, PASSES, card_choices, entry_choices, slots_of
from bourre_lab.champion.network_inputs import card_features, entry_features, ordered_cards
from bourre_lab.champion.view_state import stacked, state_of
from bourre_lab.champion.weights import CHAMPION, Floats, NeuralNetwork, frozen_networks

_HAND: Final = 5


class Judged(NamedTuple):
    """A choice and its expected chips."""

    choice: Choice
    chips: float
    """The seat's chips from the pot, minus its payments from now to the deal's end, plus an equal share of the pot that
    is left. It is the expectation against the opponents of the champion's training."""


def judge(view: View) -> tuple[Judged, ...]:
    """Returns the sensible choices with their expected chips.

    Leaves out discards that keep a card below a discarded one of the same suit. A dealer who may take the turned card
    takes it with any discards; their chips are those of discarding without it.
    """
    return judge_views([view])[0]


def judge_views(views: Sequence[View], networks: str = CHAMPION) -> list[tuple[Judged, ...]]:
    """Judges many views at once in a fraction of the time. The figures may differ in their last digits.

    `networks` is a name in `bourre_lab.champion.weights.SHA256`.
    """
    judges = frozen_networks(networks)
    found: list[tuple[Judged, ...]] = [()] * len(views)
    for rows in _of_one_kind(views):
        alike = [views[row] for row in rows]
        plays = alike[0].decision == Decision.PLAY
        choices = _judged_cards(alike, judges.cards) if plays else _judged_entries(alike, judges.entry)
        for row, view, judged in zip(rows, alike, choices, strict=True):
            stake = max(1, view.match)
            left = (view.pot - stake) / view.seats
            found[row] = tuple(Judged(choice, value * stake + left) for choice, value in judged)
    return found


def _of_one_kind(views: Sequence[View]) -> Collection[list[int]]:
    """Returns the places of similar views: one table's house rules and size, and all for a card or all for others."""
    kinds: dict[tuple[HouseRules, int, bool], list[int]] = {}
    for row, view in enumerate(views):
        kinds.setdefault((view.house, view.seats, view.decision == Decision.PLAY), []).append(row)
    return kinds.values()


def _judged_cards(views: Sequence[View], network: NeuralNetwork) -> Iterator[list[tuple[Choice, float]]]:
    state, rows, exempt = _joined(views)
    inputs, order = card_features(state, rows, exempt, views[0].house)
    values = network(inputs)
    allowed = card_choices(np.array([card_set(view.legal) for view in views], dtype=np.uint64), order)
    cards = ordered_cards(order)
    for row in rows.tolist():
        places = np.flatnonzero(allowed[row])
        plays = [PLAYS[DECK[card - FIRST_CARD]] for card in cards[row, places].tolist()]
        yield list(zip(plays, values[row, places].tolist(), strict=True))


def _judged_entries(views: Sequence[View], network: NeuralNetwork) -> Iterator[list[tuple[Choice, float]]]:
    state, rows, exempt = _joined(views)
    inputs, order = entry_features(state, rows, exempt, views[0].house)
    values = network(inputs)
    hands = state.hands[rows, state.to_act]
    most = np.array([[view.max_discards] for view in views])
    allowed = entry_choices(state.asked, hands, state.trump, most)
    slots, cards = slots_of(hands, state.trump), sorted_cards(hands, _HAND)
    best_first = np.take_along_axis(cards, slots, axis=1)
    for row, view in enumerate(views):
        places = np.flatnonzero(allowed[row])
        hand = [DECK[card - FIRST_CARD] for card in best_first[row].tolist() if card < FIRST_CARD + len(DECK)]
        choices = [_entry_choice(place, hand, order[row].tolist(), view) for place in places.tolist()]
        yield list(zip(choices, values[row, places].tolist(), strict=True))


def _joined(views: Sequence[View]) -> tuple[State, Ints, Floats]:
    state = stacked([state_of(view) for view in views])
    exempt = np.array([exemption(view) for view in views], dtype=np.float32)
    return state, np.arange(len(views)), exempt


def exemption(view: View) -> float:
    """Returns the value of an exemption from the next ante, as a share of the pot; 0 if deals are settled alone.

    A view does not contain this fact. If all seats have paid the same so far, as at the start of each deal that is
    settled alone, the deals are assumed to be settled alone.
    """
    house = view.house
    if not house.spares_bourred or len(set(view.balances)) == 1:
        return 0.0
    return house.ante / max(1, view.match)


def _entry_choice(place: int, best_first: list[Card], order: list[int], view: View) -> Choice:
    asked_to_stay = view.decision == "stay"
    if place == PASSES:
        return Stay(False) if asked_to_stay else Declare(False)
    if place == COMES_IN:
        return Stay(True) if asked_to_stay else Declare(True)
    if place >= NAMES:
        return NameTrump(Suit(order[place - NAMES]))
    discards = tuple(sorted(card for slot, card in enumerate(best_first) if (place - DISCARDS) >> slot & 1))
    takes = view.may_take_turned and bool(discards)
    return Draw(discards, takes) if view.plays[view.seat] else Declare(True, discards, takes)


class ChampionBot(Bot):
    """Takes the choice with the most expected chips, after a normally distributed error of judgement."""

    networks = CHAMPION
    """A name in `bourre_lab.champion.weights.SHA256`."""
    blur = 0.0
    """The standard deviation of the error, as a share of the cost of going bourré."""

    def declare(self, view: View) -> bool:
        choice = self.best(view).choice
        return isinstance(choice, Declare) and choice.plays

    def draw(self, view: View) -> tuple[Card, ...]:
        draws = [judged for judged in self.judged(view) if judged.choice != Declare(False)]
        choice = max(draws, key=lambda judged: judged.chips).choice
        return choice.discards if isinstance(choice, Declare | Draw) else ()

    def take_turned(self, view: View) -> bool:
        return True

    def name_trump(self, view: View) -> Suit:
        choice = self.best(view).choice
        assert isinstance(choice, NameTrump)
        return choice.trump

    def stay(self, view: View) -> bool:
        return self.best(view).choice == Stay(True)

    def play(self, view: View) -> Card:
        choice = self.best(view).choice
        assert isinstance(choice, Play)
        return choice.card

    def best(self, view: View) -> Judged:
        """Returns this bot's choice, with its own judgement of it."""
        return max(self.judged(view), key=lambda judged: judged.chips)

    def judged(self, view: View) -> tuple[Judged, ...]:
        """Returns the choices in this bot's judgement."""
        (judged,) = judge_views([view], self.networks)
        if not self.blur:
            return judged
        rng, size = view.rng, self.blur * view.match
        return tuple(Judged(choice, chips + rng.gauss(0, size)) for choice, chips in judged)
