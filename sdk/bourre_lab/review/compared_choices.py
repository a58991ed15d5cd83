"""The choices that a review compares, and their numbers in many deals at once."""

from __future__ import annotations

from bourre.rules.actions import Choice, Declare
from bourre.rules.view import View
from bourre_lab.champion import judge


def compared_choices(view: View, chosen: Choice, most: int) -> tuple[Choice, ...]:
    """Returns the chosen one and the most promising others in the champion's judgement, at most `most` in total.

    For a card, it returns all legal cards. Before the play, it always includes passing.
    """
    judged = sorted(judge(view), key=lambda one: one.chips, reverse=True)
    others = [one.choice for one in judged if one.choice != chosen]
    if view.decision == "play":
        return chosen, *others
    passing = [choice for choice in others[most - 1 :] if choice == Declare(False)]
    return chosen, *others[: most - 1 - len(passing)], *passing
