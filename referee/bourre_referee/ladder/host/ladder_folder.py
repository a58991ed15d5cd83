"""The paths in the folder of a ladder."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from bourre_referee.ladder.host.ladder_file import LadderSettings, load_ladder
from bourre_referee.ladder.host.ladder_storage import EPOCHS, LOCK, LOG, LadderStorage, storage_of
from bourre_referee.ladder.log.events import BotJoined, LadderOpened
from bourre_referee.ladder.log.seasons import epoch_name
from bourre_referee.ladder.log.shared_log import LogStorage, SharedLog, utc_now
from bourre_referee.model.errors import ContestError
from bourre_referee.model.site import Site
from bourre_referee.storage.files.waiting import Waiting
from bourre_referee.storage.run.run_location import RunLocation

_ADDING = ".adding-"


class LadderFolder:
    """The paths in the folder of a ladder, and what lies there."""

    def __init__(self, path: Path, storage: LadderStorage | None = None) -> None:
        """By default, the folder says where log and epochs are stored."""
        self._storage = storage
        self.path = path
        self.file = path / "ladder.toml"
        """The terms, written by the host."""
        self.log = path / LOG
        """The log, chained, unless it is in a database."""
        self.lock = path / LOCK
        """The lock of the process that serves the ladder, unless it is in a database."""
        self.tokens = path / "tokens.json"
        """The hashes of the tokens of remote bots, by bot."""
        self.contacts = path / "contacts.json"
        """Where owners get notices, readable by the host alone."""
        self.notices = path / "notices.json"
        """The latest notices to owners."""
        self.staff = path / "staff"
        """The host's files of staff bots, with the paths of the ladder file."""
        self.bots = path / "bots"
        """The files of hosted bots, by bot and version."""
        self.epochs = path / EPOCHS
        """The run folders of the epochs, unless they are in a database."""
        self.logs = path / "logs"
        """The bots' output: `<entrant>/<room>.log`."""
        self.rooms = path / "rooms"
        """What onlookers see of the rooms in play, by room."""
        self.temp_dir_note = path / "ladder.scratch"
        """The file that names the temporary folder of the process that serves the ladder."""
        self.port_file = path / "door.port"
        """The file with the port that remote bots use, if the ladder file leaves it open."""
        self.board = path / "board.json"
        """The content of the pages, written every few seconds. The log and the run folders are authoritative."""

    @property
    def storage(self) -> LadderStorage:
        """Where the log and the epochs are stored."""
        return self._storage or storage_of(self.path)

    @property
    def lines(self) -> LogStorage:
        """The lines of the log."""
        return self.storage.lines

    def last_board(self, season: int) -> Path:
        """Returns the file with the last board of a season that is over."""
        return self.path / f"season-{season:04d}.json"

    @property
    def site(self) -> Site:
        """Where rooms are played on this machine: the files of each hosted version are in `<bot>/<number>`."""
        return Site(self.bots, self.logs, public=self.rooms)

    def files_of(self, bot: str, number: int) -> Path:
        """Returns the folder of the files of a hosted version."""
        return self.bots / bot / str(number)

    def epoch(self, number: int, *, rated: bool) -> RunLocation:
        """Returns the place of an epoch's rated, or of its unrated, rooms."""
        return self.storage.epoch(epoch_name(number, rated=rated))

    def settings(self) -> LadderSettings:
        """Reads the terms. Raises ContestError that lists every problem, or if there is no ladder."""
        self.storage.check()
        return load_ladder(self.file, self.staff)

    def open_log(self, now: Callable[[], datetime] = utc_now) -> SharedLog:
        """Opens the log without reading it. Raises ContestError if there is no ladder."""
        self.storage.check()
        return SharedLog(self.lines, now)

    def check_terms(self, settings: LadderSettings, opened: LadderOpened | None) -> None:
        """Raises ContestError if the terms differ from those at the opening of the ladder."""
        if opened and opened != LadderOpened(settings.contest.seats, settings.owners_apart):
            written = f"seats = {opened.seats} and owners_apart = {str(opened.owners_apart).lower()}"
            raise ContestError(
                f"{self.file}: the ladder opened with {written}.\nhint: set them again, or make another ladder"
            )

    def is_served(self) -> bool:
        """Whether a process serves this ladder now."""
        return self.storage.is_served()

    @contextmanager
    def leading(self, patience: Waiting) -> Iterator[LadderFolder]:
        """Keeps other processes from serving this ladder, and yields it for writing.

        If another process serves it, this waits with `patience` in a database, and raises ContestError in a folder.
        """
        self.storage.check()
        with self.storage.lead(patience) as led:
            yield LadderFolder(self.path, led)

    def without_place(self, text: str) -> str:
        """Removes the folder's path and the database's address from a message for strangers."""
        return text.replace(str(self.path), self.path.name).replace(str(self.storage), "the database")

    @contextmanager
    def adding(self) -> Iterator[Path]:
        """Yields an empty folder for the files of a version, and removes it at the end."""
        with self._holding_bots(fcntl.LOCK_SH), TemporaryDirectory(prefix=_ADDING, dir=self.bots) as place:
            folder = Path(place, "files")  # gets the usual permissions, unlike the temporary folder around it
            folder.mkdir()
            yield folder

    def sweep(self) -> None:
        """Removes what killed processes left: rooms in play, and files that were being added unless some are now."""
        shutil.rmtree(self.rooms, ignore_errors=True)
        with suppress(BlockingIOError), self._holding_bots(fcntl.LOCK_EX | fcntl.LOCK_NB):
            for left in self.bots.glob(f"{_ADDING}*"):
                shutil.rmtree(left, ignore_errors=True)

    @contextmanager
    def _holding_bots(self, how: int) -> Iterator[None]:
        handle = os.open(self.bots, os.O_RDONLY | os.O_DIRECTORY)
        try:
            fcntl.flock(handle, how)
            yield
        finally:
            os.close(handle)

    def keep(self, files: Path, joined: BotJoined) -> None:
        """Moves the files of a version to their place. Call it with the log locked, before logging the version."""
        place = self.files_of(joined.bot, joined.number)
        if place.exists():
            shutil.rmtree(place)  # left by a process that was killed before it logged them
        place.parent.mkdir(exist_ok=True)
        files.rename(place)
