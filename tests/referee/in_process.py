"""Contests played in this process, without workers: for tests of a run's results, not of how it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from bourre_referee.contest.contest import Contest
from bourre_referee.model.errors import Interrupted
from bourre_referee.model.spec import MatchOutcome, MatchSpec, RoomSpec
from bourre_referee.runner import contest_run as running
from bourre_referee.runner.progress import Progress, Watch
from bourre_referee.runner.room_reports import RoomPlayed
from bourre_referee.storage.run import database_location, seed_commitment
from bourre_referee.storage.run.run import Run
from tests.referee import contests, realistic_rooms

Played = Callable[[MatchSpec], MatchOutcome]
"""Plays a whole match: the same specification gives the same outcome."""


@contextmanager
def rooms_in_process(played: Played = realistic_rooms.played) -> Iterator[None]:
    """Makes all rooms inside the block be played in this process, one after another.

    Secret seeds are those of `numbered_seeds`.
    """

    def play(
        rooms: Sequence[RoomSpec], _: object, tell: Callable[[tuple[RoomSpec, ...]], None]
    ) -> Iterator[RoomPlayed]:
        for room in rooms:
            tell((room,))
            yield RoomPlayed(room, 1, tuple(map(played, room.matches)))

    with numbered_seeds(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(running, "play_all", play)
        yield


@contextmanager
def numbered_seeds() -> Iterator[None]:
    """Makes the secret seeds inside the block the same each time, so that no test depends on the deals of the day."""
    drawn = count(1)
    draw = SimpleNamespace(token_bytes=lambda size: bytes([next(drawn)] * size))
    with pytest.MonkeyPatch.context() as patch:
        for module in (seed_commitment, database_location):
            patch.setattr(module, "secrets", draw)
        yield


def stop_at(matches: int) -> Watch:
    """Watches a run, and stops it once this many matches are finished."""

    def watch(progress: Progress) -> None:
        if progress.done >= matches:
            raise KeyboardInterrupt

    return watch


def leave_at(
    matches: int, contest: Contest, folder: Path, played: Played = realistic_rooms.played, *, change_bots: bool = False
) -> None:
    """Leaves a run with this many matches finished."""
    with pytest.raises(Interrupted):
        run_in_process(contest, folder, played, change_bots=change_bots, watch=stop_at(matches))


def run_in_process(
    contest: Contest,
    folder: Path,
    played: Played = realistic_rooms.played,
    *,
    fresh: bool = False,
    change_bots: bool = False,
    watch: Watch = lambda progress: None,
) -> Run:
    """Plays the run of this contest to its end."""
    with rooms_in_process(played):
        return running.run(contest, folder, jobs=1, fresh=fresh, change_bots=change_bots, watch=watch)


def finished_run(place: Path, text: str = contests.FILE, played: Played = realistic_rooms.played) -> Path:
    """Plays a small contest to its end, and returns its run folder."""
    return run_in_process(contests.small_contest(place / "contest", text), place / "run", played).path
