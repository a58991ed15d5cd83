"""Bots that play by the champion's judgement, as it is or blurred."""

from __future__ import annotations

from bourre.bot import Bot
from bourre.rules.actions import Declare, Draw, NameTrump, Play, Stay
from bourre.rules.cards import Card, Suit
from bourre.rules.view import View
from bourre_lab.champion.judge import Judged, judge


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
