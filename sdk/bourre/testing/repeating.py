"""Checks that a bot gives the same answers when the same match is played again."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.practice.seat import Seat
from bourre.practice.session import BotMaker
from bourre.rules.actions import Choice
from bourre.rules.visibility import View
from bourre.testing.trial import Trial, again, play, trials
from bourre.view_notation import view_text


def assert_repeats(bot: BotMaker, deals: int = 100, seed: int = 7, presets: Sequence[str] | None = None) -> None:
    """Fails at the first decision that a new instance of the bot makes differently when a match is played again."""
    __tracebackhide__ = True
    for trial in trials(deals, seed, presets):
        first = _Answers([])
        play(bot, trial, first.ask)
        play(bot, trial, _Answers(first.said).ask)


class _Answers:
    """The answers of a match, compared with those of its first playing."""

    def __init__(self, before: Sequence[Choice]) -> None:
        """`before` holds the answers of the first playing; it is empty during that."""
        self.said: list[Choice] = []
        self._before = before

    def ask(self, trial: Trial, seat: Seat, view: View) -> Choice:
        __tracebackhide__ = True
        answer = seat.answer(view)
        before = self._before[len(self.said)] if self._before else answer
        if answer != before:
            raise AssertionError(
                f"{seat.name}: {view.decision} said {before} and, when the match was played again, {answer} "
                f"(deal {view.deal}, {trial}): chance must come from view.rng, and nothing from clocks or globals\n"
                f'  as a test: view("{view_text(view)}")\n  {again("assert_repeats", seat.name, trial)}'
            )
        self.said.append(answer)
        return answer
