"""Bourré for Gymnasium: one seat of a table, with named bots in the other seats.

env = SeatEnv(["drawer", "tight", "mybot/bot.py"])
observation, _ = env.reset(seed=7)
observation, reward, over, _, _ = env.step(choose(observation))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from bourre.practice.loop_thread import LoopThread
from bourre.practice.seat import PracticeSeat, lawful_answer
from bourre.practice.session import BotSource, make_bot, name_bots
from bourre.rules.actions import Choice
from bourre.rules.errors import InvalidAction
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.rules.visibility import visible_to
from bourre_lab.envs.episode import Episode, EpisodeTerms
from bourre_lab.envs.observation import MatchSeries, Observation, action_space, observation_space, observe


class Opponents:
    """Named bots, with new instances for each match. A pickle has only their sources."""

    def __init__(self, bots: Sequence[BotSource]) -> None:
        """Each is a class, a file or the name of an example; raises BotFileError for an unknown one."""
        self._sources = tuple(bots)
        self._makers = name_bots(bots)
        self._loop = LoopThread()
        self._seats: dict[int, PracticeSeat] = {}

    def __reduce__(self) -> tuple[type[Opponents], tuple[tuple[BotSource, ...]]]:
        return Opponents, (self._sources,)

    @property
    def number(self) -> int:
        """The number of bots."""
        return len(self._makers)

    def sit_down(self, learner: int) -> None:
        """Seats new bots in order from the learner's left."""
        seats = self.number + 1
        self._seats = {}
        for turn, (name, maker) in enumerate(self._makers.items(), start=1):
            number = (learner + turn) % seats
            self._seats[number] = PracticeSeat(number, name, make_bot(maker), self._loop)

    def hear(self, episode: Episode) -> None:
        """Tells the bots the events of the last step, and the end of the match."""
        for seat in self._seats.values():
            seat.hear(episode.events)
            if episode.over:
                seat.end(tuple(episode.match.ledger.balances))

    def answer(self, view: View) -> Choice:
        """Returns a bot's answer; raises PracticeError if the bot fails or its answer is illegal."""
        return lawful_answer(self._seats[view.seat], view)

    def leave(self) -> None:
        """Ends the thread of `async` bots, if there is one."""
        self._loop.__exit__(None, None, None)


LIMIT = HouseRules.preset("limit")


class SeatEnv(gymnasium.Env[Any, Any]):
    """One seat against bots. An episode is a match, and a reward is the seat's gain since its last action.

    A pickle has the learner's actions instead of the bots. Where it is loaded, new bots play the match up to them.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (Gymnasium's way)

    def __init__(
        self,
        opponents: Sequence[BotSource] = ("drawer", "drawer"),
        deals: int = 1,
        house: HouseRules = LIMIT,
        *,
        seat: int | None = None,
        reneges: bool = False,
        rewards: str = "deal",
        illegal: str = "refuse",
        render_mode: str | None = None,
    ) -> None:
        """Makes the table. `opponents` are classes, files or examples, which sit in order to the left of the learner.

        `seat` is the learner's seat; None moves it one seat on in each match. `reneges`, `rewards`: see `EpisodeTerms`.
        `illegal="first"` replaces an illegal action by the first legal one, for learners that cannot use masks.
        Raises InvalidHouse for an impossible table, and BotFileError for an unknown bot.
        """
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r}: use None or 'ansi'")
        if illegal not in ("refuse", "first"):
            raise ValueError(f"illegal={illegal!r}: use 'refuse' or 'first'")
        self._replaces = illegal == "first"
        self._opponents = Opponents(opponents)
        self.terms = EpisodeTerms(self._opponents.number + 1, deals, house, reneges, rewards)
        if seat is not None and not 0 <= seat < self.terms.seats:
            raise ValueError(f"seat={seat}: the seats of this table are 0 to {self.terms.seats - 1}")
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._fixed_seat = seat
        self._series = MatchSeries()
        self._lines: list[str] = []
        self._gained_before = 0
        """The learner's gain before its first action, which counts for that action."""
        self._episode: Episode | None = None
        self._actions: list[int] = []
        """The learner's actions in the present match."""
        self.seat = seat or 0
        """The learner's seat in the present match."""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins the next match of the last seed, or match 1 of `seed` (as with `bourre practice --seed`).

        Skips a match in which the learner is never asked.
        """
        super().reset(seed=seed)
        self._series.restart(seed)
        while True:
            episode = self._begin()
            self._gained_before = self._play_others(episode)
            if not episode.over:
                return self._observe(episode)

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an action of the learner; raises InvalidAction if it is illegal, and PracticeError if a bot fails."""
        episode = self._playing()
        legal = episode.legal()
        if self._replaces and not legal[action]:
            action = legal.index(1)
        episode.step(int(action))
        self._actions.append(int(action))
        self._tell(episode)
        gained = self._gained_before + self._gain(episode) + self._play_others(episode)
        self._gained_before = 0
        observation, info = self._observe(episode)
        return observation, float(gained), episode.over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns the flags of the legal actions, of shape (ACTIONS,), as MaskablePPO asks for them."""
        return np.frombuffer(self._playing().legal(), np.bool_)

    def view(self) -> View:
        """Returns the learner's view, as bots get it; raises InvalidAction after the match."""
        return self._playing().view()

    def render(self) -> str | None:
        """Returns the learner's events since the last call, one per line; None without a render mode."""
        if self.render_mode is None:
            return None
        lines, self._lines = self._lines, []
        return "\n".join(lines)

    def close(self) -> None:
        """Closes the bots' resources."""
        self._opponents.leave()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_episode": None, "_begun": self._episode is not None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        begun, actions, lines = state.pop("_begun"), state["_actions"], state["_lines"]
        self.__dict__.update(state)
        if begun:
            self._series.number -= 1
            self._gained_before = self._play_others(self._begin())
            for action in actions:
                self.step(action)
            self._lines = lines

    def _observe(self, episode: Episode) -> tuple[Observation, dict[str, Any]]:
        """Returns the observation, and the mask again as the info, where some learners look for it."""
        observation = observe(episode, self.seat)
        return observation, {"action_mask": observation["action_mask"]}

    def _begin(self) -> Episode:
        chance = self._series.next()
        self.seat = (self._series.number - 1) % self.terms.seats if self._fixed_seat is None else self._fixed_seat
        self._opponents.sit_down(self.seat)
        self._episode = episode = Episode(self.terms, chance)
        self._lines, self._actions = [], []
        self._tell(episode)
        return episode

    def _play_others(self, episode: Episode) -> int:
        """Lets the bots play until the learner is asked or the match is over; returns the learner's gain."""
        gained = 0
        while not episode.over and episode.to_act != self.seat:
            episode.answer(self._opponents.answer(episode.view()))
            self._tell(episode)
            gained += self._gain(episode)
        return gained

    def _gain(self, episode: Episode) -> int:
        return episode.gains[self.seat] if episode.rewarded else 0

    def _tell(self, episode: Episode) -> None:
        self._opponents.hear(episode)
        if self.render_mode is not None:
            self._lines += map(str, visible_to(self.seat, episode.events))

    def _playing(self) -> Episode:
        if self._episode is None:
            raise InvalidAction("no match has begun: call reset()")
        return self._episode
