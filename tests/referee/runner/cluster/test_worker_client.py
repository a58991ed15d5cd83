"""What one worker is asked and sent, each once, over which connection, and what its answers mean."""

import asyncio
import signal
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self, cast

import dask.config
import pytest
from distributed import Client, Worker

from bourre_referee.model.errors import ContestError
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec, Isolation, Level, RoomSpec, SeatTiming
from bourre_referee.runner.cluster import dask_link
from bourre_referee.runner.cluster.dask_link import DaskLink, WorkerAddress, is_loopback, open_link
from bourre_referee.runner.cluster.ignore_interrupt import dask_setup
from bourre_referee.runner.cluster.room_processes import WorkerRoomAnswer
from bourre_referee.runner.cluster.worker_client import BotPacker, Gone, WorkerClient, WorkerShares
from bourre_referee.runner.cluster.worker_tasks import AnotherProcess, Unfit, own_installation
from bourre_referee.runner.worker import Played
from tests.referee.rooms import Rooms, played


def test_rooms_time_faults_and_losses_are_told_by_host(rooms: Rooms) -> None:
    shares = WorkerShares()
    first = played(rooms[0].matches[0])
    shares.add("beta", [replace(first, timings=2 * (SeatTiming(1, 1.0, 1.0, cpu_ms=2_500.0),))], 3.0)
    shares.add("beta", [played(rooms[1].matches[0])], 4.0)
    shares.add_lost("alpha")
    assert (shares.lost("alpha"), shares.lost("beta"), shares.lost("gamma")) == (1, 0, 0)
    assert shares.lines() == (
        "alpha played 0 rooms in 0 s of room time, with 0 s of the bots' processors, 0 faults of bots and 1 lost "
        "attempts",
        "beta played 2 rooms in 7 s of room time, with 5 s of the bots' processors, 4 faults of bots and 0 lost "
        "attempts",
    )


HERE = WorkerAddress("tls://alpha", "/scratch", "10.0.0.5", 1)
INSTALLED = asdict(own_installation())


