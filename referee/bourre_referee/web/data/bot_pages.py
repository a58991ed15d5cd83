"""The data of a bot's page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bourre_referee.model.spec import SeatTiming
from bourre_referee.model.stored import StoredSeat
from bourre_referee.statistics.estimates import (
    ADJUSTED_PARTS,
    Block,
    Estimate,
    adjusted_blocks_of,
    blocks_of,
    estimate_per_100,
)
from bourre_referee.statistics.play_style import Style
from bourre_referee.statistics.reported_usage import ReportedUsage, reported_usage
from bourre_referee.statistics.rule_following import (
    ALL,
    FAULTS,
    Conduct,
    ConductCounter,
    RuleFollowing,
    broken_rules,
    fault_kinds,
)
from bourre_referee.statistics.standing import Standing, Standings
from bourre_referee.storage.run.run import Run
from bourre_referee.web.data.bot_deals import BotDeal, BotDeals, BotRenege
from bourre_referee.web.data.bot_portrait import Portrait, portrait
from bourre_referee.web.data.charts import POINTS, Chart, Point, Strip, chart, clamp, strip_axis
from bourre_referee.web.data.growing_run import MatchSummary
from bourre_referee.web.data.run_page import RunData

MOST_MATCHES = 100
"""The most matches on a bot's page. Its list of matches has all of them."""


@dataclass(frozen=True, slots=True)
class BotMatch:
    """A match from the view of one of its bots."""

    line: MatchSummary
    seat: StoredSeat

    @property
    def chips(self) -> float:
        """The chips that it won or lost."""
        return self.line.chips(self.seat)


FORM = 10
"""The most matches of the form."""

FORM_HEIGHT = 64.0
"""The height of a bar's picture."""


@dataclass(frozen=True, slots=True)
class ResultBar:
    """A match as a bar: up from the line of 0 if the bot won chips, otherwise down."""

    match: BotMatch
    top: float
    height: float
    zero: float


@dataclass(frozen=True, slots=True)
class Opponent:
    """What a bot won from another one."""

    bot: str
    estimate: Estimate
    """The difference in chips per 100 deals, over the matches of both."""
    strip: Strip | None
    """The interval, if known, on one scale for all opponents."""


@dataclass(frozen=True, slots=True)
class BotTimes:
    """A bot's times, in milliseconds."""

    decisions: int
    median: float
    """The median, over its matches, of the average time per decision."""
    longest: float
    """The longest of all its decisions."""


@dataclass(frozen=True, slots=True)
class BotData:
    """Everything about one bot."""

    number: int
    """Its number in addresses, from 1."""
    standing: Standing
    rating: Chart | None
    """Its mu after each of its matches, with a band of 3 sigma. None before the first, and for a no-show."""
    chips: Chart | None
    """Its chips per 100 deals with the 95 % interval, by deals played. None until there is an interval."""
    conduct: Conduct
    form: tuple[ResultBar, ...]
    """Its last matches, oldest first, at most FORM."""
    portrait: Portrait | None
    """How it plays. None before its first deal, during the count and for a no-show."""
    opponents: tuple[Opponent, ...]
    """The bots that it met, in the order of the standings."""
    best: tuple[BotDeal, ...]
    worst: tuple[BotDeal, ...]
    reneges: tuple[BotRenege, ...]
    """Its last ones, newest first."""
    times: BotTimes | None
    """Its times. None before its first decision."""
    matches: tuple[BotMatch, ...]
    """Its matches, newest first, at most MOST_MATCHES."""
    played: int
    """The number of matches it played."""
    won: int
    """The number of matches in which nobody won more chips."""
    ranks: tuple[int, int]
    """Its highest and lowest rank among the bots that it is tied with."""

    @property
    def name(self) -> str:
        """Its name, as in the contest file."""
        return self.standing.bot


def bot_data(
    run: RunData, number: int, styles: Sequence[Style] | None, deals: BotDeals | None = None
) -> BotData | None:
    """Returns the data of a bot with this number, or None. `styles` and `deals` are those of all, None if unknown."""
    if not 1 <= number <= len(run.bots):
        return None
    name = run.bots[number - 1]
    sat = [BotMatch(line, seat) for line in run.matches for seat in line.seats if seat.bot == name]
    count = ConductCounter()
    for match in sat:
        count.add([match.seat])
    standing = next(row for row in run.standings.rows if row.bot == name)
    no_show = standing.rank is None
    return BotData(
        number=number,
        standing=standing,
        rating=None if no_show else _rating_chart(run, name),
        chips=None if no_show else _chips_chart(run, standing),
        conduct=count.summarise([name])[0],
        form=_form(sat[-FORM:]),
        portrait=None if no_show else portrait(styles or (), name),
        opponents=tuple(_opponents(run.standings, name)),
        best=deals.best.get(name, ()) if deals else (),
        worst=deals.worst.get(name, ()) if deals else (),
        reneges=deals.reneges.get(name, ()) if deals else (),
        times=_times([_timing(match) for match in sat]),
        matches=tuple(sat[: -MOST_MATCHES - 1 : -1]),
        played=len(sat),
        won=sum(match.seat.rank == 1 for match in sat),
        ranks=_ranks(run.standings, standing),
    )


