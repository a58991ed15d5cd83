"""Lockstep deals follow `bourre.rules`: the same decisions, legal cards and chips, with every preset."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from bourre.lockstep import ACTIONS, CARD_ACTIONS, Asked, LockstepDeals, random_decks
from bourre.lockstep.actions import COME_IN, NAME_TRUMP, PASS, SUBSETS, TAKE
from bourre.lockstep.card_sets import FIRST_CARD, Ints
from bourre.rules.actions import Action, Decision, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import DECK, Card, Suit
from bourre.rules.deck import SeededChance
from bourre.rules.events import DealEnded, Event
from bourre.rules.house import PRESET_SEATS, PRESETS, HouseRules
from bourre.rules.match import Match

DEALS = 24


class FixedChance(SeededChance):
    """Deals one deck, and shuffles by fixed orders of all cards."""

    def __init__(self, deck: Iterable[int], orders: Ints) -> None:
        super().__init__(bytes(32))
        self._deck = [DECK[card - FIRST_CARD] for card in deck]
        self._orders = orders

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


def check_decision(deals: LockstepDeals, row: int, match: Match, legal: Ints) -> None:
    """Asserts that both ask the same seat for the same decision, with the same legal answers."""
    assert match.to_act == deals.to_act[row]
    view = match.view(match.to_act)
    asked = Asked(int(deals.asked[row]))
    if match.decision == Decision.PLAY:
        assert asked == Asked.PLAY
        assert {int(card) for card in view.legal} == {int(action) - CARD_ACTIONS for action in legal}
        return
    assert asked.name == match.decision.name or (asked, match.decision) == (Asked.ENTER, Decision.DECLARE)
    if asked in (Asked.ENTER, Asked.DRAW):
        plain = legal[(legal >= COME_IN) & (legal < TAKE)] - COME_IN
        assert all(int(subset).bit_count() <= view.max_discards for subset in plain)
        assert len(plain) == sum(subset.bit_count() <= view.max_discards for subset in range(1 << len(view.hand)))


@pytest.mark.parametrize("preset", [*PRESETS, "divide", "honours"])
@pytest.mark.parametrize("seats", range(2, 9))
def test_random_play_is_the_same_as_in_the_rules(preset: str, seats: int) -> None:
    if seats > PRESET_SEATS.get(preset, 8):
        pytest.skip("this preset is for fewer seats")
    house = _house(preset)
    rng = np.random.default_rng([seats, len(preset)])
    decks = random_decks(DEALS, rng)
    orders = np.stack([random_decks(DEALS, rng) for _ in range(12)], axis=1)
    deals = LockstepDeals(house, seats)
    deals.reset(decks, house.ante * seats, lambda rows, times: orders[rows, times])
    matches = [new_match(deck, order, house, seats) for deck, order in zip(decks, orders, strict=True)]
    ends: dict[int, DealEnded] = {}
    for row, match in enumerate(matches):
        note_ends(ends, row, match.start())
    while not deals.all_over:
        legal = deals.legal_actions()
        assert legal.shape == (DEALS, ACTIONS)
        assert (legal.any(axis=1) == ~deals.over).all()
        actions = (legal * rng.random(legal.shape)).argmax(axis=1)
        for row in map(int, np.flatnonzero(~deals.over)):
            match = matches[row]
            check_decision(deals, row, match, np.flatnonzero(legal[row]))
            choice = choice_of(int(actions[row]), match, match.to_act)
            note_ends(ends, row, match.apply(match.to_act, choice))
        deals.step(actions)
    check_chips(deals, ends, house)


def _house(preset: str) -> HouseRules:
    if preset == "divide":
        return HouseRules.preset("separate_rounds", tie="divide", trump_card="separate_returned", pot_limit=4)
    if preset == "honours":
        return HouseRules.preset("pagat", lead_honour="highest", lead_honour_when="first", cinch_adjacent=False)
    return HouseRules.preset(preset)


def check_chips(deals: LockstepDeals, ends: dict[int, DealEnded], house: HouseRules) -> None:
    """Asserts that each deal ended with the chips and the pot of the rules."""
    settled = deals.settle()
    for row, end in ends.items():
        chips = settled.chips[row] - deals.state.paid[row] - house.ante
        assert end.balances == tuple(chips.tolist())
        assert end.pot == settled.next_pot[row]
    assert len(ends) == DEALS


def test_cards_that_a_seat_cannot_hold_are_never_in_its_hand() -> None:
    rng = np.random.default_rng(3)
    deals = LockstepDeals(HouseRules.preset("limit"), 5)
    deals.reset(random_decks(200, rng), 5)
    ruled_out = 0
    while not deals.all_over:
        assert not (deals.state.hands & deals.state.barred_cards).any()
        ruled_out += int(np.bitwise_count(deals.state.barred_cards).sum())
        deals.step((deals.legal_actions() * rng.random((200, ACTIONS))).argmax(axis=1))
    assert ruled_out > 1000
