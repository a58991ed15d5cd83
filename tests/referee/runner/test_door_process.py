"""The parent's side of a door: opened again where it was when it dies or hangs, and told apart from other failures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bourre_referee.model.door_spec import DoorSpec, Listen
from bourre_referee.model.errors import ContestError, ContestFailed
from bourre_referee.model.spec import Clock, RoomSpec
from bourre_referee.runner import door_process
from bourre_referee.runner.door_process import open_at_known_port, open_door
from bourre_referee.runner.door_worker import BotChanged, Close, Notice, Opened, RoomCall
from bourre_referee.runner.room_reports import Attendance
from bourre_referee.runner.worker import Failed
from bourre_referee.storage.run.folder_location import FolderLocation
from tests.referee.door_desk import LADDER, SITE, DoorDesk, remote_contest
from tests.referee.scripted_workers import DEATH

ROOM = SITE.place(RoomSpec(room="m1", entries=(), matches=(), tables=1, clock=Clock(), max_faults=9))


def test_a_door_that_died_or_hung_is_opened_where_it_was_and_nobody_is_there_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = DoorDesk(monkeypatch)
    door = desk.opened()
    desk.says(BotChanged("b", True), BotChanged("a", True), BotChanged("c", True), BotChanged("c", False))
    assert [door.answer() is None for _ in range(4)] == 4 * [False]
    assert (door.here, door.seen) == ({"a", "b"}, {"a", "b", "c"})
    assert door.attendance("c left") == Attendance(("a", "b"), frozenset("ab"), "c left")
    assert [door.give(ROOM), door.give(ROOM)] == [1, 2]
    desk.says(DEATH)
    assert door.answer() is None
    assert door.replace_dead() == "the door process was killed by SIGKILL"
    assert (door.here, door.seen) == (set(), set())
    assert door.give(ROOM) == 3
    desk.says(BotChanged("a", True))
    door.answer()
    assert not door.hangs()
    desk.workers[1].hung = True
    assert door.hangs()
    assert door.replace_hanging() == "the door process hung: it gave no sign of life for 60 s"
    assert (door.here, door.seen, door.pipe) == (set(), set(), desk.workers[2].pipe)
    assert [worker.ended for worker in desk.workers] == [
        ["released", "stopped"],
        ["killed", "released", "stopped"],
        [],
    ]
    assert [spec.listen.address for spec in desk.specs] == ["localhost:0", "localhost:4000", "localhost:4000"]
    assert desk.environments == 3 * [{"TMPDIR": "short", "GRPC_VERBOSITY": "NONE"}]


def test_what_a_door_is_told_and_how_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = DoorDesk(monkeypatch)
    spec = replace(LADDER, bots=("a", "b"), most_bots=None)
    with desk.opened(spec) as door:
        assert (door.is_ladder, door.listen.address, door.process) == (False, "localhost:4000", 4321)
        assert door.attendance("") == Attendance(("a", "b"), frozenset(), "")
        assert door.attendance("").missing == ("a", "b"), "a contest waits for all its bots"
        (worker,) = desk.workers
        door.tell("a", "hello")
        door.give(ROOM)
        desk.says(BotChanged("a", True))
        door.say_goodbye("over")
        assert worker.given == [Notice("a", "hello"), RoomCall(1, ROOM), Close("over")]
        assert worker.ended == []
    assert worker.ended == ["released", "stopped"]


@pytest.mark.parametrize(
    ("says", "why"), [(Failed("it is taken: end that"), "it is taken: end that"), (DEATH, "its process ended")]
)
def test_a_door_that_cannot_be_opened_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch, says: object, why: str
) -> None:
    desk = DoorDesk(monkeypatch, lambda spec: says)
    with pytest.raises(ContestError) as caught:
        desk.opened()
    assert str(caught.value) == f"[listen] address = localhost:0: {why}"
    assert [worker.ended for worker in desk.workers] == [["released", "stopped"]]


def test_a_door_that_cannot_be_opened_again_ends_the_contest(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([Opened(4000), Failed("it is taken")])
    door = DoorDesk(monkeypatch, lambda spec: next(answers)).opened()
    with pytest.raises(ContestFailed) as caught:
        door.replace_dead()
    told = "[listen] address = localhost:4000: it is taken\nFinished matches are stored; run again to go on."
    assert str(caught.value) == told

    def refuse(*_: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(door_process, "Worker", refuse)
    with pytest.raises(ContestFailed) as caught:
        door.replace_dead()
    assert str(caught.value) == (
        "the door process cannot be started (Resource temporarily unavailable): end other programs\n"
        "Finished matches are stored; run again to go on."
    )


def test_a_door_keeps_its_port_unless_that_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    taken, free = set[int](), iter((4000, 5000))

    def opens(spec: DoorSpec) -> object:
        port = spec.listen.port or next(free)
        return Failed("it is taken") if port in taken else Opened(port)

    desk, file = DoorDesk(monkeypatch, opens), tmp_path / "port"
    said = "port 4000 is taken: bots that dial it must be started again with port 5000"
    for now, told in ((4000, ()), (4000, ()), (5000, (said,)), (5000, ())):
        with open_at_known_port(LADDER, file, {}) as (door, notices):
            assert (door.listen.address, notices) == (f"localhost:{now}", told)
        taken.update({4000} if len(desk.specs) == 2 else ())
    assert [spec.listen.port for spec in desk.specs] == [0, 4000, 4000, 0, 5000]
    fixed = replace(LADDER, listen=Listen("localhost:7000"))
    with open_at_known_port(fixed, file, {}) as (door, notices):
        assert (door.listen.port, notices) == (7000, ())
    assert file.read_text() == "5000\n"
    with pytest.raises(ContestError, match="it is taken"), open_at_known_port(at(fixed, 4000), file, {}):
        pass


def at(spec: DoorSpec, port: int) -> DoorSpec:
    return replace(spec, listen=spec.listen.at_port(port))


def test_a_contests_door_invites_its_remote_bots_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    desk, contest, layout = DoorDesk(monkeypatch), remote_contest(tmp_path), FolderLocation(tmp_path / "run")
    layout.make()
    with open_door(contest, layout, {"A": "b"}) as opened:
        (first,) = opened.invitations
        assert (first.bot, first.settings, len(first.token)) == ("ada", {"BOURRE_ADDRESS": "127.0.0.1:4000"}, 64)
        assert first.environment == f"BOURRE_ADDRESS=127.0.0.1:4000 BOURRE_TOKEN={first.token}"
        assert opened.notices == ()
    assert desk.specs == [DoorSpec("small", ("ada",), contest.clock, contest.listen, layout.tokens)]
    assert desk.environments[0]["A"] == "b"
    with open_door(contest, layout, {}) as opened:
        (again,) = opened.invitations
        assert (again.token, again.environment) == ("", "BOURRE_ADDRESS=127.0.0.1:4000")
