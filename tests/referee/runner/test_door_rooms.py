"""Which rooms may begin at the door: a bot sits in one at a time, and nobody waits for a room that waits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from multiprocessing import Pipe
from pathlib import Path

import pytest

from bourre_referee.model.door_spec import AWAY_SECONDS, RETURN_SECONDS, DoorSpec, Listen
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec, Clock, RoomSpec
from bourre_referee.runner import door_process
from bourre_referee.runner.door_process import DoorProcess
from bourre_referee.runner.door_rooms import DoorRooms, choose
from bourre_referee.runner.door_worker import BotChanged, Opened, RoomAnswer, RoomCall
from bourre_referee.runner.local_executor import LocalExecutor
from bourre_referee.runner.room_reports import Attendance, RoomLost, RoomPlayed
from bourre_referee.runner.room_task import RoomTask
from bourre_referee.runner.worker import Failed, Played
from tests.referee import rooms as fakes


def task(room: str) -> RoomTask:
    """A room of these bots; those in capitals are started on this machine."""
    entries = tuple(BotSpec(bot, ("run", bot) if bot.isupper() else None) for bot in room)
    return RoomTask(RoomSpec(room=room, entries=entries, matches=(), tables=1, clock=Clock(), max_faults=10))


def chosen(waiting: str, playing: str = "", here: str = "abcdef", free: int = 9, spare: int = 9) -> str:
    """The rooms that begin, each word a room."""
    rooms = choose(map(task, waiting.split()), map(task, playing.split()), here, free, spare)
    return " ".join(each.room.room for each in rooms)


def test_a_bot_sits_in_one_room_at_a_time() -> None:
    assert chosen("ab cd ac ef") == "ab cd ef"
    assert chosen("ab cd ef", playing="bx") == "cd ef"


def test_the_same_bot_of_this_machine_may_sit_in_several() -> None:
    assert chosen("aX bX") == "aX bX"


def test_rooms_whose_bots_are_here_come_first() -> None:
    assert chosen("ab ac de", here="acde") == "ac de"
    assert chosen("ab cd", here="cd") == "cd ab"


def test_rooms_of_remote_bots_alone_take_no_job() -> None:
    assert chosen("ab cd", free=0, spare=0) == "ab cd"


def test_a_mixed_room_takes_a_free_job_and_one_that_has_to_wait_only_a_spare_one() -> None:
    assert chosen("aX bX cX", free=2, spare=0) == "aX bX"
    assert chosen("aX bX", here="b", free=2, spare=0) == "bX"
    assert chosen("aX bX", here="b", free=2, spare=2) == "bX aX"
    assert chosen("aX bX", here="b", free=1, spare=1) == "bX"


SITE = Site(Path("bots"), Path("logs"))
LADDER = DoorSpec("ladder", (), Clock(), Listen("localhost:4000"), Path("tokens.json"), most_bots=9, versioned=True)


class FakeWorker:
    """A door process as its parent sees it: what it was told, and what it says."""

    def __init__(self) -> None:
        self.pipe, self.door = Pipe()
        self.given: list[object] = []
        self.door.send(Opened(4000))

    def give(self, what: object) -> None:
        self.given.append(what)

    def answer(self) -> object | None:
        try:
            answer: object = self.pipe.recv()
            return answer
        except EOFError:
            return None

    def hangs(self) -> bool:
        return False

    def release(self) -> None:
        self.pipe.close()

    def stop(self) -> None:
        """It has ended."""

    def describe_death(self) -> str:
        return "the worker process was killed by SIGKILL"


class Desk:
    """A door whose process the test plays."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, spec: DoorSpec = LADDER) -> None:
        self.workers: list[FakeWorker] = []
        monkeypatch.setattr(door_process, "Worker", self._hire)
        self.door = DoorProcess(spec, {})

    def _hire(self, *_: object) -> FakeWorker:
        self.workers.append(FakeWorker())
        return self.workers[-1]

    def says(self, *messages: object) -> None:
        for message in messages:
            self.workers[-1].door.send(message)

    def calls(self) -> list[RoomCall]:
        return [told for told in self.workers[-1].given if isinstance(told, RoomCall)]


def test_rooms_of_versions_wait_for_the_bots_and_take_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    desk.says(BotChanged("a", True), BotChanged("b", True))
    rooms = DoorRooms(desk.door, SITE)
    assert rooms.reports(True) == [
        Attendance(("a",), frozenset("a"), "a is here"),
        Attendance(("a", "b"), frozenset("ab"), "b is here"),
    ]
    for names in (("c.1", "X.1"), ("a.2", "X.1"), ("a.3", "b.1")):
        rooms.submit(room_of(*names))
    rooms.hand_out(free=1, wanted=1)
    # c is not here, and others want its job; a sits already.
    assert [call.room.room for call in desk.calls()] == ["a.2-X.1"]


def room_of(*names: str) -> RoomSpec:
    entries = tuple(BotSpec(name, ("run", name) if name[0].isupper() else None) for name in names)
    return RoomSpec(room="-".join(names), entries=entries, matches=(), tables=1, clock=Clock(), max_faults=10)


