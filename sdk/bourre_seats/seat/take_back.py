"""Takes an answer back in practice: the same cards are dealt again, and the earlier answers are repeated."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre_seats.question_queue.question import Reply


class TakenBack(Exception):
    """The person has taken an answer back, so the game starts over with the same seed."""


@dataclass(frozen=True, slots=True)
class Given:
    """A question and the person's answer."""

    view: View
    reneged: Card | None
    reply: Reply


@dataclass(slots=True)
class GivenAnswers:
    """The person's answers in this game, and the answers that are still to be repeated."""

    given: list[Given] = field(default_factory=list)
    repeated: deque[Given] = field(default_factory=deque)
    goes_back: bool = False
    """Whether the game is being repeated, which is hidden from the person."""

    def go_back(self) -> None:
        """Forgets the last answer. The earlier ones will be repeated."""
        self.repeated = deque(self.given[:-1])
        self.given.clear()
        self.goes_back = True

    def repeat(self, view: View, reneged: Card | None) -> Reply | None:
        """Returns the earlier answer to the same question; None if there is none, or the game has changed."""
        if not self.repeated:
            return None
        known = self.repeated.popleft()
        if (known.view, known.reneged) == (view, reneged):
            return known.reply
        self.repeated.clear()
        return None
