"""The contest that compares two bots, and the two ways to play it: as processes, or in this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bourre.bot import Bot
from bourre.practice import practice_duplicate
from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre.rules.pot import match_due
from bourre_referee.contest.contest import Contest
from bourre_referee.contest.contest_plan import matches_of
from bourre_referee.contest.recount import recount_in_order
from bourre_referee.contest.schedule.duplicate_seatings import seatings
from bourre_referee.contest.schedule_section import ScheduleChoice, matches_in
from bourre_referee.contest.stages import match_id
from bourre_referee.evaluation.bot_source import BotSource, entrants_of, isolation_for
from bourre_referee.evaluation.compare.comparison import Comparison, RunningComparison, StoppingRule
from bourre_referee.luck import BASELINE
from bourre_referee.model.errors import Interrupted
from bourre_referee.model.results import MatchResult
from bourre_referee.model.spec import Clock, MatchSpec
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.executor import MakeExecutor
from bourre_referee.runner.interrupt import Stop
from bourre_referee.runner.progress import Progress, Watch
from bourre_referee.storage.run.run import Run

MATCH_DEALS = 50
"""The approximate maximum of deals in a match. Each match allows a verdict, but each seating restarts the bots."""

LOOKS = 10
"""The approximate minimum of verdict opportunities. Small budgets are for bots with expensive decisions."""

TABLES = 32


def contest_of(
    bots: Mapping[str, BotSource],
    seed: int,
    deals: int,
    house: HouseRules,
    folder: Path,
    name: str = "compare",
    clock: Clock | None = None,
) -> Contest:
    """Returns a contest of these bots by name, all at one table, with at least `deals` deals.

    Every bot sits equally often in every seat, in each match (its seatings) and over all matches (their line-ups).
    """
    seats = len(bots)
    rounds = max(1, deals // (min(MATCH_DEALS, deals // LOOKS or 1) * seats))
    return Contest(
        name=name,
        seed=seed,
        seats=seats,
        deals=-(-deals // (rounds * seats)),
        format="duplicate",
        tables=TABLES,
        stakes=(0,),
        house=house,
        schedule=ScheduleChoice(rounds=rounds),
        clock=clock or Clock(),
        max_faults=10,
        entrants=entrants_of(bots, folder),
        folder=folder,
        isolation=isolation_for(bots.values()),
    )


def stopping_rule(contest: Contest, margin: float | None = None, *, sure: bool = False) -> StoppingRule:
    """Returns the rule for this contest. `sure` decides by bets within the bound that the house rules set."""
    bound = contest.seats * most_difference(contest.house, contest.seats) if sure else None
    return StoppingRule(len(schedule_of(contest)) * contest.deals, margin, bound)


def most_difference(house: HouseRules, seats: int) -> int:
    """Returns the most chips by which a deal with an empty pot, settled alone and without fines, separates two seats.

    One takes the pot, and the other matches it and has paid more of the antes.
    """
    antes = house.antes(seats, pot=0)
    entry = house.cost_to_enter + (house.cost_to_stay or 0)
    pot = sum(antes) + seats * entry
    due = max(match_due(pot, house, bourred=True, reneged=reneged) for reneged in (False, True))
    return house.limited(pot) + due + max(antes) - min(antes) + entry


def schedule_of(contest: Contest) -> list[str]:
    """Lists the ids of its matches, in their order."""
    numbers = range(1, 1 + matches_in(contest.schedule, len(contest.names), contest.seats))
    return [match_id(number) for number in numbers]


def compare(
    contest: Contest,
    folder: Path,
    first: str,
    second: str,
    rule: StoppingRule,
    *,
    jobs: int | None = None,
    watch: Watch = lambda progress: None,
    executor: MakeExecutor | None = None,
    stop: Stop,
) -> Comparison:
    """Plays or continues the contest in its run folder until there is a verdict.

    An `executor` plays the rooms elsewhere. Raises the errors of `runner.contest_run.run`, but Interrupted only without
    a verdict.
    """
    watcher = _StopAtVerdict(folder, RunningComparison(first, second, schedule_of(contest), rule), watch, stop)
    try:
        run(contest, folder, jobs=jobs, watch=watcher, executor=executor, stop=stop)
    except _DecidedBefore:
        pass
    except Interrupted:
        if not watcher.running.decided:
            raise
    return watcher.running.comparison


class _DecidedBefore(Exception):
    """Raised when the matches of an earlier run are enough for a verdict, so that no play is needed."""


@dataclass(frozen=True, slots=True)
class _StopAtVerdict:
    """Watches the contest, and stops it when there is a verdict."""

    folder: Path
    running: RunningComparison
    watch: Watch
    stop: Stop

    def __call__(self, progress: Progress) -> None:
        """Shows the progress and judges the new match. The first call judges all matches of an earlier run."""
        self.watch(progress)
        if progress.latest and progress.latest.blocks[0].luck:
            self.running.hear(progress.latest)
            if self.running.decided and progress.done < progress.total:
                self.stop.call_off()
        elif progress.done == progress.resumed > self.running.matches_heard:
            for result in Run.open(self.folder).results():
                if result.blocks[0].luck:
                    self.running.hear(result)
            if self.running.decided:
                raise _DecidedBefore


def compare_in_process(
    contest: Contest, seed: int, bots: Mapping[str, type[Bot]], first: str, second: str, rule: StoppingRule
) -> Comparison:
    """Compares two of the `bots`, by name, without time limits, with the cards that processes would get.

    Raises PracticeError at the first illegal card or exception of a bot.
    """
    running = RunningComparison(first, second, schedule_of(contest), rule)
    for result in play_in_process(contest, matches_of(contest, master_seed(seed)), bots):
        running.hear(result)
        if running.decided:
            break
    return running.comparison


def play_in_process(
    contest: Contest, matches: Iterable[MatchSpec], bots: Mapping[str, type[Bot]]
) -> Iterator[MatchResult]:
    """Plays these matches, the first ones of a duplicate contest, and yields their results. Raises PracticeError."""
    records = (
        practice_duplicate(
            {name: bots[name] for name in spec.line_up},
            spec.deals,
            seatings,
            spec.seed,
            spec.house,
            contest.stakes,
            spec.match,
        )
        for spec in matches
    )
    for found in recount_in_order(records, BASELINE):
        yield found.result
