"""Plays rooms on a Dask worker: it has a folder, the bots' files, and a process for each room in play."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing.connection import wait
from pathlib import Path
from threading import Lock
from time import monotonic, time

from bourre_referee.model.site import Site
from bourre_referee.model.spec import RoomSpec
from bourre_referee.runner.cluster.bot_files import FetchedFiles
from bourre_referee.runner.worker import Failed, Played, Worker, play_room, work
from bourre_referee.sandbox.bot_log import LIMIT

PREFIX = "bourre-worker-"
SOCKETS = "t"
"""The folder of temporary files. Its name is short, because a socket's path must be short."""
LOOK_S = 0.5
"""The interval, in seconds, of checks whether a room in play is still wanted."""
_NEW_S = 60.0
_LONGEST_LOG = 2 * LIMIT + 4096
"""The most bytes of a log: a limit each for the bot and the referee, and a remark."""


@dataclass(frozen=True, slots=True)
class WorkerRoomAnswer:
    """The result of a room on a worker."""

    answer: Played | Failed
    logs: Mapping[str, bytes]
    """Each bot's output."""
    seconds: float
    """The duration of the room."""


class RoomProcesses:
    """Plays each room in a separate process. Each thread that calls `play` has its own room."""

    def __init__(self) -> None:
        self._folder = make_folder(Path(tempfile.gettempdir()))
        self.files = FetchedFiles(self._folder / "bots")
        self._idle: list[_Player] = []
        self._lock = Lock()
        self._numbers = count(1)
        self._removal = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    @property
    def temp(self) -> Path:
        """Where its processes store temporary files."""
        return self._folder / SOCKETS

    @property
    def site(self) -> Site:
        """Where rooms are played on this machine."""
        return self._site(self._folder / "logs")

    def play(self, room: RoomSpec, is_wanted: Callable[[], bool] = lambda: True) -> WorkerRoomAnswer:
        """Plays a room until it ends or is no longer wanted. Returns when its bots have ended."""
        player, began = self._take(), monotonic()
        answer = player.play(room, is_wanted)
        logs = player.collect_logs(room)
        if isinstance(answer, Played):
            with self._lock:
                self._idle.append(player)
        else:
            player.end()  # it gets no other room
        return WorkerRoomAnswer(answer, logs, monotonic() - began)

    def close(self) -> None:
        """Ends the idle processes and removes the folder."""
        with self._lock:
            while self._idle:
                self._idle.pop().end()
        self._removal()

    def _take(self) -> _Player:
        with self._lock:
            if self._idle:
                return self._idle.pop()
            return _Player(self._site(self._folder / "logs" / str(next(self._numbers))), self.temp)

    def _site(self, logs: Path) -> Site:
        return Site(self._folder / "bots", logs, copies=self._folder / "copies", is_fetched=True)


@dataclass(slots=True)
class _Player:
    """A process that plays one room at a time, with a folder for the logs of that room."""

    site: Site
    temp: Path
    _worker: Worker = field(init=False)

    def __post_init__(self) -> None:
        work_here = partial(work, play_room=partial(play_room, site=self.site))
        self._worker = Worker(work_here, {"TMPDIR": str(self.temp)})

    def play(self, room: RoomSpec, is_wanted: Callable[[], bool]) -> Played | Failed:
        self._worker.give(room)
        while is_wanted():
            if not wait([self._worker.pipe], LOOK_S):
                if self._worker.hangs():
                    self._worker.kill()
                    return Failed("the process of the room hung")
                continue
            answer = self._worker.answer()
            if isinstance(answer, Played | Failed):
                return answer
            if answer is None:
                self.end()
                return Failed(self._worker.describe_death())
        return Failed("this room is no longer wanted")

    def collect_logs(self, room: RoomSpec) -> dict[str, bytes]:
        """Returns the logs of a room, up to their limit, and removes them."""
        logs = {}
        for bot in room.entries:
            path = self.site.logs / bot.name / f"{room.room}.log"
            if path.is_file():
                with path.open("rb") as file:
                    logs[bot.name] = file.read(_LONGEST_LOG)
        shutil.rmtree(self.site.logs, ignore_errors=True)
        return logs

    def end(self) -> None:
        self._worker.release()
        self._worker.stop()


def make_folder(place: Path) -> Path:
    """Makes the folder of a worker, and removes folders of killed workers, whose locks are free."""
    for left in place.glob(f"{PREFIX}*"):
        if _is_ours_and_old(left) and (file := _lock(left)) is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(file)
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    # Bots of another user pass through it to their sockets. The folder of each socket has its own permissions.
    folder.chmod(0o711)
    (folder / SOCKETS).mkdir(mode=0o711)
    (folder / "bots").mkdir(mode=0o755)  # reference bots run here, even if no bundle is fetched
    _lock(folder)  # held until this process ends
    return folder


def _is_ours_and_old(folder: Path) -> bool:
    """Whether this user made the folder, but not just now, because a new one is not locked yet."""
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and time() - status.st_mtime > _NEW_S


def _lock(folder: Path) -> int | None:
    """Locks a worker's folder. Returns the open file; None if another process has the lock or the folder is gone."""
    try:
        file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        return None
    return file


def keep_logs(site: Site, room: RoomSpec, logs: Mapping[str, bytes]) -> tuple[str, ...]:
    """Writes the log of each bot of a room. Returns problems instead of raising, because the match still counts."""
    try:
        for bot in room.entries:
            if bot.name in logs:
                path = site.logs / bot.name / f"{room.room}.log"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(logs[bot.name])
    except OSError as error:
        return (f"{site.logs}: cannot store the bots' output: {error.strerror}",)
    return ()
