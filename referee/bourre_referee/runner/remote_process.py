"""The parent's side of the door process, which is opened at a port that bots know, and again when it dies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any

from bourre_referee.contest.contest import Contest
from bourre_referee.contest.listen import settings_for_authors
from bourre_referee.model.errors import ContestError, ContestFailed
from bourre_referee.model.listener_spec import DoorSpec, Listen
from bourre_referee.model.spec import PlacedRoom, RoomSpec
from bourre_referee.runner import worker_handle as process
from bourre_referee.runner.invitations import Invitation, invite
from bourre_referee.runner.remote_worker import BotChanged, Close, Notice, Opened, RoomCall, keep_door
from bourre_referee.runner.room_reports import RemotePresence
from bourre_referee.runner.worker_handle import Worker
from bourre_referee.runner.worker_main import Failed
from bourre_referee.storage.files.listener_port import read_port, write_port
from bourre_referee.storage.run.folder_location import FolderLocation


class DoorProcess:
    """A door inside a `with` block. Bots to whom it has not said goodbye dial until the next one is open."""

    def __init__(self, spec: DoorSpec, environment: Mapping[str, str]) -> None:
        """Opens the door. Raises ContestError if it cannot be opened so, ContestFailed if the host fails."""
        self._spec = spec
        self._environment = {**environment, "GRPC_VERBOSITY": "NONE"}  # else strangers fill stderr
        self._numbers = count(1)
        self.seen: set[str] = set()
        """The bots that were connected since it opened."""
        self._worker = self._start()
        self.here: set[str] = set()
        """The bots that are connected."""
        try:
            self.listen = self._await_opening()
            """Where bots connect, with the port that it has."""
        except BaseException:
            self._end(self._worker)
            raise

    def __enter__(self) -> DoorProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end(self._worker)

    def say_goodbye(self, reason: str) -> None:
        """Tells all bots that they may exit, and waits until the door has ended."""
        self._worker.give(Close(reason))
        while self._worker.answer() is not None:
            pass

    @property
    def process(self) -> int:
        """The id of the door's process."""
        return self._worker.process

    @property
    def pipe(self) -> Connection[Any, Any]:
        """What becomes readable when the door has something to say."""
        return self._worker.pipe

    def give(self, room: PlacedRoom) -> int:
        """Hands over a room, whose remote bots no other room has; returns the number of its answer."""
        number = next(self._numbers)
        self._worker.give(RoomCall(number, room))
        return number

    @property
    def is_ladder(self) -> bool:
        """Whether rooms whose bots are away are given back."""
        return self._spec.is_ladder

    def lines(self, room: RoomSpec) -> tuple[str, ...]:
        """Returns the bots whose lines a room takes."""
        return self._spec.lines(room)

    def tell(self, bot: str, text: str) -> None:
        """Sends a text to a bot, for its log; one that is not connected misses it."""
        self._worker.give(Notice(bot, text))

    def answer(self) -> object | None:
        """Waits for a message of the door; None if it died."""
        answer = self._worker.answer()
        if isinstance(answer, BotChanged):
            (self.here.add if answer.here else self.here.discard)(answer.bot)
            self.seen.add(answer.bot)
        return answer

    def attendance(self, change: str) -> RemotePresence:
        """Returns who is here, with what has just happened; at a ladder nobody is expected who is not here."""
        expected = self._spec.bots if self._spec.most_bots is None else tuple(sorted(self.here))
        return RemotePresence(expected, frozenset(self.here), change)

    def hangs(self) -> bool:
        """Whether the door gave no sign of life for too long; call it at least once a beat."""
        return self._worker.hangs()

    def replace_hanging(self) -> str:
        """Kills the door, starts another, and returns what happened, in words."""
        self._worker.kill()
        self._replace()
        return f"the door process hung: it gave no sign of life for {process.BEAT_S * process.BEATS:.0f} s"

    def replace_dead(self) -> str:
        """Starts another door, and returns how the last one ended, in words."""
        dead = self._worker
        self._replace()
        return dead.describe_death().replace("worker", "door")

    def _replace(self) -> None:
        """Opens a door at the same port, so that the bots find it."""
        self._end(self._worker)
        self.here.clear()
        self.seen.clear()
        self._spec = replace(self._spec, listen=self.listen)
        self._worker = self._start()
        try:
            self._await_opening()
        except ContestError as error:
            raise ContestFailed(f"{error}\nFinished matches are stored; run again to go on.") from error

    def _start(self) -> Worker:
        try:
            return Worker(partial(keep_door, spec=self._spec), self._environment)
        except OSError as error:
            raise ContestFailed(
                f"the door process cannot be started ({error.strerror}): end other programs\n"
                "Finished matches are stored; run again to go on."
            ) from error

    def _await_opening(self) -> Listen:
        """Returns where bots connect."""
        listen = self._spec.listen
        opened = self._worker.answer()
        if isinstance(opened, Opened):
            return listen.at_port(opened.port)
        why = opened.reason if isinstance(opened, Failed) else "its process ended"
        raise ContestError(f"[listen] address = {listen.address}: {why}")

    @staticmethod
    def _end(worker: Worker) -> None:
        worker.release()
        worker.stop()


@dataclass(frozen=True, slots=True)
class OpenDoor:
    """A door that listens, and what the authors of its bots must know."""

    door: DoorProcess
    invitations: tuple[Invitation, ...]
    notices: tuple[str, ...]
    """What went otherwise than bots expect that were invited before."""


@contextmanager
def open_door(contest: Contest, layout: FolderLocation, environment: Mapping[str, str]) -> Iterator[OpenDoor]:
    """Opens the door of a contest with remote bots; see `DoorProcess` for its end, and for what it raises.

    If any port will do, the one that bots know from before is tried first.
    """
    tokens = invite(contest.remote_bots, layout.tokens)
    spec = DoorSpec(contest.name, contest.remote_bots, contest.clock, contest.listen, layout.tokens)
    with open_at_known_port(spec, layout.door_port, environment) as (door, notices):
        settings = settings_for_authors(contest.listen, door.listen.address, tokens)
        invitations = tuple(Invitation(bot, settings[bot], token) for bot, token in tokens.items())
        yield OpenDoor(door, invitations, notices)


@contextmanager
def open_at_known_port(
    spec: DoorSpec, file: Path, environment: Mapping[str, str]
) -> Iterator[tuple[DoorProcess, tuple[str, ...]]]:
    """Opens a door; if any port will do, the one in this file is tried first. Yields also what the host must know."""
    before = read_port(file) if spec.listen.port == 0 else None
    with _at_port(before, spec, environment) as door:
        now = door.listen.port
        if spec.listen.port == 0:
            write_port(file, now)
        moved = f"port {before} is taken: bots that dial it must be started again with port {now}"
        yield door, (moved,) if before not in (None, now) else ()


def _at_port(port: int | None, spec: DoorSpec, environment: Mapping[str, str]) -> DoorProcess:
    """Opens the door at this port or, if it cannot be had, at any."""
    if port is not None:
        try:
            return DoorProcess(replace(spec, listen=spec.listen.at_port(port)), environment)
        except ContestError:  # the caller tells bots of the other port
            return DoorProcess(spec, environment)
    return DoorProcess(spec, environment)
