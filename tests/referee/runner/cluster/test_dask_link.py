"""The connection to a cluster: which schedulers are spoken to, who is there, and what a question costs."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import dask.config
import pytest
from distributed import Client, Worker

from bourre_referee.model.errors import ContestError
from bourre_referee.runner.cluster import dask_link
from bourre_referee.runner.cluster.dask_link import DaskLink, Seat, is_loopback, open_link
from bourre_referee.runner.cluster.ignore_interrupt import dask_setup


@pytest.mark.parametrize("address", ["10.0.0.5:8786", "tcp://10.0.0.5:8786", "tcp://cluster.example:8786"])
def test_a_scheduler_elsewhere_must_have_tls(address: str) -> None:
    with pytest.raises(ContestError, match="without TLS, seeds would travel readably"), open_link(address, 1):
        pass


@pytest.mark.parametrize("address", ["http://10.0.0.5:8786", "inproc://x"])
def test_an_address_of_another_kind_is_refused(address: str) -> None:
    with pytest.raises(ContestError, match="give an address such as tls://host:8786"), open_link(address, 1):
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
    assert Seat(address, "/tmp", "host", 1).is_private == private
    assert is_loopback(address) == (private and not address.startswith("tls"))


class FakeClient:
    """Dask's client, as far as a link uses it."""

    def __init__(self, address: str = "tcp://127.0.0.1:8786") -> None:
        self.status = "running"
        self.loop = SimpleNamespace(asyncio_loop=None)
        self.scheduler = SimpleNamespace(identity=self._identity)
        self.workers: dict[str, dict[str, object]] = {}
        self.submitted: list[tuple[object, ...]] = []
        self.options: dict[str, object] = {}
        self.withdrawn: list[object] = []
        self.is_closed = False
        self._address = address
        self.end = asyncio.Event()

    def __enter__(self) -> FakeClient:
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
    seats = asyncio.run(link_to(client).look())
    assert [(seat.address, seat.folder, seat.host, seat.slots) for seat in seats] == [
        ("tls://running", "/running", "running", 2),
        ("tls://paused", "/paused", "paused", 0),
        ("tls://closing_gracefully", "/closing_gracefully", "closing_gracefully", 0),
    ]
    assert seats[0] == Seat("tls://running", "/running", "renamed", 7)
    assert seats[0] != Seat("tls://running", "/started again", "running", 2)


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
