"""The one error of practice."""

from bourre.rules.errors import BourreError

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
