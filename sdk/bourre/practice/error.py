"""The one error of practice."""

from bourre.rules.errors import BourreError


class PracticeError(BourreError):
    """What a bot did wrong in practice: names the bot, the method, the rule, the hand, and how to see it again."""
