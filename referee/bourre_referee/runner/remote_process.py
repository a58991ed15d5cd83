"""The parent's side of the listener process. The parent starts it again at the same port if it dies."""

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
from bourre_referee.model.errors import GO_ON, ContestError, ContestFailed
from bourre_referee.model.listener_spec import Listen, ListenerSpec
from bourre_referee.model.spec import PlacedRoom, RoomSpec
from bourre_referee.runner.invitations import Invitation, invite
from bourre_referee.runner.remote_worker import BotChanged, Close, Notice, Opened, RoomCall, keep_listener
from bourre_referee.runner.room_reports import RemotePresence
from bourre_referee.runner.worker import BEAT_S, BEATS, Failed, Worker
from bourre_referee.storage.files.listener_port import read_port, write_port
from bourre_referee.storage.run.folder_location import FolderLocation


class ListenerProcess:
    """A listener inside a `with` block. Bots without a goodbye dial until the next listener is open."""

    def __init__(self, spec: ListenerSpec, environment: Mapping[str, str]) -> None:
        """Opens the listener. Raises ContestError for settings that do not work, ContestFailed if the host fails."""
        self._spec = spec
        self._environment = {**environment, "GRPC_VERBOSITY": "NONE"}  # otherwise strangers could fill stderr
        self._numbers = count(1)
        self.seen: set[str] = set()
        """The bots that connected since it opened."""
        self._worker = self._start()
        self.here: set[str] = set()
        """The bots that are connected."""
        try:
            self.listen = self._await_opening()
            """Where bots connect, with the actual port."""
        except BaseException:
            self._end(self._worker)
            raise

    def __enter__(self) -> ListenerProcess:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end(self._worker)

    def say_goodbye(self, reason: str) -> None:
        """Tells all bots that they may exit, and waits until the listener has ended."""
        self._worker.give(Close(reason))
        while self._worker.answer() is not None:
            pass

    @property
    def process(self) -> int:
        """The id of the listener's process."""
        return self._worker.process

    @property
    def pipe(self) -> Connection[Any, Any]:
        """The pipe, which becomes readable when the listener sends something."""
        return self._worker.pipe

    def give(self, room: PlacedRoom) -> int:
        """Hands over a room whose remote bots are free, and returns the number of its answer."""
        number = next(self._numbers)
        self._worker.give(RoomCall(number, room))
        return number

    @property
    def is_ladder(self) -> bool:
        """Whether it belongs to a ladder, which gets rooms back whose bots are away."""
        return self._spec.is_ladder

    def lines(self, room: RoomSpec) -> tuple[str, ...]:
        """Returns the remote bots of a room."""
        return self._spec.lines(room)

    def tell(self, bot: str, text: str) -> None:
        """Sends a text to a bot, for its log. A bot that is not connected does not get it."""
        self._worker.give(Notice(bot, text))

    def answer(self) -> object | None:
        """Waits for a message of the listener, and returns it; None if it died."""
        answer = self._worker.answer()
        if isinstance(answer, BotChanged):
            (self.here.add if answer.here else self.here.discard)(answer.bot)
            self.seen.add(answer.bot)
        return answer

    def presence(self, change: str) -> RemotePresence:
        """Returns who is connected, and the latest change. A ladder expects no bot that is not connected."""
        expected = self._spec.bots if self._spec.most_bots is None else tuple(sorted(self.here))
        return RemotePresence(expected, frozenset(self.here), change)

    def hangs(self) -> bool:
        """Whether the listener was silent for too long. Call it at least once a beat."""
        return self._worker.hangs()

    def replace_hanging(self) -> str:
        """Kills the listener, starts another, and returns a sentence about it."""
        self._worker.kill()
        self._replace()
        return f"the listener process hung: it gave no sign of life for {BEAT_S * BEATS:.0f} s"

    def replace_dead(self) -> str:
        """Starts another listener, and returns a sentence about how the last one ended."""
        dead = self._worker
        self._replace()
        return dead.describe_death().replace("worker", "listener")

    def _replace(self) -> None:
        """Opens a listener at the same port, where the bots dial."""
        self._end(self._worker)
        self.here.clear()
        self.seen.clear()
        self._spec = replace(self._spec, listen=self.listen)
        self._worker = self._start()
        try:
            self._await_opening()
        except ContestError as error:
            raise ContestFailed(f"{error}\n{GO_ON}") from error

    def _start(self) -> Worker:
        try:
            return Worker(partial(keep_listener, spec=self._spec), self._environment)
        except OSError as error:
            raise ContestFailed(
                f"Cannot start the listener process: {error.strerror}.\nhint: end other programs\n{GO_ON}"
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
class OpenListener:
    """An open listener, and the information for its bots' authors."""

    listener: ListenerProcess
    invitations: tuple[Invitation, ...]
    notices: tuple[str, ...]
    """Notices that concern bots invited before, such as another port."""


@contextmanager
def open_listener(contest: Contest, layout: FolderLocation, environment: Mapping[str, str]) -> Iterator[OpenListener]:
    """Opens the listener of a contest with remote bots. See `ListenerProcess` for its end and its errors.

    If the file allows any port, the previous one is tried first.
    """
    tokens = invite(contest.remote_bots, layout.tokens)
    spec = ListenerSpec(contest.name, contest.remote_bots, contest.clock, contest.listen, layout.tokens)
    with open_at_known_port(spec, layout.port_file, environment) as (listener, notices):
        settings = settings_for_authors(contest.listen, listener.listen.address, tokens)
        invitations = tuple(Invitation(bot, settings[bot], token) for bot, token in tokens.items())
        yield OpenListener(listener, invitations, notices)


@contextmanager
def open_at_known_port(
    spec: ListenerSpec, file: Path, environment: Mapping[str, str]
) -> Iterator[tuple[ListenerProcess, tuple[str, ...]]]:
    """Opens a listener, if possible at the port in this file, and yields it with notices for the host."""
    before = read_port(file) if spec.listen.port == 0 else None
    with _at_port(before, spec, environment) as listener:
        now = listener.listen.port
        if spec.listen.port == 0:
            write_port(file, now)
        moved = f"port {before} is taken, so remote bots must be started again with port {now}"
        yield listener, (moved,) if before not in (None, now) else ()


def _at_port(port: int | None, spec: ListenerSpec, environment: Mapping[str, str]) -> ListenerProcess:
    """Opens the listener at this port or, if it is taken, at any."""
    if port is not None:
        try:
            return ListenerProcess(replace(spec, listen=spec.listen.at_port(port)), environment)
        except ContestError:  # the caller tells bots of the other port
            return ListenerProcess(spec, environment)
    return ListenerProcess(spec, environment)
