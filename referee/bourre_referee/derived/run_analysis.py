"""The analysis of `bourre stats`, from a run and its kept results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

from bourre.record import read
from bourre_referee.derived.analysis_cache import AnalysedRun, analysis_key, kept_hash, load_analysis, store_analysis
from bourre_referee.derived.counts_cache import Counted, counted_matches
from bourre_referee.derived.model_groups import model_groups
from bourre_referee.derived.ratings_cache import RatedRun, load_rated, rate_again
from bourre_referee.derived.result_cache import ResultCache
from bourre_referee.derived.run_standings import rank
from bourre_referee.model.errors import ContestError
from bourre_referee.model.lab import open_lab
from bourre_referee.model.results import MatchResult
from bourre_referee.statistics.analysis import Analysis, analyse
from bourre_referee.statistics.match_counts import RunCounts
from bourre_referee.statistics.match_sums import PairFigures, Tally
from bourre_referee.statistics.rule_following import ConductCounter
from bourre_referee.statistics.standing import Standings
from bourre_referee.storage.database.match_reader import ReadMatch
from bourre_referee.storage.run.run import Run

Show = Callable[[Iterator[Counted], int], Iterator[Counted]]
"""Passes on the counts of this many matches, and shows the progress."""


def analyse_run(
    run: Run,
    cache: ResultCache,
    seed: int = 0,
    jobs: int | None = None,
    show: Show = lambda counted, _: counted,
) -> AnalysedRun:
    """Analyses the finished matches. Raises ContestError if the run is damaged."""
    database = kept_hash(run, cache)
    key = analysis_key(run, database, seed)
    if (kept := load_analysis(cache, key)) is not None:
        return kept
    read = _read(run, cache, database)
    found = RunCounts()
    with closing(counted_matches(run, read.numbers, cache, jobs)) as counted:
        for number, _, of_match in show(counted, len(read.numbers)):
            found.add(number, of_match)
    groups = model_groups(run) if run.usage() else None
    analysis = analyse(read.table.rows, read.tally, read.results, read.conduct, found, seed, groups)
    made = AnalysedRun(read.table, analysis)
    if database == kept_hash(run, cache):  # nobody has changed the run meanwhile
        store_analysis(cache, key, made)
    return made


def judge_favours(
    run: Run, analysis: Analysis, show: Callable[[Iterator[str], int], Iterator[str]] = lambda matches, _: matches
) -> Analysis:
    """Adds the partner bias in each pair's decisions, as the champion judges them. It needs NumPy.

    `show` passes on this many match names and shows the progress. Raises ContestError if the run is damaged.
    """
    from bourre_referee.statistics.partner_bias import find_favours

    lab, matches = open_lab(), run.matches()
    records = (read(run.record(match)) for match in show(iter(matches), len(matches)))
    judged = (one for number, record in enumerate(records) for one in lab.judged_decisions(number, record))
    return replace(analysis, flow=tuple(find_favours(analysis.flow, judged)))


def check_fitted(run: Run) -> None:
    """Raises ContestError if the run has no luck to fit."""
    if run.manifest.terms.format != "duplicate":
        raise ContestError(
            f'{run.place}: --fitted needs format = "duplicate", in which every bot gets every hand.\n'
            "hint: run bourre stats without --fitted"
        )


def fitted_pairs(run: Run, pairs: Sequence[PairFigures]) -> tuple[PairFigures, ...]:
    """Adds its fitted figure to each pair, if it helps. It needs NumPy. Raises ContestError if the run is damaged."""
    from bourre_referee.statistics.fitted_correction import FittedMatch, fit_pairs

    results = {match.stored.number: match.result for match in run.new_matches(()) or []}
    with closing(run.packed_records([*results])) as records:
        matches = [FittedMatch(results[record.number], read(record.text()).header) for record in records]
    return fit_pairs(pairs, matches)


class _Read(NamedTuple):
    """The inputs of the analysis besides the records of the finished matches."""

    numbers: list[int]
    results: list[MatchResult]
    conduct: ConductCounter
    table: Standings
    tally: Tally


def _read(run: Run, cache: ResultCache, database: str) -> _Read:
    """Reads the finished matches. `database` is the hash of the whole database, if it is known."""
    matches = run.new_matches(()) or []
    conduct = ConductCounter()
    for match in matches:
        conduct.add(match.stored.seats)
    rated = _rate(run, cache, matches, database)
    results = [match.result for match in matches]
    numbers = [match.stored.number for match in matches]
    return _Read(numbers, results, conduct, rank(run, rated.tally, rated.ratings), rated.tally)


def _rate(run: Run, cache: ResultCache, matches: Sequence[ReadMatch], database: str) -> RatedRun:
    """Returns the kept sums and ratings, or new ones if those do not cover exactly these matches."""
    kept = load_rated(cache, run, whole=True)
    facts = {match.stored.number: match.facts for match in matches}
    if kept and kept.rated == len(facts) and kept.facts in ({}, facts):
        return kept
    return rate_again(run, cache, matches, database)
