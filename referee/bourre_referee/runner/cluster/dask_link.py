"""The connection to a Dask cluster, on this machine or at an address."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import warnings
from collections.abc import Callable, Collection, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import dask.config
from distributed import Client, LocalCluster
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError
from distributed.scheduler import KilledWorker
from distributed.utils import silence_logging_cmgr

from bourre_referee.model.errors import ContestError
from bourre_referee.runner.cluster.worker_tasks import AnotherProcess

T = TypeVar("T")

LOOK_S = 1.0
"""The interval, in seconds, at which the scheduler is asked for its workers."""
_ENDED = ("closing", "closed", "failed")
LOST = (AnotherProcess, CommClosedError, FutureCancelledError, KilledWorker)
"""Dask's exceptions for a task whose worker or scheduler is gone."""


@dataclass(frozen=True, slots=True)
class WorkerAddress:
    """A worker process of the cluster. Address and folder identify it."""

    address: str
    folder: str
    """The worker's own folder, which differs from that of an earlier process at the same address."""
    host: str = field(compare=False)
    slots: int = field(compare=False)
    """The most rooms that it may play at once: its threads, or 0 while it accepts no tasks."""

    @property
    def is_private(self) -> bool:
        """Whether messages to it are encrypted or stay on this machine."""
        return self.address.startswith("tls://") or is_loopback(self.address)


class Workers(NamedTuple):
    """The workers of a cluster."""

    here: tuple[WorkerAddress, ...]
    stopped: frozenset[WorkerAddress]
    """Those that are gone because somebody stopped them, as by SIGTERM, and not because they died."""


class DaskLink:
    """Runs tasks on the workers of a cluster. Every answer comes in Dask's own thread."""

    def __init__(self, client: Client, address: str) -> None:
        self.address = address
        self._client: Any = client  # partly typed
        self._loop = _asyncio_loop(client)

    @property
    def is_open(self) -> bool:
        """Whether the scheduler can be reached, perhaps after a moment."""
        return self._client.status in ("running", "connecting")

    def start(self, work: Coroutine[Any, Any, T], done: Callable[[Future[T]], None]) -> Future[T]:
        """Runs `work` in Dask's thread, and calls `done` there at its end."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        future.add_done_callback(done)
        return future

    async def look(self, known: Collection[WorkerAddress] = ()) -> Workers:
        """Asks the scheduler for its workers, and what became of those known. Raises OSError if it does not answer."""
        told = await self._client.scheduler.identity(n_workers=-1)
        here = tuple(
            WorkerAddress(
                address,
                worker["local_directory"],
                worker["host"],
                worker["nthreads"] if worker["status"] == "running" else 0,
            )
            for address, worker in told["workers"].items()
            if worker["status"] not in _ENDED
        )
        gone = [seat for seat in known if seat not in here]
        return Workers(here, frozenset([seat for seat in gone if await self._was_stopped(seat.address)]))

    async def _was_stopped(self, address: str) -> bool:
        """Whether the last worker at this address ended by an announced stop."""
        events = await self._client.scheduler.events(topic=address)
        actions = [event.get("action") for _, event in events if isinstance(event, dict)]
        newest = len(actions) - actions[::-1].index("add-worker") if "add-worker" in actions else 0
        return "closing-worker" in actions[newest:]

    async def ask(self, address: str, task: Callable[..., T], *arguments: object) -> T:
        """Lets one worker do a task, once, and returns its answer. Cancelling this also cancels the task.

        Raises one of LOST if the worker or the scheduler is gone.
        """
        future = self._client.submit(
            task, *arguments, workers=[address], allow_other_workers=False, retries=0, pure=False
        )
        gathering: asyncio.Future[list[T]] = asyncio.ensure_future(self._client.gather([future], asynchronous=True))
        try:
            (answer,) = await asyncio.shield(gathering)
            return answer
        except asyncio.CancelledError:
            await self._client.cancel([future], asynchronous=True, force=True)
            await asyncio.gather(gathering, return_exceptions=True)
            raise


def _asyncio_loop(client: Client) -> asyncio.AbstractEventLoop:
    tornado: Any = client.loop
    loop: asyncio.AbstractEventLoop = tornado.asyncio_loop
    return loop


@contextmanager
def open_link(scheduler: str | None, jobs: int) -> Iterator[DaskLink]:
    """Connects to the scheduler at an address. Without one, starts a cluster of `jobs` workers on this machine.

    Raises ContestError if no scheduler answers, or if the connection is not encrypted.
    """
    with warnings.catch_warnings(), silence_logging_cmgr(logging.CRITICAL), dask.config.set(_SETTINGS):
        warnings.simplefilter("ignore")  # about different versions of Dask, because the examination compares versions
        with _own_cluster(jobs) if scheduler is None else _connect(scheduler) as client:
            yield DaskLink(client, scheduler or "this machine")


_SETTINGS = {
    "distributed.scheduler.allowed-failures": 0,  # the executor counts attempts, not Dask
    "distributed.scheduler.worker-ttl": "60 s",  # the longest silence of a worker
}


@contextmanager
def _own_cluster(workers: int) -> Iterator[Client]:
    """Starts workers on this machine and ends them. TLS with a key of this process keeps other users out."""
    with (
        TemporaryDirectory(prefix="bourre-dask-") as folder,
        LocalCluster(  # type: ignore[no-untyped-call]
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            security=True,
            protocol="tls",
            dashboard_address=None,
            memory_limit=0,
            local_directory=folder,
            silence_logs=logging.CRITICAL,
            preload=["bourre_referee.runner.cluster.ignore_interrupt"],
        ) as cluster,
        Client(cluster, security=cluster.security) as client,  # type: ignore[no-untyped-call]
    ):
        yield client


def _connect(scheduler: str) -> Client:
    if "://" not in scheduler:
        scheduler = f"tcp://{scheduler}"
    if not scheduler.startswith(("tcp://", "tls://")):
        raise ContestError(f"--cluster {scheduler!r} is not an address.\nhint: use one such as tls://host:8786")
    if not scheduler.startswith("tls://") and not is_loopback(scheduler):
        raise ContestError(f"--cluster {scheduler}: {_READABLE}")
    try:
        client = Client(scheduler)  # type: ignore[no-untyped-call]
    except (OSError, TypeError, ValueError) as error:
        raise ContestError(
            f"--cluster {scheduler}: no scheduler answers there ({error}).\nhint: run `dask scheduler` there, or set "
            "another address or certificates in Dask's configuration"
        ) from error
    own = client.scheduler_info(n_workers=0)["address"]
    if not own.startswith("tls://") and not is_loopback(own):
        client.close()  # type: ignore[no-untyped-call]
        raise ContestError(f"--cluster {scheduler}: it listens at {own}, for everybody: {_READABLE}")
    return client


_READABLE = (
    "without TLS, others on the network could read seeds and run code on the workers.\n"
    "hint: start it with certificates and use tls://host:port, or with --host 127.0.0.1 for one machine"
)


def is_loopback(address: str) -> bool:
    """Whether an address is local, such as `tcp://127.0.0.1:8786`."""
    host = address.partition("://")[2].rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
