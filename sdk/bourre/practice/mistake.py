"""Describes a bot's mistake so that its author finds it: what, where, with which cards, and its cost."""

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
"""The exceptions of a bot's method that do not end practice."""


class PracticeError(BourreError):
    """A bot's mistake in practice; the message names the bot, method, rule and hand, and how to see it again."""

    def __init__(self, text: str, cause: BaseException | None = None) -> None:
        """`cause` is what the bot raised. It is set here because compiled code drops the `from` of a `raise`."""
        super().__init__(text)
        self.__cause__ = cause


class NeverStarted(PracticeError):
    """A contest could not start the bot; the message says why, and what mends it."""


class Stuck(PracticeError):
    """A bot was busy with one call for so long that practice was ended; the message says where."""


class MisnamedMethod(PracticeError):
    """A bot has methods that are never called because their names are misspelt; the message says what was meant."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """An answer that the rules forbid, or something that is not an answer at all."""

    bot: str
    why: str
    """What is wrong, with the method, and the rule if one was broken."""
    where: str
    """File and line; empty if unknown."""
    view: View
    said: Choice | Recall | None
    """The answer; None if the bot raised an error, or returned no answer."""
    ended: bool = False
    """Whether the bot ended its program."""

    def in_one_line(self, place: str) -> str:
        """Describes the mistake in one line, with its cards."""
        return in_one_line(self.bot, self.why, self.view, place)

    def in_full(self, place: str) -> str:
        """Describes the mistake in several lines."""
        return "\n  ".join([f"{self.bot}: {self.why} ({place})", *self.lines()])

    def lines(self) -> Iterator[str]:
        """Yields the lines that follow a heading, which says who and why."""
        if self.where:
            yield f"where: {self.where}"
        yield describe_cards(self.view)
        after_exit = "its process ends, and the house plays for it to the end of the room"
        yield f"at a referee: {after_exit if self.ended else cost(self.said, self.view)}"
        yield f'as a test: view("{view_text(self._asked_view)}")'

    @property
    def _asked_view(self) -> View:
        """The view that the method was given: a declaration in turn asks for discards too (R4.1)."""
        of_draw = self.why.startswith(("draw ", "take_turned ")) and self.view.decision == Decision.DECLARE
        return self.view.for_draw() if of_draw else self.view


def in_one_line(bot: str, why: str, view: View, place: str) -> str:
    """Describes a mistake of this bot in one line, with its cards."""
    return f"{bot}: {why}; {describe_cards(view)} ({place})"
