"""Hands out the lessons with which each match begins, whatever match ends first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from typing import NamedTuple

from bourre.rules.house import HouseRules
from bourre_referee.luck.bot_style import BotLessons
from bourre_referee.luck.luck_recorder import PlayedBoard
from bourre_referee.luck.schools import Schools


class PlannedMatch(NamedTuple):
    """A match of the schedule."""

    match: str
    bots: tuple[str, ...]
    """By number."""


class TaughtBoards(NamedTuple):
    """What a finished match teaches."""

    boards: Sequence[PlayedBoard]
    house: HouseRules


class LessonsInOrder:
    """Teaches the schools in schedule order, up to the first match that has not finished."""

    def __init__(self, plan: Iterable[PlannedMatch] = ()) -> None:
        self._schools = Schools()
        self._plan: dict[str, PlannedMatch] = {}
        """The matches that have taught nothing yet, in schedule order."""
        self._finished: dict[str, Callable[[], TaughtBoards]] = {}
        self._begun: dict[str, list[BotLessons]] = {}
        """The lessons before each match that taught some."""
        self.extend(plan)

    def extend(self, plan: Iterable[PlannedMatch]) -> None:
        """Adds matches to the end of the schedule."""
        self._plan.update({planned.match: planned for planned in plan})

    def hear(self, match: str, read: Callable[[], TaughtBoards]) -> None:
        """Notes that a match has finished. The first call for a match counts. `read` is called only if it teaches."""
        if match not in self._plan:
            return
        self._finished.setdefault(match, read)
        while self._plan and (first := next(iter(self._plan))) in self._finished:
            self._teach(self._plan.pop(first), self._finished.pop(first))

    def _teach(self, planned: PlannedMatch, read: Callable[[], TaughtBoards]) -> None:
        if self._schools.pupils(planned.bots):
            self._begun[planned.match] = self._schools.lessons(planned.bots)
            self._schools.add(planned.bots, *read())

    def lessons(self, planned: PlannedMatch) -> list[BotLessons] | None:
        """Returns the lessons about the bots of this match from all matches before it. None if some are to come."""
        if planned.match in self._begun:
            return deepcopy(self._begun[planned.match])
        return None if self._schools.pupils(planned.bots) else self._schools.lessons(planned.bots)
