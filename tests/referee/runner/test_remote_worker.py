"""The listener's own process and its parent's side: orders, tokens, its address, and what happens when one dies."""

import asyncio
import errno
import os
import resource
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from multiprocessing import Pipe
from pathlib import Path
from typing import NoReturn, Self

import pytest

from bourre_referee.model.errors import ContestError, ContestFailed
from bourre_referee.model.listener_spec import Listen, ListenerSpec, TlsFiles, hash_token
from bourre_referee.model.spec import BotsAway, Clock, MatchOutcome, PlacedRoom, RoomSpec
from bourre_referee.runner import remote_process, remote_worker
from bourre_referee.runner.invitations import invite, renew_token
from bourre_referee.runner.remote_process import open_at_known_port, open_listener
from bourre_referee.runner.remote_worker import (
    BotChanged,
    Close,
    Notice,
    Opened,
    RemoteRoomAnswer,
    RemoteTrouble,
    RoomCall,
    keep_listener,
    open_patiently,
)
from bourre_referee.runner.room_reports import RemotePresence
from bourre_referee.runner.worker import Failed, Played
from bourre_referee.server import remote_listener
from bourre_referee.storage.run.folder_location import FolderLocation
from tests import simulated_time
from tests.referee.remote_desk import LADDER, SITE, RemoteDesk, remote_contest
from tests.referee.scripted_workers import DEATH


async def opened(free_after: float, patience: float, number: int = errno.EADDRINUSE) -> float:
    """When a listener has opened whose address is free after so many seconds."""

    @asynccontextmanager
    async def open_listener() -> AsyncIterator[int]:
        if asyncio.get_running_loop().time() < free_after:
            raise OSError(number, "no")
        yield 4000

    async with open_patiently(open_listener, patience) as port:
        assert port == 4000
        return asyncio.get_running_loop().time()


def test_a_listener_waits_for_its_address() -> None:
    assert simulated_time.run(opened(0, patience=0)) == 0
    assert 4.5 <= simulated_time.run(opened(4.5, patience=10)) <= 5.5


@pytest.mark.parametrize(("free_after", "number"), [(11.5, errno.EADDRINUSE), (1, errno.EADDRNOTAVAIL)])
def test_an_address_that_stays_taken_or_cannot_be_had_is_refused(free_after: float, number: int) -> None:
    with pytest.raises(OSError, match="no"):
        simulated_time.run(opened(free_after, 10, number))


ANYWHERE = Listen()


class Process:
    """A listener's process inside this one, with a listener that takes notes and has no wire."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.tokens = folder / "tokens.json"
        self.noted: list[object] = []
        self.full_at: int | None = None
        self.refusal: OSError | None = None
        self.limits: list[tuple[int, tuple[int, int]]] = []
        self.acts: dict[str, Callable[[], object]] = {}
        """What happens when the listener is told this, begins this room, or gets tokens as the note of this number."""
        self._ours, self._theirs = Pipe()
        self._changed: Callable[[str, bool], None] = lambda bot, here: None
        monkeypatch.setattr(remote_listener, "RemoteListener", self._make)
        monkeypatch.setattr(resource, "setrlimit", lambda kind, limits: self.limits.append((kind, limits)))
        monkeypatch.setattr(remote_worker, "_LOOK_SECONDS", 0.001)
        monkeypatch.setattr(os, "_exit", _end)  # a listener that outlives its parent fails a test, not all of them

    def keep(self, *messages: object, listen: Listen = ANYWHERE) -> None:
        """Runs the process to its end; its parent has said this by then."""
        self.says(*messages)
        keep_listener(self._theirs, ListenerSpec("small", ("ada",), Clock(), listen, self.tokens))
        self._theirs.close()

    def says(self, *messages: object) -> None:
        """Says something as the parent."""
        for message in messages:
            self._ours.send(message)

    def leave(self) -> None:
        """Closes the parent's end, as its death would."""
        self._ours.close()

    def heard(self) -> list[object]:
        """What the parent has heard."""
        heard: list[object] = []
        while True:
            try:
                heard.append(self._ours.recv())
            except EOFError:
                return heard

    def _make(self, spec: ListenerSpec, changed: Callable[[str, bool], None], *_: object) -> Self:
        assert spec.tokens == self.tokens
        self._changed = changed
        return self

    @asynccontextmanager
    async def open(self) -> AsyncIterator[int]:
        if self.refusal:
            raise self.refusal
        try:
            yield 4000
        finally:
            self.noted.append("closed")

    async def play(self, room: PlacedRoom) -> Sequence[MatchOutcome]:
        self._act(room.room)
        if room.room == "away":
            raise BotsAway(("ada",))
        if room.room == "short":
            self._changed("ada", True)
            return ()
        try:
            await asyncio.Event().wait()
        finally:
            self.noted.append("cancelled")
        return ()

    def use_tokens(self, bots: Mapping[str, str], revoked: Mapping[str, str]) -> None:
        self.noted.append((bots, revoked))
        self._act(f"tokens {len(self.noted)}")

    def tell(self, bot: str, text: str) -> None:
        self.noted.append(f"{bot}: {text}")
        self._act(text)

    def say_goodbye(self, reason: str) -> None:
        self.noted.append(reason)

    def _act(self, name: str) -> None:
        self.acts.get(name, lambda: None)()