class FakeLink:
    """A worker that answers at once."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.given: list[tuple[Any, ...]] = []
        self.answers: dict[str, object] = {"introduce": {**INSTALLED, "host": "alpha", "process": "Worker-1"}}
        self.errors: dict[str, Exception] = {}

    async def ask(self, address: str, task: Callable[..., object], *arguments: Any) -> object:
        assert address == "tls://alpha"
        await asyncio.sleep(0)
        name = task.__name__
        self.asked.append(name)
        self.given.append(arguments)
        if name in self.errors:
            raise self.errors[name]
        if name == "find_missing":
            return [bundle.sha256 for bundle in arguments[1]]
        return self.answers.get(name)

    def arguments(self, task: str) -> list[tuple[Any, ...]]:
        """What came with each question of this kind, apart from the process."""
        found = [given for name, given in zip(self.asked, self.given, strict=True) if name == task]
        assert {process for process, *_ in found} <= {"Worker-1"}
        return [given[1:] for given in found]


@pytest.fixture
def link() -> FakeLink:
    return FakeLink()


@pytest.fixture
def packer(rooms: Rooms, tmp_path: Path) -> BotPacker:
    return BotPacker(Site(tmp_path / "contest", tmp_path / "logs"))


@pytest.fixture
def worker(link: FakeLink, packer: BotPacker) -> WorkerClient:
    return WorkerClient(cast("DaskLink", link), HERE, packer)


def examined(worker: WorkerClient, *rooms: RoomSpec) -> Unfit | Gone | None:
    return asyncio.run(worker.examine(rooms))


async def examined_at_once(worker: WorkerClient, room: RoomSpec) -> tuple[object, object]:
    """Two rooms begin at once on a worker of two threads."""
    first, second = await asyncio.gather(worker.examine([room]), worker.examine([room, room]))
    return first, second


def test_a_worker_is_asked_nothing_twice_and_sent_each_bundle_once(
    rooms: Rooms, link: FakeLink, worker: WorkerClient
) -> None:
    ada, *others = rooms[0].entries
    room = replace(rooms[0], entries=(ada, replace(ada, name="twin"), *others))
    assert worker.name == "10.0.0.5"
    assert examined(worker) is None
    assert asyncio.run(examined_at_once(worker, room)) == (None, None)
    assert worker.name == "alpha"
    assert Counter(link.asked) == {"introduce": 1, "find_missing": 1, "unpack": len(room.entries) - 1, "examine": 1}
    ((specs, bundles, isolation, clock),) = link.arguments("examine")
    assert [spec.name for spec in specs] == [bot.name for bot in room.entries]
    assert [spec.sha256 for spec in specs] == [bundle.sha256 for bundle in bundles]
    assert (isolation, clock) == (room.isolation, room.clock)
    for bundle, contents in link.arguments("unpack"):
        assert set(contents) == {file.sha256 for file in bundle.files}
    new = BotSpec("new", ("python", "ada.py", "2"), files=("ada.py",))
    assert examined(worker, replace(room, entries=(ada, new))) is None
    assert [spec.name for spec in link.arguments("examine")[1][0]] == ["new"]
    link.asked.clear()
    link.given.clear()
    link.answers["play"] = answer = WorkerRoomAnswer(Played(()), {}, 1.0)
    assert asyncio.run(worker.play(room)) == answer
    assert link.asked == ["play"]
    ((sent, sent_bundles),) = link.arguments("play")
    assert sent == replace(room, entries=tuple(specs))
    assert sent_bundles == bundles


def test_each_isolation_is_examined_with_its_own_bots(rooms: Rooms, link: FakeLink, worker: WorkerClient) -> None:
    boxed = replace(rooms[1], isolation=Isolation(Level.BWRAP))
    assert examined(worker, rooms[0], boxed) is None
    assert [
        ([spec.name for spec in specs], isolation.level) for specs, _, isolation, _ in link.arguments("examine")
    ] == [
        ([bot.name for bot in rooms[0].entries], Level.NONE),
        ([bot.name for bot in boxed.entries], Level.BWRAP),
    ]


def test_bots_that_a_worker_could_not_start_are_examined_again(
    rooms: Rooms, link: FakeLink, worker: WorkerClient
) -> None:
    link.answers["examine"] = Unfit("no box")
    assert asyncio.run(worker.play(rooms[0])) == examined(worker, rooms[0]) == Unfit("no box")
    assert Counter(link.asked) == {"introduce": 1, "find_missing": 2, "unpack": 6, "examine": 2}


@pytest.mark.parametrize(
    ("task", "error", "meaning"),
    [
        ("introduce", AnotherProcess("gone"), Gone("AnotherProcess: gone")),
        (
            "introduce",
            ImportError("no bourre\nat all"),
            Unfit("it cannot load bourre (ImportError: no bourre).\nhint: install 'bourre[cluster]' there"),
        ),
        ("unpack", AnotherProcess("gone"), Gone("AnotherProcess: gone")),
        (
            "examine",
            MemoryError("no memory"),
            Unfit("it cannot be examined (MemoryError: no memory).\nhint: repair it, and start it again"),
        ),
        ("play", MemoryError("no memory"), Gone("MemoryError: no memory")),
    ],
)
def test_what_goes_wrong_is_told_apart(
    rooms: Rooms, link: FakeLink, worker: WorkerClient, task: str, error: Exception, meaning: object
) -> None:
    link.errors = {task: error}
    assert asyncio.run(worker.play(rooms[0])) == meaning
    assert link.asked[-1] == task


def test_a_worker_that_is_another_or_may_be_overheard_is_sent_nothing(
    rooms: Rooms, link: FakeLink, packer: BotPacker, worker: WorkerClient
) -> None:
    far = WorkerClient(cast("DaskLink", link), replace(HERE, address="tcp://10.0.0.5:1"), packer)
    assert examined(far, rooms[0]) == Unfit(
        "its connection is not encrypted.\nhint: start scheduler and workers with TLS"
    )
    assert link.asked == []
    link.answers["introduce"] = {**INSTALLED, "bourre": "9.9", "host": "alpha", "process": "Worker-1"}
    found = examined(worker, rooms[0])
    assert isinstance(found, Unfit)
    assert found.reason.startswith("bourre is 9.9 there")
    assert link.asked == ["introduce"]


def test_a_bot_is_packed_once_and_one_that_is_gone_here_is_no_fault_of_the_worker(
    rooms: Rooms, packer: BotPacker, worker: WorkerClient, tmp_path: Path
) -> None:
    ada, bob, *_ = (bot for room in rooms for name in ("ada", "bob") for bot in room.entries if bot.name == name)
    before, other = packer.pack(ada), packer.pack(replace(ada, name="other"))
    (tmp_path / "contest" / "ada.py").write_text("print('changed')\n")
    assert packer.pack(ada) is before
    assert (other.bot.name, other.bundle) == ("other", before.bundle)
    (tmp_path / "contest" / "bob.py").unlink()
    with pytest.raises(ContestError, match=r"bot bob: .*bob\.py: No such file or directory\.\nhint: correct its files"):
        examined(worker, replace(rooms[0], entries=(bob,)))


@pytest.mark.parametrize("address", ["10.0.0.5:8786", "tcp://10.0.0.5:8786", "tcp://cluster.example:8786"])
def test_a_scheduler_elsewhere_must_have_tls(address: str) -> None:
    with pytest.raises(ContestError, match="without TLS, others on the network"), open_link(address, 1):
        pass


@pytest.mark.parametrize("address", ["http://10.0.0.5:8786", "inproc://x"])
def test_an_address_of_another_kind_is_refused(address: str) -> None:
    with pytest.raises(ContestError, match="hint: use one such as tls://host:8786"), open_link(address, 1):
        pass


def test_where_nobody_answers_it_is_said() -> None:
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "0.1s"}),
        pytest.raises(ContestError, match="no scheduler answers there"),
        open_link("tcp://127.0.0.1:9", 1),
    ):
        pass


@pytest.mark.parametrize(
    ("address", "private"),
    [
        ("tcp://127.0.0.1:4000", True),
        ("tcp://[::1]:4000", True),
        ("tcp://localhost:4000", True),
        ("tls://10.0.0.5:4000", True),
        ("tcp://10.0.0.5:4000", False),
        ("tcp://localhost.example:4000", False),
    ],
)
def test_a_worker_is_private_on_this_machine_or_behind_tls(address: str, private: bool) -> None:
    assert WorkerAddress(address, "/tmp", "host", 1).is_private == private
    assert is_loopback(address) == (private and not address.startswith("tls"))


class FakeClient:
    """Dask's client, as far as a link uses it."""

    def __init__(self, address: str = "tcp://127.0.0.1:8786") -> None:
        self.status = "running"
        self.loop = SimpleNamespace(asyncio_loop=None)
        self.scheduler = SimpleNamespace(identity=self._identity, events=self._events)
        self.events: dict[str, list[str]] = {}
        """What happened to the workers, by address."""
        self.workers: dict[str, dict[str, object]] = {}
        self.submitted: list[tuple[object, ...]] = []
        self.options: dict[str, object] = {}
        self.withdrawn: list[object] = []
        self.is_closed = False
        self._address = address
        self.end = asyncio.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.is_closed = True

    def close(self) -> None:
        self.is_closed = True

    def scheduler_info(self, n_workers: int) -> dict[str, str]:
        return {"address": self._address}

    async def _identity(self, n_workers: int) -> dict[str, object]:
        assert n_workers == -1, "by default Dask names only some"
        return {"workers": self.workers}

    async def _events(self, topic: str) -> list[tuple[float, dict[str, str]]]:
        return [(0.0, {"action": action}) for action in self.events[topic]]

    def submit(self, *words: object, **options: object) -> str:
        self.submitted.append(words)
        self.options = options
        return "future"

    async def gather(self, futures: Sequence[object], asynchronous: bool) -> list[object]:
        assert (futures, asynchronous) == (["future"], True)
        await self.end.wait()
        return [42]

    async def cancel(self, futures: Sequence[object], asynchronous: bool, force: bool) -> None:
        assert asynchronous
        assert force
        self.withdrawn += futures
        self.end.set()