@dataclass(slots=True)
class Hand:
    """A clock that stands still until it is moved."""

    seconds: float = 1000.0


def here(desk: Desk, *bots: str) -> DoorRooms:
    """The rooms of a door where these bots are."""
    desk.says(*(BotChanged(bot, True) for bot in bots))
    rooms = DoorRooms(desk.door, SITE)
    assert len(rooms.reports(True)) == len(bots)
    return rooms


def away(desk: Desk, *bots: str) -> tuple[DoorRooms, Hand]:
    """The rooms of a ladder's door where `a` is, and these were, with a clock that is moved by hand."""
    clock = Hand()
    desk.says(*(BotChanged(bot, True) for bot in ("a", *bots)), *(BotChanged(bot, False) for bot in bots))
    rooms = DoorRooms(desk.door, SITE, lambda: clock.seconds)
    rooms.reports(True)
    rooms.submit(room_of("a.1", "b.1"))
    return rooms, clock


def test_a_ladders_room_is_given_back_when_its_bot_stays_away(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    rooms, clock = away(desk, "b")
    rooms.hand_out(free=1, wanted=0)
    assert rooms.reports(False) == []
    clock.seconds += AWAY_SECONDS
    assert rooms.reports(False) == [RoomLost(room_of("a.1", "b.1"), 1, "b left before it began", ("b",))]
    assert not rooms.busy
    assert not desk.calls()


def test_a_bot_that_an_opened_door_has_not_seen_yet_gets_time_to_find_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms, clock = away(Desk(monkeypatch))
    clock.seconds += AWAY_SECONDS
    assert rooms.reports(False) == []
    clock.seconds += RETURN_SECONDS
    assert [lost.is_last for lost in rooms.reports(False) if isinstance(lost, RoomLost)] == [True]


def test_no_room_waits_for_a_bot_that_was_dismissed(monkeypatch: pytest.MonkeyPatch) -> None:
    rooms, _ = away(Desk(monkeypatch))
    rooms.dismiss("a")
    assert rooms.reports(False) == [], "a is here, and may play"
    rooms.dismiss("b")
    assert len(rooms.reports(False)) == 1


def test_a_bot_that_left_when_its_room_was_handed_over_is_told_by_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    rooms, room = here(desk, "a"), room_of("a.1")
    rooms.submit(room)
    rooms.hand_out(free=1, wanted=0)
    desk.says(RoomAnswer(desk.calls()[-1].number, Failed("a left before it began", ("a",))))
    assert rooms.reports(True) == [RoomLost(room, 1, "a left before it began", ("a",))]
    assert not rooms.busy


def test_a_bot_that_failed_to_start_often_enough_is_not_started_here_either(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    desk.says(BotChanged("a", True))
    rooms = DoorRooms(desk.door, SITE, brief=lambda room: replace(room, absent=("X.1",)))
    rooms.reports(True)
    rooms.submit(room_of("a.1", "X.1"))
    rooms.hand_out(free=1, wanted=0)
    assert [call.room.absent for call in desk.calls()] == [("X.1",)]


def test_two_epochs_may_have_rooms_of_one_name_in_play(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    rooms = here(desk, "a", "b")
    first, second = room_of("a.1"), room_of("b.1")
    second = replace(second, room=first.room)
    for room in (first, second):
        rooms.submit(room)
    rooms.hand_out(free=1, wanted=0)
    one, two = desk.calls()
    desk.says(RoomAnswer(two.number, Played(())), RoomAnswer(one.number, Played(())))
    assert rooms.reports(True) == [RoomPlayed(second, 1, ()), RoomPlayed(first, 1, ())]
    assert not rooms.busy


def test_a_room_is_given_up_after_the_third_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    rooms, room = here(desk, "a"), room_of("a.1")
    rooms.submit(room)
    for attempt in (1, 2):
        rooms.hand_out(free=1, wanted=0)
        desk.says(RoomAnswer(desk.calls()[-1].number, Failed("no sandbox")))
        assert rooms.reports(True) == [RoomLost(room, attempt, "no sandbox")]
    rooms.hand_out(free=1, wanted=0)
    desk.workers[-1].door.close()
    _, lost, attendance = rooms.reports(True)
    assert lost == RoomLost(room, 3, "the door process was killed by SIGKILL")
    assert attendance == Attendance((), frozenset())
    assert not rooms.busy


def test_rooms_at_the_door_leave_no_job_to_idle_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = Desk(monkeypatch)
    local, mixed = room_of("X.1"), room_of("a.1", "X.1")
    with LocalExecutor(1, fakes.play_room, door=DoorRooms(desk.door, SITE)) as executor:
        executor.submit(local)
        while not executor.reports():
            pass  # now there is an idle worker
        desk.says(BotChanged("a", True))
        executor.reports()
        executor.submit(mixed)
        executor.submit(local)
        executor.reports(0)
        assert [call.room for call in desk.calls()] == [SITE.place(mixed)]
        assert (executor.free, executor._playing) == (0, 0)
        desk.says(RoomAnswer(desk.calls()[0].number, Played(())))
        assert executor.reports() == [RoomPlayed(mixed, 1, ())]
        assert executor.reports() == [RoomPlayed(local, 1, ())]
