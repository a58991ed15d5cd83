"""The lessons with which the luck of a match begins: those of each bot's first matches in the schedule, its school.

Only earlier matches teach, so the mean of the luck is 0 whatever the bots do. A school ends, so that the luck of a
match depends on few others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from copy import deepcopy
from typing import Final

from bourre.rules.house import HouseRules
from bourre_referee.luck.bot_style import BotLessons
from bourre_referee.luck.luck_recorder import PlayedBoard
from bourre_referee.luck.style_luck import learn

SCHOOL_DEALS: Final = 240
"""The deals of a bot's school. Its last match counts in full."""


class Schools:
    """What the matches so far taught about each bot. They are added in schedule order."""

    def __init__(self) -> None:
        self._lessons: defaultdict[str, BotLessons] = defaultdict(BotLessons)
        self._deals: Counter[str] = Counter()

    def lessons(self, bots: Sequence[str]) -> list[BotLessons]:
        """Returns the lessons for the next match of these bots, which may add its own to them."""
        return [deepcopy(self._lessons[bot]) for bot in bots]

    def pupils(self, bots: Sequence[str]) -> list[str]:
        """Returns those of these bots about which the next match teaches."""
        return [bot for bot in bots if self._deals[bot] < SCHOOL_DEALS]

    def add(self, bots: Sequence[str], boards: Sequence[PlayedBoard], house: HouseRules) -> None:
        """Adds the next match of these bots, given by their numbers."""
        pupils = self.pupils(bots)
        learn([self._lessons[bot] if bot in pupils else BotLessons() for bot in bots], boards, house)
        deals = len({board.deal for board in boards})
        self._deals.update(dict.fromkeys(pupils, deals))
