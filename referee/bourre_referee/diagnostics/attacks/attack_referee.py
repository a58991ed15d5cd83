"""A referee in its own process that plays room after room, and reports the aftermath of each."""

from __future__ import annotations

import asyncio
import hashlib
import os
import pickle
import select
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Self

from bourre_referee.diagnostics.attacks import traces
from bourre_referee.diagnostics.attacks.honest_process import HonestProcess, make_invite
from bourre_referee.diagnostics.attacks.invited_room import Invite, play_invited
from bourre_referee.model.spec import MatchOutcome, PlacedRoom, RoomFailed

ATTEMPTS = 3
"""How often a room is played. If the host fails it, it is void and played again, as in a contest."""
END_SECONDS = 20
START = "from bourre_referee.diagnostics.attacks.attack_referee import main; main()"


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The state after a room and the honest room after it."""

    outcomes: tuple[MatchOutcome, ...]
    void: tuple[str, ...]
    """The reason why the room had to be played again."""
    honest: MatchOutcome
    resident_kib: int
    """The referee's memory at the end, and its peak during the first of the rooms."""
    peak_kib: int
    handles: int
    """The number of files and sockets that the referee holds open."""
    left: tuple[str, ...]
    """Tasks, processes, sockets and files that should be gone."""

    @property
    def digest(self) -> str:
        """Returns the digest of the honest match."""
        return hashlib.sha256(self.honest.record.encode()).hexdigest()


class Referee:
    """The handle of the process."""

    def __init__(self, temporary: Path, honest: HonestProcess) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", START, str(honest.invitations)],
            pass_fds=[honest.invitations],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Ctrl-C does not reach it
            env={**os.environ, "TMPDIR": str(temporary)},
        )

    def play(self, room: PlacedRoom, honest: PlacedRoom, handles: int, seconds: float | None = None) -> Aftermath:
        """Plays both rooms in turn, then waits until no more than `handles` handles are open.

        Raises EOFError or OSError if the referee died, and TimeoutError if it is not done after these seconds.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        pickle.dump((room, honest, handles), self._process.stdin)
        self._process.stdin.flush()
        if not select.select([self._process.stdout], [], [], seconds)[0]:
            self._process.kill()  # its bots end with it
            raise TimeoutError(f"the room was not over after {seconds:.0f} s")
        aftermath: Aftermath = pickle.load(self._process.stdout)
        return aftermath

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Ends the process, or kills it if it is still playing a room that its user has given up."""
        if kind:
            self._process.kill()
        try:
            self._process.communicate(timeout=END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.communicate()


def serve(orders: BinaryIO, reports: BinaryIO, invite: Invite) -> None:
    """Plays the rooms that it receives until the pipe is closed."""
    traces.adopt_orphans()
    with asyncio.Runner() as runner:
        while orders.peek(1):  # type: ignore[attr-defined]
            room, honest, handles = pickle.load(orders)
            pickle.dump(_play_both(runner, room, honest, handles, invite), reports)
            reports.flush()


def _play_both(runner: asyncio.Runner, room: PlacedRoom, honest: PlacedRoom, handles: int, invite: Invite) -> Aftermath:
    traces.begin_peak()
    outcomes, void = _play(runner, room, invite)
    peak_kib = traces.peak_kib()
    left = _left(runner)
    (after,) = _play(runner, honest, invite)[0]
    left += _left(runner)
    return Aftermath(outcomes, void, after, traces.resident_kib(), peak_kib, traces.handles(handles), left)


def _left(runner: asyncio.Runner) -> tuple[str, ...]:
    return (*runner.run(traces.tasks()), *traces.left())


def _play(runner: asyncio.Runner, room: PlacedRoom, invite: Invite) -> tuple[tuple[MatchOutcome, ...], tuple[str, ...]]:
    void: list[str] = []
    while len(void) < ATTEMPTS:
        try:
            return tuple(runner.run(play_invited(room, invite))), tuple(void)
        except RoomFailed as failed:
            void.append(str(failed))
    return (), tuple(void)


def main() -> None:
    """Runs the process, and moves its pipes out of reach of bots and `print`."""
    honest = int(sys.argv[1])
    os.set_inheritable(honest, False)
    with (
        os.fdopen(os.dup(0), "rb") as orders,
        os.fdopen(os.dup(1), "wb") as reports,
        os.fdopen(honest, "wb") as invitations,
    ):
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        serve(orders, reports, make_invite(invitations))
