"""The choices that a review compares."""

from __future__ import annotations

from collections.abc import Iterable

from bourre.rules.actions import Choice, Declare, Play
from bourre_lab.champion import Judged


def compared_choices(judged: Iterable[Judged], chosen: Choice, most: int) -> tuple[Choice, ...]:
    """Returns the chosen one and the most promising others of those judged, at most `most` in total.

    For a card, it returns all legal cards. Before the play, it always includes passing.
    """
    ranked = sorted(judged, key=lambda one: one.chips, reverse=True)
    others = [one.choice for one in ranked if one.choice != chosen]
    if isinstance(chosen, Play):
        return chosen, *others
    passing = [choice for choice in others[most - 1 :] if choice == Declare(False)]
    return chosen, *others[: most - 1 - len(passing)], *passing
