"""A bot that plays by a trained policy, which chooses among numbered actions."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from bourre.bot import Bot
from bourre.rules.actions import Choice, Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card, Suit
from bourre.rules.view import View
from bourre_lab.envs.action_space import PASS, choice_of
from bourre_lab.envs.observation import mask_of, vector_of


class PolicyBot(Bot):
    """Asks `act`, which you override, for each decision as in an environment. Its action becomes the bot's answer."""

    _drawing: Declare | Draw | None = None
    """The answer with the discards that are asked for next, because a bot answers in parts."""

    def act(self, observation: NDArray[Any], action_mask: NDArray[Any]) -> int:
        """Returns one of the actions whose mask is 1; by default the first."""
        return int(action_mask.argmax())

    def declare(self, view: View) -> bool:
        choice = self._choose(view)
        assert isinstance(choice, Declare)
        self._drawing = choice if choice.plays and view.house.declares_in_turn else None
        return choice.plays

    def draw(self, view: View) -> tuple[Card, ...]:
        if self._drawing is None:
            choice = self._choose(view)
            assert isinstance(choice, Draw)
            self._drawing = choice
        discards = self._drawing.discards
        if not (discards and view.may_take_turned):
            self._drawing = None
        return discards

    def take_turned(self, view: View) -> bool:
        drawing, self._drawing = self._drawing, None
        return drawing is not None and drawing.takes

    def name_trump(self, view: View) -> Suit:
        choice = self._choose(view)
        assert isinstance(choice, NameTrump)
        return choice.trump

    def stay(self, view: View) -> bool:
        choice = self._choose(view)
        assert isinstance(choice, Stay)
        return choice.stays

    def play(self, view: View) -> Card:
        choice = self._choose(view)
        assert isinstance(choice, Play)
        return choice.card

    def _choose(self, view: View) -> Choice:
        """Asks for an action. An illegal one raises ValueError, so that the bot's author sees it at once."""
        mask = mask_of(view)
        action = int(self.act(vector_of(view), mask))
        if not PASS <= action < len(mask) or not mask[action]:
            raise ValueError(f"act chose action {action}, which is not legal: {mask.nonzero()[0].tolist()}")
        return choice_of(action, view)
