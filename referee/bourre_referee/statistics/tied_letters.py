"""Letters and brackets for bots that do not differ significantly (a compact letter display)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from string import ascii_lowercase

LETTER = re.compile(r"[a-z]\d*")


def tied_groups(bots: Sequence[str], apart: Callable[[str, str], bool]) -> list[tuple[str, ...]]:
    """Returns groups of two or more bots. Two bots share a group exactly if they are not `apart`, neighbours or not.

    No bot can be added to a group. Insert-and-absorb (Piepho, Journal of Computational and Graphical Statistics 13,
    2004) finds all such groups, which may be exponentially many. The returned groups are enough to show every pair.
    """
    places = range(len(bots))
    tied: list[set[int]] = [set() for _ in bots]
    for one, other in combinations(places, 2):
        if not apart(bots[one], bots[other]):
            tied[one].add(other)
            tied[other].add(one)
    uncovered = [set(others) for others in tied]
    groups: list[list[int]] = []
    for place in places:
        while uncovered[place]:
            group = _grow((place, min(uncovered[place])), tied, uncovered)
            for member in group:
                uncovered[member] -= group
            groups.append(sorted(group))
    return [tuple(bots[place] for place in group) for group in sorted(groups)]


def _grow(pair: tuple[int, int], tied: Sequence[set[int]], uncovered: Sequence[set[int]]) -> set[int]:
    """Grows the pair to a maximal group, first by the bot that covers most uncovered pairs, then by the upper one."""
    group = set(pair)
    covers = {place: len(uncovered[place] & group) for place in sorted(tied[pair[0]] & tied[pair[1]])}
    while covers:
        most = max(covers.values())
        new = next(place for place, pairs in covers.items() if pairs == most)
        group.add(new)
        others, gained = tied[new], uncovered[new]
        covers = {place: pairs + (place in gained) for place, pairs in covers.items() if place in others}
    return group


def assign_letters(bots: Sequence[str], groups: Sequence[Sequence[str]]) -> list[str]:
    """Returns the letters of each bot, one for each of its groups. A bot without letters is tied with nobody."""
    letters = dict.fromkeys(bots, "")
    for number, group in enumerate(groups):
        name = letter(number)
        for bot in group:
            letters[bot] += name
    return list(letters.values())


def parse_groups(bots: Sequence[str], tied: Sequence[str]) -> list[tuple[str, ...]]:
    """Returns the groups behind the letters of each bot, best first."""
    letters = dict.fromkeys(name for text in tied for name in LETTER.findall(text))
    return [
        tuple(bot for bot, text in zip(bots, tied, strict=True) if name in LETTER.findall(text)) for name in letters
    ]


def bracket_columns(bots: Sequence[str], brackets: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Returns the part of each bracket in each bot's row: `first`, `middle`, `last` or empty, a column each.

    Brackets that do not overlap share a column.
    """
    places = {bot: place for place, bot in enumerate(bots)}
    columns: list[list[str]] = []
    for bracket in brackets:
        first, last = places[bracket[0]], places[bracket[-1]]
        column = next((each for each in columns if not any(each[first:])), None)
        if column is None:
            columns.append(column := [""] * len(bots))
        column[first : last + 1] = "first", *["middle"] * (last - first - 1), "last"
    return list(zip(*columns, strict=True)) if columns else [()] * len(bots)


def share_letter(one: str, other: str) -> bool:
    """Returns whether two bots with these letters have one in common."""
    return not set(LETTER.findall(one)).isdisjoint(LETTER.findall(other))


def letter(number: int) -> str:
    """Returns the letter of a group by its number from 0: a to z, then a1 to z1, and so on."""
    rounds, place = divmod(number, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(rounds) if rounds else "")
