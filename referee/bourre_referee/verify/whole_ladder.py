"""Checks a whole ladder while it goes on: its log, every epoch, every season and every board."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.verify.board_check import CheckedBoard, check_boards
from bourre_referee.verify.epoch_text import unchecked_in_epoch
from bourre_referee.verify.ladder_check import VerifiedEpochs, verify_epochs
from bourre_referee.verify.published import Published
from bourre_referee.verify.verify import Advance
from bourre_referee.verify.verify_text import Unchecked

HISTORY = Unchecked("curves and changes", "on a board, they depend on the times at which the host computed its ratings")


@dataclass(frozen=True, slots=True)
class VerifiedLadder:
    """A ladder without differences, as far as it can be checked."""

    log: VerifiedEpochs
    boards: tuple[CheckedBoard, ...]
    unchecked: tuple[Unchecked, ...]
    """The checks that were not possible, also those of the epochs."""


def verify_ladder(
    ladder: LadderFolder,
    published: Sequence[Published] = (),
    jobs: int | None = None,
    advance: Advance = lambda *_: None,
) -> VerifiedLadder:
    """Checks the log, all epochs, seasons and boards. Raises the first Difference."""
    log = verify_epochs(ladder, None, published, jobs, advance)
    found = tuple(check_boards(ladder, log.state))
    boards = tuple(each for each in found if isinstance(each, CheckedBoard))
    left_out = (*_unchecked_in(log), *(each for each in found if isinstance(each, Unchecked)))
    return VerifiedLadder(log, boards, (*left_out, HISTORY) if boards else left_out)


def _unchecked_in(log: VerifiedEpochs) -> Iterator[Unchecked]:
    """Yields the checks that were not possible, once for all epochs with the same reason."""
    epochs: defaultdict[Unchecked, list[int]] = defaultdict(list)
    for epoch in log.epochs:
        for each in dict.fromkeys(unchecked_in_epoch(epoch)):
            epochs[each].append(epoch.number)
    if log.absent:
        yield Unchecked(_epochs_in_words(log.absent), "still open, and not in this copy of the ladder")
    for each, numbers in epochs.items():
        yield Unchecked(f"{each.what} of {_epochs_in_words(numbers)}", each.why)


def _epochs_in_words(numbers: Sequence[int]) -> str:
    first, last = numbers[0], numbers[-1]
    if first == last:
        return f"epoch {first}"
    if len(numbers) > 2 and last - first + 1 == len(numbers):
        return f"epochs {first} to {last}"
    return f"epochs {', '.join(map(str, numbers))}"
