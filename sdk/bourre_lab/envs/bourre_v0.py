"""Bourré for PettingZoo: `env()` makes an AEC environment of one match.

env = bourre_v0.env(seats=5, house=HouseRules.preset("limit"))
env.reset(seed=7)
for agent in env.agent_iter():
    observation, reward, over, _, _ = env.last()
    env.step(None if over else choose(observation))
"""

from __future__ import annotations

from typing import Any

from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv

from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.rules.visibility import public_event
from bourre_lab.envs.episode import Episode, EpisodeTerms
from bourre_lab.envs.observation import MatchSeries, Observation, action_space, observation_space, observe

LIMIT = HouseRules.preset("limit")


class BourreEnv(AECEnv[str, Observation, int | None]):  # type: ignore[misc] # PettingZoo is published without types
    """A match as an AEC environment. An illegal action raises InvalidAction."""

    metadata = {"name": "bourre_v0", "render_modes": ["ansi"], "is_parallelizable": False}  # noqa: RUF012 (PettingZoo's way)

    def __init__(
        self,
        seats: int = 5,
        deals: int = 1,
        house: HouseRules = LIMIT,
        *,
        reneges: bool = False,
        rewards: str = "deal",
        render_mode: str | None = None,
    ) -> None:
        """Makes the table (`reneges`, `rewards`: see `EpisodeTerms`). With `render_mode="ansi"`, `render` tells events.

        Raises InvalidHouse for an impossible table, and ValueError for an unknown reward or render mode.
        """
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r}: use None or 'ansi'")
        self.terms = EpisodeTerms(seats, deals, house, reneges, rewards)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._spaces = {agent: observation_space() for agent in self.possible_agents}
        self._action_spaces = {agent: action_space() for agent in self.possible_agents}
        self._series = MatchSeries()
        self._no_rewards: dict[str, float] = dict.fromkeys(self.possible_agents, 0)
        self._events: list[str] = []

    def observation_space(self, agent: str) -> Dict:
        """Returns the space of an agent's observations."""
        return self._spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Returns the space of an agent's actions."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins the next match of the last seed, or match 1 of `seed` (as with `bourre practice --seed`).

        Skips a match that ends before any seat is asked, which R4.6 allows.
        """
        self._series.restart(seed)
        self._episode = Episode(self.terms, self._series.next())
        while self._episode.over:
            self._episode = Episode(self.terms, self._series.next())
        self.agents = list(self.possible_agents)
        self.rewards = self._no_rewards.copy()
        self._cumulative_rewards = self._no_rewards.copy()
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._episode.to_act]
        self._skip_agent_selection = None
        self._events = []
        self._note_events()

    def observe(self, agent: str) -> Observation:
        """Returns an agent's observation. Only the asked agent has legal actions."""
        return observe(self._episode, self._seat_of[agent])

    @property
    def balances(self) -> tuple[int, ...]:
        """The balance of every seat in this match, in chips."""
        return tuple(self._episode.match.ledger.balances)

    @property
    def matches(self) -> int:
        """The number of started matches of this seed, including skipped ones."""
        return self._series.number

    def view(self) -> View:
        """Returns the view of the asked agent, as bots get it."""
        return self._episode.view()

    def step(self, action: int | None) -> None:
        """Takes the action of the selected agent; raises InvalidAction if it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        episode = self._episode
        episode.step(-1 if action is None else int(action))
        totals = self._cumulative_rewards
        totals[agent] = 0
        if episode.rewarded:
            self.rewards = dict(zip(self.possible_agents, episode.gains, strict=True))
            for seat, chips in self.rewards.items():
                totals[seat] += chips
        else:
            self.rewards = self._no_rewards
        if episode.over:
            self.rewards = dict(self.rewards)  # PettingZoo removes agents that leave
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[episode.to_act]
        if self.render_mode is not None:
            self._note_events()

    def render(self) -> str | None:
        """Returns the public events since the last call, one per line; None without a render mode."""
        if self.render_mode is None:
            return None
        lines, self._events = self._events, []
        return "\n".join(lines)

    def close(self) -> None:
        """Does nothing, because an environment has no resources."""

    def _note_events(self) -> None:
        self._events += [str(public_event(event)) for event in self._episode.events]


env = raw_env = BourreEnv
"""PettingZoo's two names. No wrapper is needed, because the environment itself checks actions and order."""
__all__ = ["BourreEnv", "env", "raw_env"]
