"""Taking an answer back in practice: the same cards are dealt again, and all is played as before, up to there."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre_seats.question_queue.question import Reply


class TakenBack(Exception):
    """The person has taken an answer back: the game is to be played again from the same seed."""


@dataclass(frozen=True, slots=True)
class Given:
    """A question and how the person answered it."""

    view: View
    reneged: Card | None
    reply: Reply


@dataclass(slots=True)
class GivenAnswers:
    """What the person has answered in this game, and what of it is still to be repeated."""

    given: list[Given] = field(default_factory=list)
    repeated: deque[Given] = field(default_factory=deque)
    goes_back: bool = False
    """Whether the game is being repeated, which the person need not see."""

    def go_back(self) -> None:
        """Forgets the last answer; those before it will be repeated."""
        self.repeated = deque(self.given[:-1])
        self.given.clear()
        self.goes_back = True

    def repeat(self, view: View, reneged: Card | None) -> Reply | None:
        """Returns the answer to the same question before; None if there is none, or the game goes otherwise now."""
        if not self.repeated:
            return None
        known = self.repeated.popleft()
        if (known.view, known.reneged) == (view, reneged):
            return known.reply
        self.repeated.clear()
        return None