def _end(status: int) -> NoReturn:
    raise SystemExit(status)


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Process:
    return Process(monkeypatch, tmp_path)


def call(number: int, room: str) -> RoomCall:
    spec = RoomSpec(room=room, entries=(), matches=(), tables=1, clock=Clock(), max_faults=9)
    return RoomCall(number, SITE.place(spec))


def test_a_listener_plays_what_it_is_handed_until_it_is_closed(process: Process) -> None:
    token = invite(("ada",), process.tokens)["ada"]
    process.full_at = 5
    process.keep(Notice("ada", "hello"), call(7, "short"), call(8, "endless"), call(9, "away"), Close("over"))
    assert process.heard() == [
        RemoteTrouble("1 bots have tokens, but the ladder accepts 5"),
        Opened(4000),
        BotChanged("ada", True),
        RemoteRoomAnswer(7, Played(())),
        RemoteRoomAnswer(9, Failed("ada left before it began", ("ada",))),
    ]
    assert process.noted == [({"ada": hash_token(token)}, {}), "ada: hello", "over", "cancelled", "closed"]
    (_, most) = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert process.limits == [(resource.RLIMIT_NOFILE, (most, most))]


def test_a_listener_whose_parent_is_gone_ends_its_rooms_and_itself(process: Process) -> None:
    process.acts["endless"] = process.leave
    process.keep(call(1, "endless"))
    assert process.noted == [({}, {}), "cancelled", "closed"]


def test_a_listener_takes_over_tokens_that_change(process: Process) -> None:
    old = hash_token(invite(("ada",), process.tokens)["ada"])
    new: list[str] = []
    process.acts["renew"] = lambda: new.append(hash_token(renew_token("ada", process.tokens)))
    process.acts["tokens 3"] = lambda: process.says(Close("over"))
    process.keep(Notice("ada", "renew"))
    assert process.noted == [({"ada": old}, {}), "ada: renew", ({"ada": new[0]}, {old: "ada"}), "over", "closed"]


def test_what_cannot_be_opened_or_read_is_told(process: Process, tmp_path: Path) -> None:
    process.tokens.write_text("{")
    process.refusal = OSError(errno.EADDRINUSE, "Address already in use")
    process.keep()
    trouble, failed = process.heard()
    assert isinstance(trouble, RemoteTrouble)
    assert trouble.text.startswith(f"{process.tokens}: ")
    assert failed == Failed("Address already in use.\nhint: end the program that listens there, or use another port")
    assert process.noted == []


def test_a_listener_with_certificates_that_cannot_be_used_does_not_open(process: Process, tmp_path: Path) -> None:
    process.keep(listen=Listen("localhost:0", TlsFiles(tmp_path / "cert.pem", tmp_path / "key.pem")))
    (failed,) = process.heard()
    assert isinstance(failed, Failed)
    assert failed.reason.startswith(f"{tmp_path}/cert.pem: No such file or directory")


ROOM = SITE.place(RoomSpec(room="m1", entries=(), matches=(), tables=1, clock=Clock(), max_faults=9))


