"""Measures contests with adaptive rounds: how often they part equal bots, how long they last, and what they show.

    .venv/bin/python research/measurements/adaptive_contests.py BANKS FILE [--contests 600] [--processes 2]

BANKS is a folder that `play_banks.py` wrote. Writes a row for each kind of contest into the CSV file. The looks and the
line-ups are those of `bourre run`. research/field-model.md.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain, pairwise
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from zlib import crc32

import numpy as np
from field_cells import CLEAR, read_equal, true_effects
from field_contests import Field, Play, balanced, drawn, exponential, normal, play_contest
from rows import add_to_csv
from session_bank import BOTS, SEATS, Array, Bank
from simulated_matches import judge, manifest_of, pairs_apart, results_of
from verdicts import ranking_by

from bourre_referee.contest.schedule_section import ScheduleChoice, schedule_of
from bourre_referee.contest.stages import Stage
from bourre_referee.model.results import MatchResult
from bourre_referee.runner.adaptive_rounds import adaptive_round
from bourre_referee.statistics.field_verdict import FieldVerdict
from bourre_referee.statistics.ranking import level_of_looks
from bourre_referee.storage.run.manifest import Manifest

CHUNK = 10
"""Contests that a process simulates at once."""
STEPS = np.arange(BOTS, dtype=float)
"""The true effects of made-up bots: neighbours differ by as much as the least noise, a third of the largest."""
CLEAR_STEPS = 2.0
"""The steps between two bots that should be told apart."""
SCHEDULES = ((2, 3), (2, 10), (5, 3))
"""The rounds of the round robin, and the most adaptive rounds."""

HEAD = (
    *("contest", "matches before", "most rounds", "runs", "wrong at any look", "wrong at the end", "within the bar"),
    *("rounds", "matches", "clear pairs apart", "neighbours apart"),
    *("clear pairs apart, as many balanced matches", "neighbours apart, as many balanced matches"),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One kind of contest with adaptive rounds."""

    name: str
    rounds: int
    """The rounds of the round robin."""
    adaptive: int
    field: Field
    truth: Array
    clear: float = CLEAR
    """The difference from which on two bots should be told apart."""

    def contests(self, most: int) -> int:
        """Returns how many contests of this kind are simulated: fewer if the bots differ, as power is easily seen."""
        return most // 3 if self.gaps.any() else most

    def figures(self, numbers: range) -> list[list[float]]:
        """Returns for each contest whether it is wrong at any look and at the end, how long it lasts and its power."""
        begun = manifest_of(ScheduleChoice(rounds=self.rounds, adaptive=self.adaptive))
        rows = []
        for number in numbers:
            dice = np.random.default_rng([crc32(f"{self.name} {self.rounds} {self.adaptive}".encode()), number])
            seen = list(looks_at(begun, self.field(dice), dice.bytes(32)))
            wrong = [self.has_wrong(look.verdict) for look in seen]
            end = seen[-1]
            powers = [*self.power(end.verdict), *self.balanced_power(end.matches, dice)] if self.gaps.any() else []
            rows.append([any(wrong), wrong[-1], end.rounds, end.matches, *powers])
        return rows

    def balanced_power(self, matches: int, dice: np.random.Generator) -> tuple[float, float]:
        """Returns the power of a round robin of so many matches, with a single look."""
        part = play_contest(self.field, balanced(BOTS, matches), dice)
        return self.power(judge(results_of(part.line_ups, part.chips)))

    def has_wrong(self, verdict: FieldVerdict) -> bool:
        """Returns whether a bot is said to be better than one that is as good or better."""
        apart = pairs_apart(verdict.effects, verdict.brackets)
        return any(self.truth[upper] <= self.truth[lower] for upper, lower in apart)

    def power(self, verdict: FieldVerdict) -> tuple[float, float]:
        """Returns the shares of clear pairs, and of neighbours in the true order, that are told apart."""
        apart = {*pairs_apart(verdict.effects, verdict.brackets)}
        clear = set(zip(*(bots.tolist() for bots in np.nonzero(self.gaps >= self.clear)), strict=True))
        neighbours = set(pairwise(ranking_by(self.truth).tolist()))
        return len(clear & apart) / len(clear), len(neighbours & apart) / len(neighbours)

    @property
    def gaps(self) -> Array:
        """The true differences of any two bots."""
        return self.truth[:, None] - self.truth

    def row(self, figures: Array) -> list[str]:
        """Returns the row of the table."""
        any_look, at_end, rounds, matches, *powers = figures.mean(axis=0).tolist()
        bar = 0.06 + 2 * sqrt(0.06 * 0.94 / len(figures))
        head = [self.name, f"{BOTS * self.rounds}", f"{self.adaptive}", f"{len(figures)}"]
        wrong = [f"{100 * any_look:.1f}", f"{100 * at_end:.1f}", "yes" if any_look <= bar else "no"]
        shown = [f"{100 * power:.1f}" for power in powers] or [""] * 4
        return [*head, *wrong, f"{rounds:.2f}", f"{matches:.1f}", *shown]