def link_to(client: FakeClient) -> DaskLink:
    return DaskLink(cast("Client", client), "tcp://127.0.0.1:8786")


def test_who_is_there_and_takes_tasks() -> None:
    client = FakeClient()
    for status in ("running", "paused", "closing_gracefully", "closing", "closed", "failed"):
        client.workers[f"tls://{status}"] = {
            "local_directory": f"/{status}", "host": status, "nthreads": 2, "status": status,
        }  # fmt: skip
    seats = asyncio.run(link_to(client).look()).here
    assert [(seat.address, seat.folder, seat.host, seat.slots) for seat in seats] == [
        ("tls://running", "/running", "running", 2),
        ("tls://paused", "/paused", "paused", 0),
        ("tls://closing_gracefully", "/closing_gracefully", "closing_gracefully", 0),
    ]
    assert seats[0] == WorkerAddress("tls://running", "/running", "renamed", 7)
    assert seats[0] != WorkerAddress("tls://running", "/started again", "running", 2)


def test_who_was_stopped_and_who_died() -> None:
    client = FakeClient()
    client.workers["tls://here"] = {"local_directory": "/here", "host": "here", "nthreads": 2, "status": "running"}
    client.events = {
        "tls://stopped": ["add-worker", "worker-status-change", "closing-worker", "remove-worker"],
        "tls://died": ["add-worker", "remove-worker"],
        "tls://died again": ["add-worker", "closing-worker", "remove-worker", "add-worker", "remove-worker"],
        "tls://unknown": [],
    }
    known = [
        WorkerAddress(f"tls://{name}", f"/{name}", name, 2)
        for name in ("here", *(address.removeprefix("tls://") for address in client.events))
    ]
    found = asyncio.run(link_to(client).look(known))
    assert [seat.host for seat in found.stopped] == ["stopped"]


