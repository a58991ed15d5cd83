"""A bot that failed to start three times in the same way is not tried again, and no record depends on it."""

from functools import partial
from pathlib import Path

import pytest

from bourre.rules.house import HouseRules
from bourre_referee.model.errors import Interrupted
from bourre_referee.model.spec import BotSpec, Clock, MatchSpec, RoomSpec
from bourre_referee.runner.contest_run import run
from bourre_referee.runner.failed_starts import FailedStarts
from bourre_referee.runner.progress import Progress
from bourre_referee.runner.room_reports import RoomPlayed
from bourre_referee.storage.run.run import Run
from tests.referee import contests, realistic_rooms
from tests.referee.in_process import run_in_process
from tests.referee.scripted_rooms import ScriptedRooms

TWENTY = contests.FILE.replace("rounds = 2", "rounds = 4")
"""Twenty matches; eve sits in twelve."""

LINE_UP = ("ada", "bob", "eve")


class Sitting:
    """A contest whose bot eve never starts, and which rooms tried to start it."""

    def __init__(self, place: Path) -> None:
        self.contest = contests.small_contest(place / "contest", TWENTY)
        self.folder, self._tries = place / "run", place / "tries"
        self.notices: list[str] = []

    def play(self, matches: int = 100) -> Run:
        """Plays on until so many matches are done."""

        def watch(progress: Progress) -> None:
            self.notices += progress.notices
            if progress.done >= matches:
                raise KeyboardInterrupt

        play_room = partial(realistic_rooms.play_without, "eve", self.folder / "logs", self._tries)
        return run(self.contest, self.folder, executor=ScriptedRooms(play_room).make, watch=watch)

    @property
    def tried(self) -> list[str]:
        return self._tries.read_text().split()

    @property
    def told(self) -> list[str]:
        return [notice for notice in self.notices if "failed to start" in notice]


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    return Sitting(tmp_path)


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str | None:
    """The digest of the contest when every room tries to start eve."""
    place = tmp_path_factory.mktemp("tried")
    played = partial(realistic_rooms.played, absent=("eve",))
    return run_in_process(contests.small_contest(place / "contest", TWENTY), place / "run", played).manifest.digest


def test_after_three_rooms_it_is_not_tried_again(sitting: Sitting, digest: str) -> None:
    assert sitting.play().manifest.digest == digest
    assert len(sitting.tried) == 3
    assert sitting.told == [
        "eve failed to start 3 times in the same way, so the stand-in plays for it until the run is "
        "continued: it ended with status 1"
    ]


def test_a_continued_run_tries_it_again_and_comes_to_the_same_records(sitting: Sitting, digest: str) -> None:
    with pytest.raises(Interrupted):
        sitting.play(matches=10)
    assert len(sitting.tried) == 3
    assert sitting.play().manifest.digest == digest
    assert len(sitting.tried) == 6


class Starts:
    """The rooms of a contest, one after another, with what the log says of eve."""

    def __init__(self, logs: Path) -> None:
        self.counted = FailedStarts(logs)
        self._logs = logs
        self._rooms = 0
        self.absent: tuple[str, ...] = ()

    def room(self, log: str | None, absent: bool = True) -> list[str]:
        """Takes a room in which eve was absent or not; returns the notices."""
        self._rooms += 1
        name = f"m{self._rooms:04}"
        if log is not None:
            (self._logs / "eve").mkdir(exist_ok=True)
            (self._logs / "eve" / f"{name}.log").write_text(log)
        match = MatchSpec(name, LINE_UP, HouseRules.preset("limit"), 4, bytes(32))
        entries = tuple(BotSpec(bot, ("python", f"{bot}.py")) for bot in LINE_UP)
        spec = RoomSpec(room=name, matches=(match,), tables=1, clock=Clock(), max_faults=9, entries=entries)
        outcome = realistic_rooms.played(match, absent=("eve",) if absent else ())
        notices = list(self.counted.take(RoomPlayed(spec, 1, (outcome,))))
        self.absent = self.counted.leave_out(spec).absent
        return notices


@pytest.fixture
def starts(tmp_path: Path) -> Starts:
    return Starts(tmp_path)


CRASH, LOOP = "[bourre] never started: it crashed\n", "[bourre] never started: it loops\n"


def test_only_equal_causes_in_a_row_count(starts: Starts) -> None:
    assert [starts.room(log) for log in (CRASH, CRASH, LOOP, CRASH, CRASH)] == 5 * [[]]
    assert not starts.absent
    assert len(starts.room(CRASH)) == 1
    assert starts.absent == ("eve",)
    assert starts.room(CRASH) == []


def test_a_bot_that_started_in_between_is_tried_again(starts: Starts) -> None:
    for log, absent in ((CRASH, True), (CRASH, True), ("hello\n", False), (CRASH, True), (CRASH, True)):
        assert starts.room(log, absent) == []
    assert not starts.absent


@pytest.mark.parametrize("log", [None, "", "[bourre] never", "it printed this\n" + CRASH])
def test_without_a_known_cause_a_bot_is_always_tried(starts: Starts, log: str | None) -> None:
    assert [starts.room(log) for _ in range(5)] == 5 * [[]]
    assert not starts.absent
