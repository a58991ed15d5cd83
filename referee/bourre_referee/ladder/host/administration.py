"""The actions of the host and the owners. Each is an event in the ladder's log, whether it is served or not."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from pathlib import Path
from shlex import quote

from bourre_referee.ladder.host.bot_copy import copy_bot
from bourre_referee.ladder.host.joining import enter_staff
from bourre_referee.ladder.host.ladder_file import load_ladder
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.host.ladder_storage import begin_storage
from bourre_referee.ladder.host.ladder_terms import epoch_terms
from bourre_referee.ladder.host.open_epochs import OpenEpochs, open_epochs
from bourre_referee.ladder.log.entrant import objection
from bourre_referee.ladder.log.event_log import LogReader
from bourre_referee.ladder.log.events import (
    BotBenched,
    BotEvent,
    EpochAbandoned,
    LadderFrozen,
    LadderOpened,
    LadderThawed,
    MatchVoided,
    RoomFinished,
    RoomVoided,
    SeasonOpened,
)
from bourre_referee.ladder.log.seasons import Place
from bourre_referee.ladder.log.shared_log import utc_now
from bourre_referee.model.errors import ContestError
from bourre_referee.storage.files.atomic import new_folder
from bourre_referee.storage.files.waiting import AT_ONCE
from bourre_referee.storage.run.void_match import check_reason

RESTORED = "the ladder was restored from a backup"
"""The reason for void rooms of an abandoned epoch."""


def new_ladder(
    path: Path, file: Path, now: Callable[[], datetime] = utc_now, database: str | None = None
) -> LadderFolder:
    """Makes a ladder with the terms of this file, and copies the file and its staff bots.

    With the address of a `database`, its log and epochs are stored there.

    Raises ContestError for a file with problems, and if the folder exists and is not empty.
    """
    settings = load_ladder(file)
    with new_folder(path, "") as making:
        ladder = LadderFolder(making)
        ladder.file.write_bytes(file.read_bytes())
        for folder in (ladder.staff, ladder.bots):
            folder.mkdir()
        for bot in settings.contest.entrants:
            copy_bot(bot.files, settings.contest.folder, ladder.staff)
        begin_storage(making, database, settings.contest.name)
        with ladder.open_log(now).appending() as tail:
            tail.append(LadderOpened(settings.contest.seats, settings.owners_apart))
            tail.append(SeasonOpened(1))
            enter_staff(ladder, ladder.settings(), tail)
    return LadderFolder(path)


def check_not_behind(ladder: LadderFolder, heads: Collection[str]) -> None:
    """Raises ContestError unless the log has a line with each of these published hashes."""
    reader, left = LogReader(), set(heads)
    for line, _ in ladder.lines.read_after(0):
        reader.read(line.decode("ascii", "replace").removesuffix("\n"))
        left.discard(reader.head)
    for head in sorted(left):
        hint = f"restore a newer backup, or run bourre ladder restore {quote(str(ladder.path))}"
        raise ContestError(f"{ladder.lines} lacks line {head}, which was published.\nhint: {hint}")


def abandon_epochs(ladder: LadderFolder, now: Callable[[], datetime] = utc_now) -> list[int]:
    """Abandons the open epochs and their rooms in play, and returns the epochs' numbers.

    Raises ContestError if a process serves the ladder, or if the log and the epochs are from different backups.
    """
    if ladder.is_served():
        raise ContestError(f"Another process serves the ladder {ladder.path}.\nhint: stop it first")
    settings = ladder.settings()
    with ladder.leading(AT_ONCE) as led, open_epochs(led, settings.contest.name, epoch_terms(settings)) as epochs:
        log = led.open_log(now)
        log.read()
        found = log.state.seasons.unclosed
        for epoch in found:
            epochs.resume(epoch)
        ended = [_end(epochs, number, room.place) for number, room in log.state.rooms.items()]
        epochs.settle()
        abandoned = [EpochAbandoned(epoch.number) for epoch in found if not epoch.abandoned]
        with log.appending() as tail:  # briefly, because a database ends a session that falls silent
            for event in (*ended, *abandoned):
                tail.append(event)
    return [event.epoch for event in abandoned]


def _end(epochs: OpenEpochs, number: int, place: Place) -> RoomFinished | RoomVoided:
    """Gives up a room in play, unless its end is already stored but not logged."""
    if end := epochs.end_of(number, place, RESTORED):
        return end
    run = epochs.at(place)
    run.lose(place.match, RESTORED)
    run.give_up(place.match)
    return RoomVoided(number, RESTORED)


class Administration:
    """Changes one ladder. Every method raises ContestError if the change is not possible now."""

    def __init__(self, ladder: LadderFolder, now: Callable[[], datetime] = utc_now) -> None:
        self._log = ladder.open_log(now)

    def change(self, event: BotEvent) -> None:
        """Pauses, resumes, suspends, reinstates or retires a bot."""
        with self._log.appending() as tail:
            bot = tail.state.bots.get(event.bot)
            if bot is None:
                raise ContestError(f"Unknown bot {event.bot!r}.\nhint: run bourre ladder status for the list")
            if problem := objection(event, bot):
                raise ContestError(problem)
            if isinstance(event, BotBenched):
                check_reason(event.reason)
            tail.append(event)

    def freeze(self, *, frozen: bool) -> None:
        """Begins or ends the final rounds."""
        with self._log.appending() as tail:
            if tail.state.frozen == frozen:
                raise ContestError("the ladder is frozen already" if frozen else "the ladder is not frozen")
            tail.append(LadderFrozen() if frozen else LadderThawed())

    def open_season(self) -> int:
        """Opens the next season, and returns its number."""
        with self._log.appending() as tail:
            number = tail.state.seasons.last + 1
            tail.append(SeasonOpened(number))
        return number

    def void(self, room: int, reason: str) -> MatchVoided:
        """Takes back the match of a finished room."""
        check_reason(reason)
        with self._log.appending() as tail:
            seasons = tail.state.seasons
            place = seasons.place_of(room)
            if place is None:
                raise ContestError(f"Unknown room {room}. The last one is {tail.state.rooms_paired}.")
            if room in tail.state.rooms:
                raise ContestError(f"Room {room} is being played.\nhint: wait until it has ended")
            if room in seasons.voided:
                raise ContestError(f"the match of room {room} is void already: {seasons.voided[room]}")
            event = MatchVoided(place.epoch, room, reason)
            tail.append(event)
        return event
