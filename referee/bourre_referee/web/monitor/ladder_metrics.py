"""The metrics of a ladder's host, in the format of Prometheus. Only this file imports its client library."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from bourre_referee.ladder.host.host_vitals import HostVitals, StepVitals
from bourre_referee.runner.room_reports import WorkerLoad
from bourre_referee.web.monitor.database_probe import DatabaseProbe

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4


class LadderMetrics(Collector):
    """The metrics of one host. Names of bots are not in them."""

    def __init__(
        self,
        vitals: HostVitals,
        probe: DatabaseProbe,
        folder: Path,
        masked: Callable[[], int],
        now: Callable[[], datetime],
    ) -> None:
        """`folder` is the ladder's, for its disk. `masked` counts the secrets that the log has masked."""
        self._vitals = vitals
        self._probe = probe
        self._folder = folder
        self._masked = masked
        self._now = now

    def text(self) -> bytes:
        """Returns all metrics, with those of the process."""
        registry = CollectorRegistry(auto_describe=False)
        registry.register(self)
        ProcessCollector(registry=registry)
        return generate_latest(registry)

    def collect(self) -> Iterator[Metric]:
        """Yields the metrics."""
        yield _gauge("leads", "1 if this host leads, 0 if it stands by.", float(self._vitals.leads))
        answer = self._probe.answer
        yield _gauge("database_up", "1 if the ladder's storage answers.", float(answer.is_up))
        yield _gauge("database_answer_seconds", "The time of its last answer.", answer.took_s)
        disk = shutil.disk_usage(self._folder)
        yield _gauge("disk_free_bytes", "The free bytes of the disk with the ladder's folder.", disk.free)
        yield _gauge("disk_size_bytes", "The size of that disk.", disk.total)
        yield _counter("masked_secrets", "Passwords that the log would have shown.", {"": self._masked()})
        if step := self._vitals.step:
            yield from self._of_step(step)

    def _of_step(self, step: StepVitals) -> Iterator[Metric]:
        yield _gauge("step_age_seconds", "The time since the host's last step.", self._since(step.at))
        yield _gauge("rooms", "Open rooms by state.", step.rooms, "state")
        yield _gauge("bots", "Bots by state, without staff and retired bots.", step.bots, "state")
        yield _gauge("oldest_room_seconds", "The age of the oldest open room.", self._since(step.oldest_room))
        yield _gauge("usual_room_seconds", "The usual length of a room; 0 if unknown.", step.usual_room_s)
        yield _gauge("longest_wait_seconds", "The longest wait of a bot for a room.", self._since(step.waiting_since))
        if step.last_match:
            age = self._since(step.last_match)
            yield _gauge("last_match_age_seconds", "The time since the last room was finished.", age)
        yield from _counters(step)
        yield from _worker_metrics(step.workers)

    def _since(self, moment: datetime | None) -> float:
        return max(0.0, (self._now() - moment).total_seconds()) if moment else 0.0


def _counters(step: StepVitals) -> Iterator[Metric]:
    counts = step.counts
    yield _counter("rooms_finished", "Rooms finished since this host began.", {"": counts.finished})
    yield _counter("rooms_lost", "Attempts at rooms that the host failed.", {"": counts.lost})
    yield _counter("rooms_void", "Void rooms by cause.", counts.voids, "cause")
    yield _counter("faults", "Faults of bots by kind.", counts.faults, "kind")
    yield _counter("refusals", "Refused connections by reason.", counts.refusals, "reason")


def _worker_metrics(workers: Iterable[WorkerLoad]) -> Iterator[Metric]:
    rooms = GaugeMetricFamily("bourre_worker_rooms", "Rooms of each worker by state.", labels=("worker", "state"))
    slots = GaugeMetricFamily("bourre_worker_slots", "The most rooms of each worker; 0: any.", labels=("worker",))
    for load in workers:
        rooms.add_metric((load.worker, "playing"), load.playing)
        rooms.add_metric((load.worker, "waiting"), load.waiting)
        slots.add_metric((load.worker,), load.slots)
    yield rooms
    yield slots


def _gauge(name: str, about: str, value: float | Mapping[str, int], label: str = "") -> Metric:
    family = GaugeMetricFamily(f"bourre_{name}", about, labels=(label,) if label else ())
    for key, number in value.items() if isinstance(value, Mapping) else (("", value),):
        family.add_metric((key,) if label else (), number)
    return family


def _counter(name: str, about: str, values: Mapping[str, int], label: str = "") -> Metric:
    family = CounterMetricFamily(f"bourre_{name}", about, labels=(label,) if label else ())
    for key, number in values.items():
        family.add_metric((key,) if label else (), number)
    return family