def _ranks(standings: Standings, own: Standing) -> tuple[int, int]:
    ranks = {row.bot: row.rank for row in standings.rows}
    own_ties = [tie for tie in standings.ties or () if own.bot in tie]
    found = [rank for tie in own_ties for bot in tie if (rank := ranks[bot]) is not None] or [own.rank or 0]
    return min(found), max(found)


def _form(matches: Sequence[BotMatch]) -> tuple[ResultBar, ...]:
    chips = [clamp(match.chips) for match in matches]
    high, low = max((0.0, *chips)), min((0.0, *chips))
    scale = FORM_HEIGHT / ((high - low) or 1)
    zero = round(high * scale, 1)
    return tuple(
        ResultBar(match, round((high - max(won, 0)) * scale, 1), round(abs(won) * scale, 1), zero)
        for match, won in zip(matches, chips, strict=True)
    )


def _opponents(standings: Standings, bot: str) -> Iterator[Opponent]:
    """Yields the bots that it met, less luck where the standings have it."""
    names = [row.bot for row in standings.rows]
    line = (standings.adjusted_cross or standings.cross)[names.index(bot)]
    met = {other: cell for other, cell in zip(names, line, strict=True) if cell and cell.deals}
    axis = strip_axis((cell.chips_per_100, cell.ci95) for cell in met.values())
    for other, cell in met.items():
        yield Opponent(other, cell, axis.strip(cell.chips_per_100, cell.ci95))


def _rating_chart(run: RunData, name: str) -> Chart | None:
    rated = [point.rating for point in run.rating_histories.get(name, ())]
    ends = [(rating.score, rating.mu + 3 * rating.sigma) for rating in rated]
    points = [Point(match, rating.mu, reach) for match, (rating, reach) in enumerate(zip(rated, ends, strict=True), 1)]
    return chart(points) if points else None


def _chips_chart(run: RunData, standing: Standing) -> Chart | None:
    """Draws chips per 100 deals, luck-adjusted if the standings have it."""
    luckless = standing.adjusted_ci95 is not None
    blocks = list(_blocks(run, standing.bot, luckless))
    unit = run.results[0].unit * (ADJUSTED_PARTS if luckless else 1) if run.results else 1
    stride = max(1, -(-len(blocks) // (POINTS // 4)))
    lengths = [*range(len(blocks), 1, -stride)][::-1]
    estimates = [estimate_per_100(blocks[:length], unit) for length in lengths]
    points = [Point(estimate.deals, estimate.chips_per_100, estimate.ci95) for estimate in estimates]
    return chart(points) if points else None


def _blocks(run: RunData, name: str, luckless: bool) -> Iterator[Block]:
    for result in run.results:
        for number, seat in enumerate(result.seats):
            if seat.bot == name:
                yield from adjusted_blocks_of(result, number) if luckless else blocks_of(result, number)


def _timing(match: BotMatch) -> SeatTiming:
    return match.line.timings[match.line.seats.index(match.seat)]


def _times(timings: Sequence[SeatTiming]) -> BotTimes | None:
    active = [timing for timing in timings if timing.decisions]
    if not active:
        return None
    return BotTimes(
        decisions=sum(timing.decisions for timing in active),
        median=median(timing.total_ms / timing.decisions for timing in active),
        longest=max(timing.longest_ms for timing in active),
    )


@dataclass(frozen=True, slots=True)
class ConductData:
    """The two tables. Bots are in the order of the standings."""

    following: tuple[RuleFollowing, ...] | None
    """None during the count."""
    broken: tuple[str, ...]
    """The rules that any bot broke."""
    kinds: tuple[str, ...]
    """The kinds of faults that any bot made."""
    usage: tuple[ReportedUsage, ...]
    """Empty if no bot reported usage, or while the seed is secret."""

    @property
    def counted(self) -> tuple[str, ...]:
        """The columns: all reneges, those of each rule, all faults, and those of each kind."""
        return ALL, *self.broken, FAULTS, *self.kinds


def conduct_data(run: Run, data: RunData, following: Sequence[RuleFollowing] | None) -> ConductData:
    """Returns the data of the page. Raises ContestError if the run is damaged."""
    return ConductData(
        following=None if following is None else tuple(following),
        broken=broken_rules(following or ()),
        kinds=fault_kinds(following or ()),
        usage=reported_usage(data.standings.rows, run.published_usage()),
    )
