"""Bots that are not told apart, as letters beside their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from string import ascii_lowercase

LETTER = re.compile(r"[a-z]\d*")


def tied_groups(bots: Sequence[str], apart: Callable[[str, str], bool]) -> list[tuple[str, ...]]:
    """Groups of two or more: two bots share one exactly where they are not told apart, neighbours or not.

    No bot can be added to any of them. Insert-and-absorb (Piepho, Journal of Computational and Graphical Statistics 13,
    2004) finds all such groups, which may be exponentially many; these are enough of them to show every pair.
    """
    places = range(len(bots))
    tied = [{other for other in places if other != place and not apart(bots[place], bots[other])} for place in places]
    unshown = [set(others) for others in tied]
    groups: list[list[int]] = []
    for pair in combinations(places, 2):
        if pair[1] in unshown[pair[0]]:
            groups.append(sorted(_grown(pair, tied, unshown)))
            for place in groups[-1]:
                unshown[place].difference_update(groups[-1])
    return [tuple(bots[place] for place in group) for group in sorted(groups)]


def _grown(pair: tuple[int, int], tied: Sequence[set[int]], unshown: Sequence[set[int]]) -> set[int]:
    """This pair with everyone who fits; first whoever shows most pairs that no group shows yet, then by place."""
    group = set(pair)
    fitting = tied[pair[0]] & tied[pair[1]]
    while fitting:
        new = min(fitting, key=lambda place: (-len(unshown[place] & group), place))
        group.add(new)
        fitting &= tied[new]
    return group


def marks(bots: Sequence[str], groups: Sequence[Sequence[str]]) -> list[str]:
    """For each bot the letters of its groups: who shares one is tied; who has none stands alone."""
    return ["".join(letter(number) for number, group in enumerate(groups) if bot in group) for bot in bots]


def groups_of(bots: Sequence[str], marked: Sequence[str]) -> list[tuple[str, ...]]:
    """The groups behind these marks, best first."""
    letters = dict.fromkeys(found for mark in marked for found in LETTER.findall(mark))
    return [
        tuple(bot for bot, mark in zip(bots, marked, strict=True) if name in LETTER.findall(mark)) for name in letters
    ]


def shared(one: str, other: str) -> bool:
    """Whether these two marks have a letter in common."""
    return not set(LETTER.findall(one)).isdisjoint(LETTER.findall(other))


def letter(number: int) -> str:
    """a to z, then a1 and so on."""
    rounds, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(rounds) if rounds else "")
