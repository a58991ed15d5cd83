"""Neighbours in a ranking that cannot be told apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from string import ascii_lowercase

LETTER = re.compile(r"[a-z]\d*")


def tied_groups(bots: Sequence[str], apart: Callable[[str, str], bool]) -> list[tuple[str, ...]]:
    """The longest runs of neighbours, two or more, of whom no two are told apart; runs may overlap."""
    groups: list[tuple[str, ...]] = []
    reached = 0
    for first in range(len(bots)):
        end = first + 1
        while end < len(bots) and not any(apart(bot, bots[end]) for bot in bots[first:end]):
            end += 1
        if end > max(reached, first + 1):
            groups.append(tuple(bots[first:end]))
        reached = max(reached, end)
    return groups


def marks(bots: Sequence[str], groups: Sequence[Sequence[str]]) -> list[str]:
    """For each bot the letters of its groups: who shares one is tied; who has none stands alone."""
    return ["".join(letter(number) for number, group in enumerate(groups) if bot in group) for bot in bots]


def groups_of(bots: Sequence[str], marked: Sequence[str]) -> list[tuple[str, ...]]:
    """The groups behind these marks, best first."""
    letters = dict.fromkeys(found for mark in marked for found in LETTER.findall(mark))
    return [
        tuple(bot for bot, mark in zip(bots, marked, strict=True) if name in LETTER.findall(mark)) for name in letters
    ]


def letter(number: int) -> str:
    """a to z, then a1 and so on."""
    rounds, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(rounds) if rounds else "")
