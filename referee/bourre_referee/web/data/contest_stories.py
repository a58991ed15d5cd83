"""The stories of a contest for its first page: one of each kind, ranked by the chips that moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.web.data.growing_run import MatchSummary
from bourre_referee.web.data.moments import Moment, MomentKind, Moments, RenegeCost

RECENT = 500
"""The most matches, newest first, in which the latest upset is looked for."""


@dataclass(frozen=True, slots=True)
class Upset:
    """The latest match that a bot won although a much better one sat at the table."""

    match: str
    bot: str
    beaten: str
    rank: int
    beaten_rank: int
    chips: float
    beaten_chips: float
    kind: Literal["upset"] = "upset"

    @property
    def moved(self) -> float:
        """The chips between the two."""
        return self.chips - self.beaten_chips


@dataclass(frozen=True, slots=True)
class CostlyHabit:
    """The bot whose reneges lost it the most chips."""

    bot: str
    rules: tuple[tuple[str, RenegeCost], ...]
    """The rules that it broke, and how often, most often first."""
    kind: Literal["habit"] = "habit"

    @property
    def moved(self) -> float:
        """The lost chips."""
        return float(sum(cost.chips for _, cost in self.rules))

    @property
    def times(self) -> int:
        """The number of its reneges."""
        return sum(cost.times for _, cost in self.rules)


ContestStory = Moment | Upset | CostlyHabit


@dataclass(frozen=True, slots=True)
class ContestStories:
    """The stories of a contest so far."""

    told: tuple[ContestStory, ...] = ()
    """One of each kind, and no deal twice. Those that moved most chips come first."""
    featured: Moment | None = None
    """The deal of the contest, in which most chips changed hands. It is not among those told."""

    @property
    def every(self) -> tuple[ContestStory, ...]:
        """The featured deal, then the others."""
        return (self.featured, *self.told) if self.featured else self.told


def contest_stories(standings: Standings, matches: Sequence[MatchSummary], moments: Moments) -> ContestStories:
    """Chooses the stories for the first page."""
    featured = featured_moment(moments)
    seen = {_deal(featured)} if featured else set()
    told: list[ContestStory] = [*_upsets(standings, matches), *_habits(moments)]
    for kind in MomentKind:
        fresh = (moment for moment in moments.kept.get(kind, ()) if _deal(moment) not in seen)
        if (moment := next(fresh, None)) and not (featured and kind == featured.kind):
            seen.add(_deal(moment))
            told.append(moment)
    return ContestStories(tuple(sorted(told, key=lambda story: story.moved, reverse=True)), featured)


def featured_moment(moments: Moments) -> Moment | None:
    """Returns the moment of the deal in which most chips changed hands. None without a deal that tells anything."""
    deals = (kept for kind, kept in moments.kept.items() if kind != MomentKind.COMEBACK)
    return max(chain.from_iterable(deals), key=lambda moment: (moment.swing, moment.pot), default=None)


def _deal(moment: Moment) -> tuple[int, int, int | None]:
    return moment.number, moment.played.number, moment.played.seating


def _upsets(standings: Standings, matches: Sequence[MatchSummary]) -> Iterator[Upset]:
    """Yields the latest upset: half the standings lie between the two."""
    rows = {row.bot: row for row in standings.ranked}
    for line in reversed(matches[-RECENT:]):
        first, *others = line.seats_by_rank
        known = [rows[seat.bot] for seat in others if seat.bot in rows]
        if not known or first.bot not in rows or first.rank == others[0].rank:
            continue
        winner, beaten = rows[first.bot], min(known, key=lambda row: row.rank or 0)
        if _gap(winner, beaten) >= max(2, len(rows) // 2):
            loser = next(seat for seat in others if seat.bot == beaten.bot)
            ranks = winner.rank or 0, beaten.rank or 0
            yield Upset(line.match, first.bot, loser.bot, *ranks, line.chips(first), line.chips(loser))
            return


def _gap(winner: Standing, beaten: Standing) -> int:
    return (winner.rank or 0) - (beaten.rank or 0)


def _habits(moments: Moments) -> Iterator[CostlyHabit]:
    bots = {bot for bot, _ in moments.costs}
    habits = [CostlyHabit(bot, _rules(bot, moments)) for bot in sorted(bots)]
    if habits:
        yield max(habits, key=lambda habit: (habit.moved, habit.times))


def _rules(bot: str, moments: Moments) -> tuple[tuple[str, RenegeCost], ...]:
    rules = [(rule, cost) for (of, rule), cost in moments.costs.items() if of == bot]
    return tuple(sorted(rules, key=lambda rule: (-rule[1].times, rule[0])))
