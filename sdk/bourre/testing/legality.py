"""Checks that a bot plays by the rules: hundreds of deals, every preset, tables of two to eight."""

from __future__ import annotations

from collections.abc import Sequence

from bourre.practice.mistake import RAISED, Mistake
from bourre.practice.seat import Seat, objection
from bourre.practice.session import BotMaker
from bourre.rules.actions import Choice
from bourre.rules.visibility import View
from bourre.testing.trial import Trial, again, play, trials


def assert_legal(bot: BotMaker, deals: int = 200, seed: int = 7, presets: Sequence[str] | None = None) -> None:
    """Fails at the first illegal card, discard or other answer, and at the first exception.

    `bot` is a class of bots. Plays that many deals for each preset (None means all), at tables of several sizes; the
    same seed deals the same cards. The message names method, line, hand, legal cards, rule, and how to repeat it.
    """
    __tracebackhide__ = True
    for trial in trials(deals, seed, presets):
        play(bot, trial, _judge)


def _judge(trial: Trial, seat: Seat, view: View) -> Choice:
    __tracebackhide__ = True
    try:
        action = seat.answer(view)
    except RAISED as error:
        raise _failure(seat.mistake(seat.complaint(error, view.decision), view, None, error), trial) from error
    if why := objection(action, view):
        raise _failure(seat.mistake(why, view, action), trial)
    return action


def _failure(mistake: Mistake, trial: Trial) -> AssertionError:
    heading = f"{mistake.bot}: {mistake.why} (deal {mistake.view.deal}, {trial})"
    return AssertionError("\n  ".join([heading, *mistake.lines(), again("assert_legal", mistake.bot, trial)]))
