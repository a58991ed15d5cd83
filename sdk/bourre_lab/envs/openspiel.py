"""Bourré for OpenSpiel: `pyspiel.load_game("bourre(players=3,preset=limit)")` once this module is imported.

A game is one deal that is settled alone. Chance deals its cards one by one. The parameters are `players`, `preset`, and
`stake`, the chips that every seat pays into the pot before the deal.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pyspiel
from numpy.typing import NDArray

from bourre.rules.cards import DECK
from bourre.rules.house import MAX_SEATS, MIN_SEATS, HouseRules, check_preset
from bourre.rules.visibility import visible_to
from bourre.words.view_notation import view_text
from bourre_lab.envs.action_space import ACTIONS, choice_of
from bourre_lab.envs.card_by_card import CardByCard
from bourre_lab.envs.episode import EpisodeTerms
from bourre_lab.envs.features import COUNTS, SIZE

_OTHER_DECISIONS: Final = 3
"""The most decisions of a seat before the play: coming in, drawing, staying."""
_GAME_TYPE: Final = pyspiel.GameType(
    short_name="bourre",
    long_name="Bourré",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=MAX_SEATS,
    min_num_players=MIN_SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"players": 5, "preset": "limit", "stake": 0},
)


def _game_info(terms: EpisodeTerms, stake: int) -> pyspiel.GameInfo:
    """Returns the bounds of the game. A seat pays at most its stakes and a full pot, which the others share."""
    seats, house = terms.seats, terms.house
    paid = stake + max(house.antes(seats, pot=0)) + 2 * house.cost_to_enter
    pot = paid * seats
    return pyspiel.GameInfo(
        num_distinct_actions=ACTIONS,
        max_chance_outcomes=len(DECK),
        num_players=seats,
        min_utility=float(-paid - pot),
        max_utility=float(pot * seats),
        utility_sum=0.0,
        max_game_length=1 + seats * (house.cards + _OTHER_DECISIONS),
    )


class BourreGame(pyspiel.Game):  # type: ignore[misc] # OpenSpiel is published without types
    """One deal of Bourré."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        """Raises InvalidHouse for a preset that is unknown or not for this many players."""
        chosen = {"players": 5, "preset": "limit", "stake": 0, **(params or {})}
        check_preset(chosen["preset"], chosen["players"])
        self.terms = EpisodeTerms(chosen["players"], 1, HouseRules.preset(chosen["preset"]))
        self.stake = int(chosen["stake"])
        super().__init__(_GAME_TYPE, _game_info(self.terms, self.stake), params or {})

    def new_initial_state(self) -> BourreState:
        """Returns the deal before its first card."""
        return BourreState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> BourreObserver:
        """Returns the observer for OpenSpiel."""
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return BourreObserver(params, recalls)

    def max_chance_nodes_in_history(self) -> int:
        """Returns a bound on chance nodes: the dealer, every dealt card, a turned card, every drawn card."""
        house, seats = self.terms.house, self.terms.seats
        return 2 + seats * (house.cards + house.most_discards(seats))


class BourreState(pyspiel.State):  # type: ignore[misc]
    """A deal at one of its decisions."""

    def __init__(self, game: BourreGame) -> None:
        super().__init__(game)
        self.deal = CardByCard(game.terms, game.stake)
        self.seen: list[list[str]] = [[] for _ in range(game.terms.seats)]
        """The events and answers of each seat, as sentences."""

    def current_player(self) -> int:
        """Returns the asked seat, or OpenSpiel's number for chance or a finished deal."""
        if self.deal.by_chance:
            return int(pyspiel.PlayerId.CHANCE)
        episode = self.deal.episode
        return int(pyspiel.PlayerId.TERMINAL) if episode.over else episode.to_act

    def _legal_actions(self, _player: int) -> list[int]:
        return [action for action, legal in enumerate(self.deal.episode.legal()) if legal]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns the outcomes of chance with their probabilities."""
        outcomes = self.deal.outcomes()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _apply_action(self, action: int) -> None:
        deal = self.deal
        if deal.by_chance:
            deal.choose(action)
        else:
            episode = deal.episode
            self.seen[episode.to_act].append(f"answers {choice_of(action, episode.view())}")
            deal.step(action)
        if not deal.by_chance:
            for seat, seen in enumerate(self.seen):
                seen += map(str, visible_to(seat, deal.episode.events))

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return str(choice_of(action, self.deal.episode.view()))
        return str(DECK[action]) if self.deal.dealer_known else f"seat {action} deals"

    def is_terminal(self) -> bool:
        """Returns whether the deal is settled."""
        return not self.deal.by_chance and self.deal.episode.over

    def returns(self) -> list[float]:
        """Returns the chips that each seat has won; 0 until the deal is settled."""
        if not self.is_terminal():
            return [0.0] * self.num_players()
        return [float(chips) for chips in self.deal.episode.match.ledger.balances]

    def __str__(self) -> str:
        """Returns the actions so far, including chance."""
        return " ".join(map(str, self.history())) or "not dealt yet"


class BourreObserver:
    """A seat's knowledge: the vector of `bourre_lab.envs.features`, and its view as text."""

    def __init__(self, params: dict[str, Any] | None, recalls: bool) -> None:
        """With `recalls`, the text has the seat's whole history. Raises ValueError for parameters, which it lacks."""
        if params:
            raise ValueError(f"an observation of Bourré has no parameters, but was given {params}")
        self._recalls = recalls
        self.tensor: NDArray[np.float32] = np.zeros(SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BourreState, player: int) -> None:
        """Fills the tensor with a seat's observation; all 0 until the hands are dealt."""
        self.tensor.fill(0)
        if state.deal.dealt:
            self.tensor[:COUNTS] = np.frombuffer(state.deal.episode.counts(player), np.int8)
            self.tensor[COUNTS:] = state.deal.episode.chips(player)

    def string_from(self, state: BourreState, player: int) -> str:
        """Returns a seat's knowledge as text."""
        if not state.deal.dealt:
            return "not dealt yet"
        return "\n".join(state.seen[player]) if self._recalls else view_text(state.deal.episode.look(player))


pyspiel.register_game(_GAME_TYPE, BourreGame)
