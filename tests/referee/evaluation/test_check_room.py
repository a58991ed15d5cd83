"""The rooms of `bourre check` when the host fails or the user stops it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bourre.rules.actions import Fault
from bourre_referee.evaluation.check import examine_bot as examining
from bourre_referee.evaluation.check.check_report import CheckReport
from bourre_referee.evaluation.check.check_room import Advance, CheckedRoom
from bourre_referee.evaluation.check.examine_bot import ATTEMPTS, Subject, examine
from bourre_referee.evaluation.check.trial_matches import TESTED_BOT, TrialTerms
from bourre_referee.model.errors import ContestFailed
from bourre_referee.model.spec import BotEntry, Isolation, PlacedRoom, RoomFailed
from tests.referee.evaluation.test_check_verdicts import ENDED, outcome

ABSENT = CheckedRoom((), (), (), None, 10.0, "", None, False, None, (), b"")


class Host:
    """Plays no room: does this in place of the first ones, then reports that the bot never came."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *instead: Callable[[], Awaitable[object]]) -> None:
        self.instead = list(instead)
        self.rooms: list[str] = []
        monkeypatch.setattr(examining, "play", self.play)

    async def play(self, spec: PlacedRoom, advance: Advance) -> CheckedRoom:
        self.rooms.append(spec.room)
        if self.instead:
            await self.instead.pop(0)()
        return ABSENT


async def fail() -> None:
    raise RoomFailed("no space left on device")


def examined(tmp_path: Path) -> CheckReport:
    subject = Subject(
        BotEntry(TESTED_BOT, ("python", "bot.py"), tmp_path), "bot", ("bourre", "check", "bot.py"), Isolation()
    )
    return examine(subject, TrialTerms(("limit",), (2,), 10, 7, 1000), tmp_path, lambda room, done, total: None)


def test_a_room_that_the_host_failed_is_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(monkeypatch, fail, fail)
    assert [check.name for check in examined(tmp_path).checks] == ["start"]
    assert host.rooms == ["at-one-table"] * ATTEMPTS


def test_a_host_that_fails_each_time_is_named_and_no_bot_is_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = Host(monkeypatch, *[fail] * ATTEMPTS)
    with pytest.raises(ContestFailed, match=r"^no space left on device \(tried 3 times\)$"):
        examined(tmp_path)
    assert len(host.rooms) == ATTEMPTS


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_to_end_is_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    async def end() -> None:
        os.kill(os.getpid(), number)
        await asyncio.Event().wait()

    host = Host(monkeypatch, end)
    with pytest.raises(KeyboardInterrupt):
        examined(tmp_path)
    assert host.rooms == ["at-one-table"]


def test_under_nohup_it_goes_on_when_the_terminal_closes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heeded: list[bool] = []

    async def look() -> None:
        heeded.extend(signal.getsignal(number) != signal.SIG_IGN for number in (signal.SIGTERM, signal.SIGHUP))

    Host(monkeypatch, look)
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        examined(tmp_path)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert heeded == [True, False]


ROOMS = [("at-one-table", 1, 26), ("once-more", 1, 24), ("at-16-tables", 16, 24)]


@pytest.mark.parametrize(
    ("records", "gone", "rooms", "verdicts"),
    [
        (
            ("a", "a", "a"),
            None,
            ROOMS,
            "passed passed",
        ),
        (
            ("a", "a", "b"),
            None,
            ROOMS,
            "passed failed",
        ),
        (("a", "b", "a"), None, ROOMS[:2], "failed skipped"),
        (("a", "a", "a"), Fault.CRASHED, ROOMS[:1], "skipped skipped"),
    ],
)
def test_rooms_follow_as_long_as_its_answers_are_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    records: tuple[str, ...],
    gone: Fault | None,
    rooms: list[tuple[str, int, int]],
    verdicts: str,
) -> None:
    """The first has the matches about illegal cards too; the others repeat 24 matches."""
    left, played = list(records), []

    async def play(spec: PlacedRoom, advance: Advance) -> CheckedRoom:
        played.append((spec.room, spec.tables, len(spec.matches)))
        return replace(ENDED, outcomes=(outcome("m1", left.pop(0)),), gone=gone)

    monkeypatch.setattr(examining, "play", play)
    *others, again, tables = examined(tmp_path).checks
    names = "start names end protocol decisions legality correction speed output memory"
    assert [check.name for check in others] == names.split()
    assert (played, f"{again.verdict} {tables.verdict}") == (rooms, verdicts)
    assert (again.name, tables.name) == ("again", "tables")
