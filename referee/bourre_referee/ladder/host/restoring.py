"""Goes on with a ladder that was restored from a backup: seeds of its open epochs may have been published since."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime

from bourre_referee.ladder.host.epoch_run import EpochRun
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_terms import epoch_terms
from bourre_referee.ladder.host.open_epochs import open_epochs
from bourre_referee.ladder.host.serving import unclosed
from bourre_referee.ladder.log.event_log import LogReader
from bourre_referee.ladder.log.events import EpochAbandoned, RoomFinished, RoomVoided
from bourre_referee.ladder.log.shared_log import utc_now
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.patience import AT_ONCE

REASON = "the ladder was restored from a backup"


def check_not_behind(ladder: LadderFolder, heads: Collection[str]) -> None:
    """Raises ContestError unless the log has a line with each of these hashes, which were published."""
    reader, left = LogReader(), set(heads)
    for line, _ in ladder.lines.read_after(0):
        reader.read(line.decode("ascii", "replace").removesuffix("\n"))
        left.discard(reader.head)
    for head in sorted(left):
        hint = f"restore a newer backup or, if there is none: bourre ladder restore {ladder.path}"
        raise ContestError(f"{ladder.lines}: it has no line {head}, which was published: {hint}")


def abandon_epochs(ladder: LadderFolder, now: Callable[[], datetime] = utc_now) -> list[int]:
    """Logs that the open epochs are abandoned, with their rooms in play void, and returns their numbers.

    Raises ContestError if a process serves the ladder, or its log and its epochs are not of one backup.
    """
    if ladder.is_served():
        raise ContestError(f"{ladder.path}: another process serves this ladder: stop it first")
    settings = ladder.settings()
    with ladder.leading(AT_ONCE) as led, open_epochs(led, settings.contest.name, epoch_terms(settings)) as epochs:
        log = led.open_log(now)
        log.read()
        found = unclosed(log.state)
        for epoch in found:
            epochs.resume(epoch)
        ended = [_end(epochs.at(room.place), number, room.place.match) for number, room in log.state.rooms.items()]
        epochs.settle()
        abandoned = [EpochAbandoned(epoch.number) for epoch in found if not epoch.abandoned]
        with log.appending() as tail:  # briefly, because a database ends a session that falls silent
            for event in (*ended, *abandoned):
                tail.append(event)
    return [event.epoch for event in abandoned]


def _end(run: EpochRun, number: int, match: int) -> RoomFinished | RoomVoided:
    """Gives up a room in play, unless it was stored before the host could log its end."""
    if match in run.finished():
        return RoomFinished(number, games=1)
    if match not in run.given_up():
        run.lose(match, REASON)
        run.give_up(match)
    return RoomVoided(number, REASON)
