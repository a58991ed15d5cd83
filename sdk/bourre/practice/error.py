"""The one error of practice."""

from bourre.rules.errors import BourreError

RAISED = (Exception, SystemExit)
"""What a bot's method may end with; it must not end the program that it practises in."""


class PracticeError(BourreError):
    """What a bot did wrong in practice: names the bot, the method, the rule, the hand, and how to see it again."""
