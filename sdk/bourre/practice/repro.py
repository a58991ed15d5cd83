"""Asks a bot again for a recorded decision, after the same events and asks as in the match."""

from __future__ import annotations

from bdb import BdbQuit
from collections.abc import Sequence
from dataclasses import dataclass

from bourre.practice.debugging import Debugger, watch
from bourre.practice.loop_thread import LoopThread
from bourre.practice.mistake import BOT_EXCEPTIONS
from bourre.practice.seat import PracticeSeat, objection
from bourre.practice.session import BotMaker, make_bot
from bourre.record import RecordedAsk
from bourre.rules.actions import Choice, Recall

Answers = tuple[Choice | Recall, ...]
"""A choice and a recall, if any; empty if the bot raised an error."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """A bot's answer to a recorded ask."""

    ask: RecordedAsk
    said: Answers
    error: BaseException | None
    problem: str
    """Why the answer is illegal; empty if it is legal."""

    @property
    def same(self) -> bool:
        """Whether the answer is the recorded one."""
        return self.said == recorded_answers(self.ask)


@dataclass(frozen=True, slots=True)
class Reproduction:
    """One decision, and the first earlier decision that differs from the record."""

    wanted: Repetition
    otherwise: Repetition | None


def recorded_answers(ask: RecordedAsk) -> tuple[object, ...]:
    """Returns the recorded answers to an ask."""
    return (ask.action,) if ask.recall is None else (ask.action, ask.recall)


def reproduce(bot: BotMaker, name: str, asks: Sequence[RecordedAsk], debugger: Debugger | None = None) -> Reproduction:
    """Repeats these asks of one bot in order, with one instance of it. The last ask is the one to reproduce.

    Until then, the match follows the recorded answers. `debugger` stops at the first line of the last method; raises
    BdbQuit if its user quits.
    """
    instance = make_bot(bot)
    otherwise = None
    with LoopThread() as wait:
        seat = PracticeSeat(asks[0].view.seat, name, instance, wait)
        for ask in asks[:-1]:
            repetition = repeat(seat, ask)
            if otherwise is None and not repetition.same:
                otherwise = repetition
        if debugger:
            watch(instance, debugger)
        return Reproduction(repeat(seat, asks[-1]), otherwise)


def repeat(seat: PracticeSeat, ask: RecordedAsk) -> Repetition:
    """Asks a bot again after the earlier events; raises BdbQuit if the user of a debugger quits."""
    seat.hear(list(ask.events))
    try:
        choice = seat.answer(ask.view)
        recall = seat.recall(ask.view, choice)
    except BdbQuit:
        raise
    except BOT_EXCEPTIONS as error:
        return Repetition(ask, (), error, seat.complaint(error, ask.view.decision))
    said: Answers = (choice,) if recall is None else (choice, recall)
    problems = (problem for answer in said if (problem := objection(answer, ask.view)))
    return Repetition(ask, said, None, next(problems, ""))
