"""Judges what each choice of a seat brings, in chips, and plays by it."""

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
from bourre_lab.champion.weights import Floats, frozen_networks

_HAND: Final = 5


class Judged(NamedTuple):
    """A choice, and what it is expected to bring."""

    choice: Choice
    chips: float
    """What the seat takes from the pot less what it pays from now to the deal's end, with an equal share of what is
    left in the pot; both as expected against the players of the champion's training."""


def judge(view: View) -> tuple[Judged, ...]:
    """Returns the sensible choices with what each is expected to bring, in chips.

    Discards that keep a card below one thrown away of the same suit are left out, and so is taking a turned card.
    """
    return judge_views([view])[0]


def judge_views(views: Sequence[View]) -> list[tuple[Judged, ...]]:
    """Judges many views at once, which takes a fraction of the time; the figures may differ in their last digits."""
    found: list[tuple[Judged, ...]] = [()] * len(views)
    for rows in _of_one_kind(views):
        alike = [views[row] for row in rows]
        choices = _judged_cards(alike) if alike[0].decision == Decision.PLAY else _judged_entries(alike)
        for row, view, judged in zip(rows, alike, choices, strict=True):
            stake = max(1, view.match)
            left = (view.pot - stake) / view.seats
            found[row] = tuple(Judged(choice, value * stake + left) for choice, value in judged)
    return found


def _of_one_kind(views: Sequence[View]) -> Collection[list[int]]:
    """Returns the places of views of one house and number of seats, which ask for a card, or for something else."""
    kinds: dict[tuple[HouseRules, int, bool], list[int]] = {}
    for row, view in enumerate(views):
        kinds.setdefault((view.house, view.seats, view.decision == Decision.PLAY), []).append(row)
    return kinds.values()


def _judged_cards(views: Sequence[View]) -> Iterator[list[tuple[Choice, float]]]:
    state, rows, exempt = _joined(views)
    inputs, order = card_features(state, rows, exempt, views[0].house)
    values = frozen_networks().cards(inputs)
    allowed = card_choices(np.array([card_set(view.legal) for view in views], dtype=np.uint64), order)
    cards = ordered_cards(order)
    for row in rows.tolist():
        places = np.flatnonzero(allowed[row])
        plays = [PLAYS[DECK[card - FIRST_CARD]] for card in cards[row, places].tolist()]
        yield list(zip(plays, values[row, places].tolist(), strict=True))


def _judged_entries(views: Sequence[View]) -> Iterator[list[tuple[Choice, float]]]:
    state, rows, exempt = _joined(views)
    inputs, order = entry_features(state, rows, exempt, views[0].house)
    values = frozen_networks().entry(inputs)
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
    """Returns what not paying the next ante is worth, as a share of the pot; nothing where deals are settled singly.

    A view does not tell how deals are settled. Where all have paid the same so far, as at the start of each deal that
    is settled by itself, it is taken to be so.
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
    return Draw(discards) if view.plays[view.seat] else Declare(True, discards)


class ChampionBot(Bot):
    """Takes the choice that brings most, after an error of judgement of normal distribution."""

    blur = 0.0
    """The standard deviation of the error, as a share of what going bourré costs."""

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
        """Returns the choice that this bot takes, with its own judgement of it."""
        return max(self.judged(view), key=lambda judged: judged.chips)

    def judged(self, view: View) -> tuple[Judged, ...]:
        """Returns the choices as this bot judges them."""
        judged = judge(view)
        if not self.blur:
            return judged
        rng, size = view.rng, self.blur * view.match
        return tuple(Judged(choice, chips + rng.gauss(0, size)) for choice, chips in judged)