def test_a_question_goes_to_one_worker_once_and_is_withdrawn_when_nobody_wants_the_answer() -> None:
    async def ask(client: FakeClient) -> list[object]:
        link = link_to(client)
        client.end.set()
        answers: list[object] = [await link.ask("tls://alpha", sum, [1, 2])]
        client.end.clear()
        asking = asyncio.create_task(link.ask("tls://alpha", sum, [3]))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert client.withdrawn == []
        asking.cancel()
        answers += await asyncio.gather(asking, return_exceptions=True)
        return answers

    client = FakeClient()
    answer, cancelled = asyncio.run(ask(client))
    assert answer == 42
    assert isinstance(cancelled, asyncio.CancelledError)
    assert client.submitted == [(sum, [1, 2]), (sum, [3])]
    assert client.options == {"workers": ["tls://alpha"], "allow_other_workers": False, "retries": 0, "pure": False}
    assert client.withdrawn == ["future"]


@pytest.mark.parametrize(
    ("status", "is_open"), [("running", True), ("connecting", True), ("closing", False), ("closed", False)]
)
def test_a_link_is_open_as_long_as_dask_tries_to_reach_the_scheduler(status: str, is_open: bool) -> None:
    client = FakeClient()
    client.status = status
    assert link_to(client).is_open == is_open


def test_a_scheduler_of_this_machine_that_listens_for_all_is_left_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    clients = [FakeClient(), FakeClient("tcp://10.0.0.5:8786")]
    fresh = iter(clients)

    def connect(address: str) -> Any:
        asked.append(address)
        return next(fresh)

    monkeypatch.setattr(dask_link, "Client", connect)
    with open_link("localhost:8786", 1) as link:
        assert link.address == "localhost:8786"
        assert dask.config.get("distributed.scheduler.allowed-failures") == 0
        assert not clients[0].is_closed
    told = "it listens at tcp://10.0.0.5:8786, for everybody: without TLS"
    with pytest.raises(ContestError, match=told), open_link("tcp://127.0.0.1:8786", 1):
        pass
    assert asked == ["tcp://localhost:8786", "tcp://127.0.0.1:8786"]
    assert [client.is_closed for client in clients] == [True, True]


def test_a_worker_of_this_machine_leaves_signals_of_the_terminal_to_the_referee() -> None:
    numbers = (signal.SIGINT, signal.SIGHUP)
    before = [signal.getsignal(number) for number in numbers]
    try:
        dask_setup(cast("Worker", None))
        assert [signal.getsignal(number) for number in numbers] == 2 * [signal.SIG_IGN]
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