@dataclass(frozen=True, slots=True)
class Look:
    """What a contest shows at a look, and how many adaptive rounds and matches were played before."""

    verdict: FieldVerdict
    rounds: int
    matches: int


def looks_at(manifest: Manifest, play: Play, seed: bytes) -> Iterator[Look]:
    """Plays a contest as `bourre run` does, and yields its looks. The last is at the final standings."""
    results: list[MatchResult] = []
    level = level_of_looks(manifest.terms.schedule.adaptive)
    while True:
        results += play_stage(manifest.stages[-1], play, seed)
        looked: list[int] = []
        due = adaptive_round(manifest, partial(_noted, results, looked))
        if looked or due is None:
            yield Look(judge(results, level), len(manifest.added), len(results))
        if due is None:
            return
        manifest = manifest.model_copy(update={"added": (*manifest.added, due)})


def _noted(results: Sequence[MatchResult], looked: list[int]) -> Sequence[MatchResult]:
    looked.append(len(results))
    return results


def play_stage(stage: Stage, play: Play, seed: bytes) -> Iterator[MatchResult]:
    """Plays the matches of a stage."""
    schedule = schedule_of(stage.pairing, stage.bots, SEATS, seed)
    line_ups = np.sort(np.array(schedule.line_ups), axis=1)
    return results_of(line_ups, play(line_ups), stage.first)


@cache
def all_cells(folder: Path) -> tuple[Cell, ...]:
    """Returns the kinds of contests; each process makes them once."""
    return tuple(chain(equal_cells(folder), unequal_cells(folder)))


def equal_cells(folder: Path) -> Iterator[Cell]:
    """Yields contests of equal bots."""
    nobody = np.zeros(BOTS)
    fields = {"equal, quick": drawn(read_equal(folder, "quick")), "equal, normal": normal(nobody)}
    fields |= {"equal, opposite exponential": exponential(nobody)}
    for name, field in fields.items():
        for rounds, adaptive in SCHEDULES:
            yield Cell(name, rounds, adaptive, field, nobody)


def unequal_cells(folder: Path) -> Iterator[Cell]:
    """Yields contests of the real bots, and of made-up ones."""
    bank = Bank.read(folder / "quick.npz")
    for rounds, adaptive in SCHEDULES:
        yield Cell("real, quick", rounds, adaptive, drawn(bank), true_effects(bank))
    for name, noise in {"normal": normal, "opposite exponential": exponential}.items():
        yield Cell(f"steps, {name}", *SCHEDULES[0], noise(STEPS), STEPS, CLEAR_STEPS)


@dataclass(frozen=True, slots=True)
class Job:
    """Some contests of one cell, for one process."""

    folder: Path
    cell: int
    numbers: range

    def run(self) -> list[list[float]]:
        """Simulates the contests."""
        return all_cells(self.folder)[self.cell].figures(self.numbers)


def jobs_of(folder: Path, contests: int) -> Iterator[list[Job]]:
    """Yields the jobs of each cell."""
    for place, cell in enumerate(all_cells(folder)):
        most = cell.contests(contests)
        yield [Job(folder, place, range(at, min(most, at + CHUNK))) for at in range(0, most, CHUNK)]


def main(arguments: Sequence[str]) -> None:
    """Simulates all cells; each row is written once its contests are done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("banks", type=Path, help="the folder of the banks")
    parser.add_argument("file", type=Path, help="the file to which the rows are added")
    parser.add_argument("--contests", type=int, default=600, help="contests of each kind; a third if the bots differ")
    parser.add_argument("--processes", type=int, default=1, help="how many simulate at once")
    options = parser.parse_args(arguments)
    with Pool(options.processes) as pool:
        for cell, jobs in zip(all_cells(options.banks), jobs_of(options.banks, options.contests), strict=True):
            row = cell.row(np.array(list(chain.from_iterable(pool.map(Job.run, jobs, chunksize=1)))))
            add_to_csv(options.file, HEAD, [row])
            print(", ".join(row), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
