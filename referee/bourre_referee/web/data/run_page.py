"""The data of a run that all pages share, for the matches finished so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from bourre_referee.contest.stages import match_id
from bourre_referee.derived.run_standings import no_shows, rank, rate_matches
from bourre_referee.model.results import MatchResult
from bourre_referee.model.stored import DiscardedMatch
from bourre_referee.statistics.standing import Standings
from bourre_referee.statistics.undecided_pairs import undecided_lines
from bourre_referee.storage.run.permission_lines import permission_lines, trusted_lines
from bourre_referee.storage.run.run import Run, seed_in_words
from bourre_referee.storage.run.void_match import replayed_lines
from bourre_referee.web.data.chip_curve import ChipCurvePoint
from bourre_referee.web.data.growing_run import GrowingRun, MatchSummary, group_voids, read_all
from bourre_referee.web.data.rating_histories import RatingHistories, RatingHistory


@dataclass(frozen=True, slots=True)
class RunData:
    """A run, finished or not."""

    standings: Standings
    """The standings, as in `bourre standings`."""
    bots: tuple[str, ...]
    numbers: Mapping[str, int]
    """The numbers of the bots, from 1, as in the addresses of their pages."""
    matches: tuple[MatchSummary, ...]
    """The finished matches, in schedule order."""
    results: tuple[MatchResult, ...]
    """The results of the same matches."""
    rating_histories: Mapping[str, RatingHistory]
    """Each bot's rating after each of its matches. Empty until they have been made."""
    course: tuple[ChipCurvePoint, ...] = field(compare=False)
    """All bots' estimates over time, in the order in which matches were added. Empty until all have been read."""
    finished: int
    """The number of finished matches."""
    whole: bool
    """Whether `matches` and `results` have all of them. Just after a restart, they may be incomplete."""
    rated: int
    """The number of matches in the ratings. The rest of the standings has all of them."""
    total: int
    """The number of matches in the whole contest."""
    deals: int
    """The number of deals in each match."""
    complete: bool
    """Whether all matches have been played, so that there is a digest."""
    seed: str
    """The public facts about the seed, in words, never a secret seed."""
    no_shows: Mapping[str, str]
    """The reason why each bot without a rank has none."""
    undecided: tuple[str, ...]
    """The amount of further play that would separate neighbours in the ranking: a sentence, then lines."""
    voids: tuple[DiscardedMatch, ...]
    """The discarded matches, without their records."""
    void_lines: tuple[str, ...]
    """Sentences about the discarded matches."""
    permission_lines: tuple[str, ...]
    """Sentences about anchors and about bots with more permissions, or whose authors could see more."""
    reports_usage: bool
    """Whether bots reported usage that is public, so that there is a board of models."""
    anchors: frozenset[str]
    """The bots whose ratings the contest file gives."""

    @property
    def contest(self) -> str:
        """The name of the contest."""
        return self.standings.contest

    @property
    def duplicate(self) -> bool:
        """Whether every deal is played in all seatings."""
        return self.standings.format == "duplicate"


def read_run(run: Run) -> RunData:
    """Reads the run in its current state. Raises ContestError if it is damaged. Reopen the folder for a newer state."""
    voids = read_voids(run)
    growing = read_all(run, group_voids(voids))
    rate_all(run, growing)
    return run_data(run, growing, voids)


def read_voids(run: Run) -> tuple[DiscardedMatch, ...]:
    """Reads the discarded matches without their records."""
    return tuple(replace(void, record=None) for void in run.voids())


def rate_all(run: Run, growing: GrowingRun) -> None:
    """Rates all matches so far, at once and one after the other."""
    results = growing.results
    growing.ratings, growing.rated = rate_matches(run.manifest, results), len(results)
    growing.histories = RatingHistories(results, growing.bots, growing.anchors, run.manifest.rating_version)


def run_data(run: Run, growing: GrowingRun, voids: Sequence[DiscardedMatch]) -> RunData:
    """Returns the data of the matches so far."""
    manifest, tally = run.manifest, growing.tally
    table = rank(run, tally, growing.ratings)
    return RunData(
        standings=table,
        bots=run.bots,
        numbers={bot: number for number, bot in enumerate(run.bots, start=1)},
        matches=tuple(growing.lines),
        results=tuple(growing.results),
        rating_histories=growing.histories.points() if growing.histories else {},
        course=growing.course.points(tally) if growing.whole else (),
        finished=tally.matches,
        whole=growing.whole,
        rated=growing.rated,
        total=manifest.matches,
        deals=manifest.terms.deals,
        complete=manifest.complete,
        seed=seed_in_words(manifest.terms.seed, manifest.seed),
        no_shows=no_shows(run, table),
        undecided=tuple(undecided_lines(tally, table)),
        voids=tuple(voids),
        void_lines=tuple(replayed_lines(voids, list(map(match_id, growing.numbers)) if voids else [])),
        permission_lines=(*trusted_lines(manifest), *permission_lines(manifest)),
        reports_usage=run.publishes_usage,
        anchors=frozenset(manifest.anchors),
    )
