"""Deals whose cards chance chooses one by one, and OpenSpiel's own tests of the game made of them."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pyspiel
import pytest

import bourre_lab.envs.openspiel  # registers the game
from bourre import HouseRules, InvalidAction, InvalidHouse
from bourre.rules.cards import DECK
from bourre.rules.events import Drew, StockGathered
from bourre.rules.house import MAX_SEATS, PRESET_SEATS
from bourre_lab.envs.card_by_card import CardByCard
from bourre_lab.envs.episode import EpisodeTerms
from tests.sdk.envs.tables import HOUSES, sizes

assert bourre_lab.envs.openspiel.__name__ == "bourre_lab.envs.openspiel"


@pytest.mark.parametrize("preset", HOUSES)
def test_openspiel_finds_nothing_wrong(preset: str) -> None:
    seats = {"limit": 3, "wikipedia": 7, "separate_dealer_option": 2}.get(preset, 4)
    game = pyspiel.load_game(f"bourre(players={seats},preset={preset})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def play(game: str, seed: int) -> pyspiel.State:
    """Plays one deal at random."""
    dice, state = Random(seed), pyspiel.load_game(game).new_initial_state()
    while not state.is_terminal():
        chances = state.chance_outcomes() if state.is_chance_node() else []
        state.apply_action(dice.choice([outcome for outcome, _ in chances] or state.legal_actions()))
    return state


@pytest.mark.parametrize("preset", HOUSES)
def test_chips_add_up_and_stay_within_the_bounds(preset: str) -> None:
    for seed in range(3):
        state = play(f"bourre(players={max(sizes(preset))},preset={preset},stake=3)", seed)
        game = state.get_game()
        assert sum(state.returns()) == 0
        assert game.min_utility() <= min(state.returns()) <= max(state.returns()) <= game.max_utility()
        moves = [player for player in (move.player for move in state.full_history()) if player >= 0]
        assert len(moves) <= game.max_game_length()
        assert len(state.full_history()) - len(moves) <= game.max_chance_nodes_in_history()


def test_a_game_tells_its_bounds_its_moves_and_to_each_seat_its_own_answers() -> None:
    game = pyspiel.load_game("bourre(players=3,preset=double_ante,stake=2)")
    assert (game.min_utility(), game.max_utility()) == (-20, 45)
    assert (game.max_game_length(), game.max_chance_nodes_in_history()) == (25, 32)
    state = game.new_initial_state()
    assert (str(state), state.observation_string(0)) == ("not dealt yet",) * 2
    assert state.action_to_string(state.current_player(), 1) == "seat 1 deals"
    state.apply_action(1)
    assert state.action_to_string(state.current_player(), 51) == "AS"
    for card in range(15):
        assert not any(state.observation_tensor(2))
        state.apply_action(card)
    assert str(state) == " ".join(map(str, [1, *range(15)]))
    assert (state.current_player(), state.returns()) == (2, [0, 0, 0])
    assert [state.action_to_string(2, action) for action in (0, 1, 2)] == ["pass", "in", "in 2C"]
    state.apply_action(2)
    assert any(state.observation_tensor(2))
    assert ["answers in 2C" in state.information_state_string(seat) for seat in range(3)] == [False, False, True]


def test_text_of_observations_hides_the_cards_of_others() -> None:
    game = pyspiel.load_game("bourre(players=2,preset=separate_rounds)")
    states = [game.new_initial_state(), game.new_initial_state()]
    order = list(range(52))
    other = [*order[:1], 20, *order[2:]]  # the second card dealt, which goes to the dealer, differs
    for state, cards in zip(states, (order, other), strict=True):
        state.apply_action(1)  # seat 1 deals
        for card in cards[:10]:
            state.apply_action(card)
    first, second = states
    assert first.information_state_string(0) == second.information_state_string(0)
    assert first.information_state_string(1) != second.information_state_string(1)
    assert first.observation_string(0) == second.observation_string(0)
    assert first.observation_tensor(0) == second.observation_tensor(0)
    assert first.observation_tensor(1) != second.observation_tensor(1)


def deal_cards(deal: CardByCard, dice: Random) -> list[int]:
    """Lets chance choose until a seat is asked; returns what it chose."""
    chosen = []
    while deal.by_chance:
        chosen.append(dice.choice(deal.outcomes()))
        deal.choose(chosen[-1])
    return chosen


@pytest.mark.parametrize("preset", [*HOUSES, "returned"])
def test_every_seat_gets_the_cards_that_chance_chose(preset: str) -> None:
    """Also out of a stock with the turned card (R3.2), and of gathered piles: eight seats use the stock up (R4.4)."""
    house = HOUSES.get(preset, HouseRules(trump_card="separate_returned"))
    seats = PRESET_SEATS.get(preset, MAX_SEATS)
    gathered = 0
    for seed in range(4):
        dice, deal = Random(seed), CardByCard(EpisodeTerms(seats, 1, house))
        deal_cards(deal, dice)
        while not deal.episode.over:
            legal = [action for action, flag in enumerate(deal.episode.legal()) if flag]
            decision = deal.episode.view().decision
            deal.step(legal[-1] if decision in ("declare", "draw") else dice.choice(legal))
            chosen = deal_cards(deal, dice)
            events = deal.episode.events
            received = [card for event in events if isinstance(event, Drew) for card in event.received or ()]
            assert sorted(received) == sorted(DECK[place] for place in chosen)
            gathered += any(isinstance(event, StockGathered) for event in events)
    most_drawn = seats * (house.cards + house.most_discards(seats)) + 1
    assert bool(gathered) == (most_drawn > len(DECK))


def test_a_copy_goes_its_own_way() -> None:
    dice, deal = Random(2), CardByCard(EpisodeTerms(3, 1, HOUSES["limit"]), stake=2)
    deal_cards(deal, dice)
    drawing = max(action for action, flag in enumerate(deal.episode.legal()[:33]) if flag)
    deal.step(drawing)
    copy = deepcopy(deal)
    assert copy.outcomes() == deal.outcomes()
    deal_cards(deal, Random(1))
    assert copy.by_chance
    assert len(copy.outcomes()) == 52 - 15
    deal_cards(copy, Random(1))
    assert copy.episode.view() == deal.episode.view()
    assert deal.episode.view().pot == 9


def test_what_chance_cannot_choose_is_refused() -> None:
    deal = CardByCard(EpisodeTerms(3, 1, HOUSES["limit"]))
    with pytest.raises(InvalidAction, match="chance cannot choose 3 here"):
        deal.choose(3)
    deal.choose(0)
    deal.choose(51)
    with pytest.raises(InvalidAction, match="chance cannot choose 51 here"):
        deal.choose(51)
    deal_cards(deal, Random(1))
    with pytest.raises(InvalidAction, match="action 119 is not legal here"):
        deal.step(119)


@pytest.mark.parametrize(
    "terms", [EpisodeTerms(3, 2, HOUSES["limit"]), EpisodeTerms(3, 1, HouseRules(first_dealer="low_card"))]
)
def test_one_deal_is_played_card_by_card_and_its_dealer_may_be_known(terms: EpisodeTerms) -> None:
    with pytest.raises(InvalidHouse, match="card by card only one deal can be played"):
        CardByCard(terms)
    known = CardByCard(EpisodeTerms(3, 1, HouseRules(first_dealer=1)))
    assert (known.dealer_known, len(known.outcomes())) == (True, 52)
