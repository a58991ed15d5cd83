"""The choices that a review compares."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bourre.rules.actions import Choice, Declare, Draw, Play
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


def judged_alike(judged: Iterable[Judged], chosen: Choice) -> tuple[Judged, ...]:
    """Returns the judged choices, which all take the turned card or leave it, as the chosen one does.

    The networks do not tell the two apart.
    """
    takes = isinstance(chosen, Declare | Draw) and chosen.takes
    return tuple(Judged(_taking(choice, takes), chips) for choice, chips in judged)


def _taking(choice: Choice, takes: bool) -> Choice:
    return replace(choice, takes=takes) if isinstance(choice, Declare | Draw) and choice.discards else choice