def test_a_listener_that_died_or_hung_is_opened_where_it_was_and_nobody_is_there_yet(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = RemoteDesk(monkeypatch)
    listener = desk.opened()
    desk.says(BotChanged("b", True), BotChanged("a", True), BotChanged("c", True), BotChanged("c", False))
    assert [listener.answer() is None for _ in range(4)] == 4 * [False]
    assert (listener.here, listener.seen) == ({"a", "b"}, {"a", "b", "c"})
    assert listener.presence("c left") == RemotePresence(("a", "b"), frozenset("ab"), "c left")
    assert [listener.give(ROOM), listener.give(ROOM)] == [1, 2]
    desk.says(DEATH)
    assert listener.answer() is None
    assert listener.replace_dead() == "the listener process was killed by SIGKILL"
    assert (listener.here, listener.seen) == (set(), set())
    assert listener.give(ROOM) == 3
    desk.says(BotChanged("a", True))
    listener.answer()
    assert not listener.hangs()
    desk.workers[1].hung = True
    assert listener.hangs()
    assert listener.replace_hanging() == "the listener process hung: it gave no sign of life for 60 s"
    assert (listener.here, listener.seen, listener.pipe) == (set(), set(), desk.workers[2].pipe)
    assert [worker.ended for worker in desk.workers] == [
        ["released", "stopped"],
        ["killed", "released", "stopped"],
        [],
    ]
    assert [spec.listen.address for spec in desk.specs] == ["localhost:0", "localhost:4000", "localhost:4000"]
    assert desk.environments == 3 * [{"TMPDIR": "short", "GRPC_VERBOSITY": "NONE"}]


def test_what_a_listener_is_told_and_how_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = RemoteDesk(monkeypatch)
    spec = replace(LADDER, bots=("a", "b"), most_bots=None)
    with desk.opened(spec) as listener:
        assert (listener.is_ladder, listener.listen.address, listener.process) == (
            False,
            "localhost:4000",
            4321,
        )
        assert listener.presence("") == RemotePresence(("a", "b"), frozenset(), "")
        assert listener.presence("").missing == ("a", "b"), "a contest waits for all its bots"
        (worker,) = desk.workers
        listener.tell("a", "hello")
        listener.give(ROOM)
        desk.says(BotChanged("a", True))
        listener.say_goodbye("over")
        assert worker.given == [Notice("a", "hello"), RoomCall(1, ROOM), Close("over")]
        assert worker.ended == []
    assert worker.ended == ["released", "stopped"]


@pytest.mark.parametrize(
    ("says", "why"), [(Failed("it is taken: end that"), "it is taken: end that"), (DEATH, "its process ended")]
)
def test_a_listener_that_cannot_be_opened_leaves_no_process(
    monkeypatch: pytest.MonkeyPatch, says: object, why: str
) -> None:
    desk = RemoteDesk(monkeypatch, lambda spec: says)
    with pytest.raises(ContestError) as caught:
        desk.opened()
    assert str(caught.value) == f"[listen] address = localhost:0: {why}"
    assert [worker.ended for worker in desk.workers] == [["released", "stopped"]]


def test_a_listener_that_cannot_be_opened_again_ends_the_contest(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = iter([Opened(4000), Failed("it is taken")])
    listener = RemoteDesk(monkeypatch, lambda spec: next(answers)).opened()
    with pytest.raises(ContestFailed) as caught:
        listener.replace_dead()
    told = "[listen] address = localhost:4000: it is taken\nFinished matches are stored; run again to go on."
    assert str(caught.value) == told

    def refuse(*_: object) -> None:
        raise OSError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(remote_process, "Worker", refuse)
    with pytest.raises(ContestFailed) as caught:
        listener.replace_dead()
    assert str(caught.value) == (
        "Cannot start the listener process: Resource temporarily unavailable.\nhint: end other programs\n"
        "Finished matches are stored; run again to go on."
    )


def test_a_listener_keeps_its_port_unless_that_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    taken, free = set[int](), iter((4000, 5000))

    def opens(spec: ListenerSpec) -> object:
        port = spec.listen.port or next(free)
        return Failed("it is taken") if port in taken else Opened(port)

    desk, file = RemoteDesk(monkeypatch, opens), tmp_path / "port"
    said = "port 4000 is taken, so remote bots must be started again with port 5000"
    for now, told in ((4000, ()), (4000, ()), (5000, (said,)), (5000, ())):
        with open_at_known_port(LADDER, file, {}) as (listener, notices):
            assert (listener.listen.address, notices) == (f"localhost:{now}", told)
        taken.update({4000} if len(desk.specs) == 2 else ())
    assert [spec.listen.port for spec in desk.specs] == [0, 4000, 4000, 0, 5000]
    fixed = replace(LADDER, listen=Listen("localhost:7000"))
    with open_at_known_port(fixed, file, {}) as (listener, notices):
        assert (listener.listen.port, notices) == (7000, ())
    assert file.read_text() == "5000\n"
    with pytest.raises(ContestError, match="it is taken"), open_at_known_port(at(fixed, 4000), file, {}):
        pass


def at(spec: ListenerSpec, port: int) -> ListenerSpec:
    return replace(spec, listen=spec.listen.at_port(port))


def test_a_contests_listener_invites_its_remote_bots_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    desk, contest, layout = RemoteDesk(monkeypatch), remote_contest(tmp_path), FolderLocation(tmp_path / "run")
    layout.make()
    with open_listener(contest, layout, {"A": "b"}) as opened:
        (first,) = opened.invitations
        assert (first.bot, first.settings, len(first.token)) == ("ada", {"BOURRE_ADDRESS": "127.0.0.1:4000"}, 64)
        assert first.environment == f"BOURRE_ADDRESS=127.0.0.1:4000 BOURRE_TOKEN={first.token}"
        assert opened.notices == ()
    assert desk.specs == [ListenerSpec("small", ("ada",), contest.clock, contest.listen, layout.tokens)]
    assert desk.environments[0]["A"] == "b"
    with open_listener(contest, layout, {}) as opened:
        (again,) = opened.invitations
        assert (again.token, again.environment) == ("", "BOURRE_ADDRESS=127.0.0.1:4000")
