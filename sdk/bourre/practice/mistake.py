"""Describes a bot's mistake for its author, with its place, its cards and its cost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bourre.practice.cost import cost
from bourre.rules.actions import Choice, Decision, Recall
from bourre.rules.errors import BourreError
from bourre.rules.view import View
from bourre.words.table_words import describe_cards
from bourre.words.view_notation import view_text

BOT_EXCEPTIONS = (Exception, SystemExit)
"""The exceptions in a bot's method that do not end practice."""


class PracticeError(BourreError):
    """A bot's mistake in practice. The message names the bot, method, rule and hand, and how to repeat it."""

    def __init__(self, text: str, cause: BaseException | None = None) -> None:
        """`cause` is the bot's exception. It is set here because compiled code drops the `from` of a `raise`."""
        super().__init__(text)
        self.__cause__ = cause


class NeverStarted(PracticeError):
    """A contest could not start the bot. The message has the cause and the fix."""


class Stuck(PracticeError):
    """A bot was busy with one call for too long, so practice ended. The message has the place."""


class MisnamedMethod(PracticeError):
    """A bot has methods with misspelt names, which are never called. The message suggests the right names."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """An answer that the rules forbid, or a value that is not an answer."""

    bot: str
    why: str
    """The error, with the method and the broken rule, if any."""
    where: str
    """File and line; empty if unknown."""
    view: View
    said: Choice | Recall | None
    """The answer; None if the bot raised an error or returned no answer."""
    ended: bool = False
    """Whether the bot ended its program."""

    def in_one_line(self, place: str) -> str:
        """Describes the mistake in one line, with its cards."""
        return in_one_line(self.bot, self.why, self.view, place)

    def in_full(self, place: str) -> str:
        """Describes the mistake in several lines."""
        return "\n  ".join([f"{self.bot}: {self.why} ({place})", *self.lines()])

    def lines(self) -> Iterator[str]:
        """Yields the lines that follow the heading."""
        if self.where:
            yield f"where: {self.where}"
        yield describe_cards(self.view)
        after_exit = "its process ends, and the referee plays for it until the room ends"
        yield f"in a contest: {after_exit if self.ended else cost(self.said, self.view)}"
        yield f'as a test: view("{view_text(self._asked_view)}")'

    @property
    def _asked_view(self) -> View:
        """The view of the method: a declaration in turn asks for discards too (R4.1)."""
        of_draw = self.why.startswith(("draw ", "take_turned ")) and self.view.decision == Decision.DECLARE
        return self.view.for_draw() if of_draw else self.view


def in_one_line(bot: str, why: str, view: View, place: str) -> str:
    """Describes this bot's mistake in one line, with its cards."""
    return f"{bot}: {why}; {describe_cards(view)} ({place})"
