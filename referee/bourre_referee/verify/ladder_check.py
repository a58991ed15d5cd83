"""Checks the epochs of a ladder while the ladder goes on: log, matches, and that they agree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_storage import LOG
from bourre_referee.ladder.log.events import LadderError
from bourre_referee.ladder.log.shared_log import LogStorage
from bourre_referee.ladder.log.state import LadderState
from bourre_referee.ladder.matchmaking.next_room import opened
from bourre_referee.ladder.matchmaking.pairing_check import check_pairings
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.wrong_folder import no_ladder
from bourre_referee.verify.difference import Difference
from bourre_referee.verify.epoch_check import EpochRuns, VerifiedEpoch, naming
from bourre_referee.verify.ladder_log import LoggedLadder, LogReading
from bourre_referee.verify.published import Published, check_hashes, hashes_of
from bourre_referee.verify.run_source import is_ladder
from bourre_referee.verify.verify import Advance


@dataclass(frozen=True, slots=True)
class VerifiedEpochs:
    """A log, and the epochs that follow from it, without differences."""

    epochs: tuple[VerifiedEpoch, ...]
    absent: tuple[int, ...]
    """Open epochs whose run folders are not here, because they are not public yet."""
    head: str
    """The hash of the log's last line."""
    state: LadderState
    """The state of the ladder after its lines."""


def verify_epoch(
    folder: Path,
    number: int,
    published: Sequence[Published] = (),
    jobs: int | None = None,
    advance: Advance = lambda *_: None,
) -> VerifiedEpoch:
    """Checks one epoch, as `verify_epochs` does."""
    (epoch,) = verify_epochs(LadderFolder(folder), number, published, jobs, advance).epochs
    return epoch


def verify_epochs(
    ladder: LadderFolder,
    only: int | None = None,
    published: Sequence[Published] = (),
    jobs: int | None = None,
    advance: Advance = lambda *_: None,
) -> VerifiedEpochs:
    """Checks the log, the rated and unrated matches of all epochs or one, and that the log paired these matches.

    The log is read before the matches and again after them, because the host logs the start of a room before its match,
    and its end afterwards. Raises the first Difference, and ContestError if there is no such epoch.
    """
    if not is_ladder(ladder.path):
        raise no_ladder(ladder.path)
    before, after = LoggedLadder(only), LoggedLadder(only)
    head = _read_to_end(ladder.lines, before)
    if only is not None and only not in before.epochs:
        last = before.state.epoch
        hint = f"pass --epoch with a number from 1 to {last}" if last else "run bourre ladder start to open the first"
        raise ContestError(f"Unknown epoch {only} of {ladder.path}.\nhint: {hint}")
    absent = tuple(number for number, each in before.epochs.items() if not each.closed and not _is_here(ladder, number))
    if only in absent:
        raise ContestError(
            f"Epoch {only} of {ladder.path} is still open, and its run folders are not here.\nhint: pass a closed epoch"
        )
    runs = {
        number: EpochRuns.verified(ladder, number, jobs, advance) for number in before.epochs if number not in absent
    }
    reading = LogReading(ladder.lines, after, {head, *(value for hashes in published for value in hashes.values())})
    _pair_again(reading, {number: seed for number, each in runs.items() if (seed := each.seed)})
    if head not in reading.met:
        raise Difference(f"{LOG}: another program replaced it during the check")
    seats = opened(after.state).seats
    for number, each in runs.items():
        with naming(f"epoch {number}"):
            each.check(before.epochs[number], after.epochs[number], seats)
    for hashes in published:
        check_hashes(_hashes_of(runs.values(), reading.met), hashes)
    read = reading.reader
    epochs = (each.followed(number, after.epochs[number], read.lines, read.head) for number, each in runs.items())
    return VerifiedEpochs(tuple(epochs), absent, read.head, after.state)


def _is_here(ladder: LadderFolder, number: int) -> bool:
    """Returns whether an epoch's rated or unrated rooms are in this copy of the ladder."""
    return any(ladder.epoch(number, rated=rated).has_manifest() for rated in (True, False))


@contextmanager
def _differences() -> Iterator[None]:
    """Raises a Difference for events that cannot happen in a ladder."""
    try:
        yield
    except LadderError as error:
        raise Difference(f"{LOG}: {error}") from error


def _read_to_end(lines: LogStorage, ladder: LoggedLadder) -> str:
    """Reads the log to its present end, and returns the hash of its last line."""
    reading = LogReading(lines, ladder)
    with _differences():
        for _ in reading.events():
            pass
    return reading.reader.head


def _pair_again(reading: LogReading, seeds: Mapping[int, bytes]) -> None:
    """Reads the log to its end, and pairs the rooms of all epochs with a revealed seed again."""
    with _differences():
        for wrong in check_pairings(reading.events(), seeds):
            raise Difference(f"{LOG}: {wrong}")


def _hashes_of(runs: Iterable[EpochRuns], met: Collection[str]) -> dict[str, Collection[str | None]]:
    """Returns every hash that the runs ever had, by its kind, and the wanted hashes that lines of the log have."""
    ever: defaultdict[str, Collection[str | None]] = defaultdict(set)
    for each in (hashes_of(run) for both in runs for run in (both.rated, both.unrated)):
        for kind, values in each.items():
            ever[kind] = {*ever[kind], *values}
    return {**ever, "log": {*ever["log"], *met}}
