"""A bot's mistake, told so that its author finds it: what, where, with which cards, and what it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bourre.practice.cost import cost
from bourre.rules.actions import Choice, Decision, Recall
from bourre.rules.cards import show
from bourre.rules.errors import BourreError
from bourre.rules.visibility import View
from bourre.view_notation import view_text

RAISED = (Exception, SystemExit)
"""What a bot's method may end with; it must not end the program that it practises in."""


class PracticeError(BourreError):
    """What a bot did wrong in practice: names the bot, the method, the rule, the hand, and how to see it again."""

    def __init__(self, text: str, cause: BaseException | None = None) -> None:
        """`cause`: what the bot raised. It stands here, for compiled code forgets the `from` of a `raise`."""
        super().__init__(text)
        self.__cause__ = cause


class MisnamedMethod(PracticeError):
    """A bot has methods that are never called, for their names are only nearly those that are: names both."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What a bot did that the rules forbid, or that is no answer at all."""

    bot: str
    why: str
    """With the method, and the rule where it is one that was broken."""
    where: str
    """File and line; empty where they are not known."""
    view: View
    said: Choice | Recall | None
    """None: the bot raised an error, or gave what is no answer."""
    ended: bool = False
    """Whether it ended the program."""

    def lines(self) -> Iterator[str]:
        """After a heading that says who and why, which is not among them."""
        if self.where:
            yield f"where: {self.where}"
        yield described(self.view)
        left = "its process ends, and the house plays for it to the end of the room"
        yield f"at a referee: {left if self.ended else cost(self.said, self.view)}"
        yield f'as a test: view("{view_text(self._asked)}")'

    @property
    def _asked(self) -> View:
        """What the method was given: a declaration in turn asks for the discards too (R4.1)."""
        of_draw = self.why.startswith(("draw ", "take_turned ")) and self.view.decision == Decision.DECLARE
        return self.view.for_draw() if of_draw else self.view


def described(view: View) -> str:
    """The cards of a view in one line."""
    trick = f", trick {show(view.trick)}" if view.trick else ""
    trump = "not named" if view.named is None else view.named
    legal = f", legal {show(view.legal)}" if view.decision == Decision.PLAY else ""
    return f"hand {show(view.hand)}, trump {trump}{trick}{legal}"
