"""One recorded decision put to a bot once more, in this process; it has heard and been asked all that came before."""

from __future__ import annotations

from bdb import BdbQuit
from collections.abc import Sequence
from dataclasses import dataclass

from bourre.practice.debugging import Debugger, watch
from bourre.practice.mistake import RAISED
from bourre.practice.seat import Seat, objection
from bourre.practice.session import BotMaker, made
from bourre.practice.waiting import Waiting
from bourre.record import RecordedAsk
from bourre.rules.actions import Choice, Recall

Answers = tuple[Choice | Recall, ...]
"""A choice and a recall that goes with it; none where the bot raised an error."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """What a bot says to an ask, beside what the record says."""

    ask: RecordedAsk
    said: Answers
    error: BaseException | None
    problem: str
    """Why that is no legal answer; empty where it is one."""

    @property
    def same(self) -> bool:
        """Whether it says what was recorded."""
        return self.said == recorded(self.ask)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """One decision, and the first one before it that the bot now makes otherwise."""

    wanted: Repetition
    otherwise: Repetition | None


def recorded(ask: RecordedAsk) -> tuple[object, ...]:
    """What the record says was answered."""
    return (ask.action,) if ask.recall is None else (ask.action, ask.recall)


def reproduce(bot: BotMaker, name: str, asks: Sequence[RecordedAsk], debugger: Debugger | None = None) -> Reproduction:
    """Puts these asks of one bot, in their order, to one instance of it; the last is the one that is wanted.

    On the way, what was recorded stands for what happened. `debugger` stops where the method that is asked at last
    begins; BdbQuit where its user ends it.
    """
    instance = made(bot)
    otherwise = None
    with Waiting() as wait:
        seat = Seat(asks[0].view.seat, name, instance, wait)
        for ask in asks[:-1]:
            repetition = _repeated(seat, ask)
            if otherwise is None and not repetition.same:
                otherwise = repetition
        if debugger:
            watch(instance, debugger)
        return Reproduction(_repeated(seat, asks[-1]), otherwise)


def _repeated(seat: Seat, ask: RecordedAsk) -> Repetition:
    seat.hear(list(ask.events))
    try:
        choice = seat.answer(ask.view)
        recall = seat.recalled(ask.view, choice)
    except BdbQuit:
        raise
    except RAISED as error:
        return Repetition(ask, (), error, seat.complaint(error, ask.view.decision))
    said: Answers = (choice,) if recall is None else (choice, recall)
    problems = (problem for answer in said if (problem := objection(answer, ask.view)))
    return Repetition(ask, said, None, next(problems, ""))
