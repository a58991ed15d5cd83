"""The heading of a contest: who leads, by how much, and whether the results tell the leader apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.statistics.tied_letters import share_letter
from bourre_referee.text.names import isolated, shorten
from bourre_referee.web.template_filters import in_words, signed

LONGEST_NAME = 40
"""The most characters of a name in a heading."""
LEAST_GAP = 0.05
"""Smaller gaps are not written as numbers, because they would be rounded to 0."""


@dataclass(frozen=True, slots=True)
class Headline:
    """A heading and the sentences below it, in which names are isolated."""

    title: str
    figure: str = ""
    """The leader's result, with which the sentences begin."""
    rest: str = ""
    podium: bool = False
    """Whether the contest is over, and its places mean something."""


def headline(table: Standings, total: int, *, complete: bool) -> Headline:
    """Returns the heading of a contest of `total` matches in this state."""
    ranked = [row for row in table.ranked if row.deals]
    if not ranked:
        return _nobody(table, total)
    leader = _name(ranked[0].bot)
    if len(ranked) == 1:
        return Headline(f"{leader} is the only bot with a rank", rest="No other bot has a result to compare.")
    when = "" if complete else f" after {table.matches:,} of {total:,} {'match' if total == 1 else 'matches'}"
    if _tells_apart(table, ranked):
        return _known(table, ranked, complete, when)
    are = "is" if table.matches == 1 else "are"
    few = f"{_matches(table.matches)} {are} too few" if complete else "too few matches"
    figure, scale = _figure(ranked[0])
    return Headline(f"{_capital(few)} to tell the bots apart", figure, f"{scale} put {leader} ahead{when}.")


def _nobody(table: Standings, total: int) -> Headline:
    if table.matches:
        return Headline("No bot has a rank", rest="The referee played for all of them.")
    return Headline("No match has finished yet", rest=f"{_capital(_matches(total))} will be played.")


def _tells_apart(table: Standings, ranked: Sequence[Standing]) -> bool:
    """Returns whether the results tell the first bot from the last one."""
    tested = [row for row in ranked if row.bot not in table.too_few]
    return len(tested) > 1 and not share_letter(tested[0].tied, tested[-1].tied)


def _known(table: Standings, ranked: Sequence[Standing], complete: bool, when: str) -> Headline:
    """Returns the heading when some bots are told apart."""
    leader, second, (figure, scale) = ranked[0], ranked[1], _figure(ranked[0])
    if _key(leader) == _key(second):
        place = "first place" if complete else "the lead"
        return Headline(f"{_sharing(ranked)} {place}{when}", figure, f"{scale} each.", podium=complete)
    gap, name = _gap(leader, second), _name(leader.bot)
    rest = f"{scale}, {gap} more than {_name(second.bot)}."
    close = _too_close(table, ranked)
    if complete:
        title = f"{name} wins, but {close} too close to call" if close else f"{name} wins by {gap}"
    else:
        title = f"{name} leads by {gap}{when}"
        rest += f" {_capital(close)} still too close to call." if close else ""
    return Headline(title, figure, rest, podium=complete)


def _sharing(ranked: Sequence[Standing]) -> str:
    first = [row.bot for row in ranked if _key(row) == _key(ranked[0])]
    names = f"{_name(first[0])} and {_name(first[1])}" if len(first) == 2 else f"{_capital(in_words(len(first)))} bots"
    return f"{names} share"


def _too_close(table: Standings, ranked: Sequence[Standing]) -> str:
    """Returns the bots that are not told from the first one, with their verb. Empty if there are none."""
    rivals = [row.bot for row in ranked[1:] if row.bot in table.too_few or share_letter(row.tied, ranked[0].tied)]
    if len(rivals) > 1:
        return f"{in_words(len(rivals))} bots are"
    return f"{_name(rivals[0])} is" if rivals else ""


def _name(bot: str) -> str:
    return isolated(shorten(bot, LONGEST_NAME))


def _figure(row: Standing) -> tuple[str, str]:
    """Returns the result by which a bot is ranked, and the scale of it."""
    if row.effect is None:
        return f"Score {row.score or 0:,.2f}", ""
    return f"{signed(row.effect, 1)} chips per 100 deals", " above the mean of this field"


def _key(row: Standing) -> float:
    return (row.score or 0.0) if row.effect is None else row.effect


def _gap(row: Standing, other: Standing) -> str:
    gap, unit = _key(row) - _key(other), " points" if row.effect is None else ""
    if gap < LEAST_GAP:
        return f"less than 0.1{unit}"
    return f"{signed(gap, 0 if gap >= 10 else 1).removeprefix('+')}{unit}"


def _matches(count: int) -> str:
    return f"{in_words(count)} {'match' if count == 1 else 'matches'}"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
