"""Serves `/health`, `/ready` and `/metrics` of a ladder's host, in a thread that answers while the host waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from threading import Thread

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bourre_referee.ladder.host.host_vitals import HostVitals
from bourre_referee.ladder.host.ladder_folder import LadderFolder
from bourre_referee.ladder.log.shared_log import utc_now
from bourre_referee.web.monitor.database_probe import DatabaseProbe
from bourre_referee.web.monitor.ladder_metrics import CONTENT_TYPE, LadderMetrics
from bourre_referee.web.server import HttpLimits, listener_url, make_server, open_listener

STUCK_S = 120.0
"""The age of the last step after which a host is stuck, unless it waits for its database."""
LATE_S = 30.0
"""The age of the last step after which a host is not ready."""
LIMITS = HttpLimits(connections=50, per_address=50)


class HostCheck:
    """Says how a host is."""

    def __init__(self, vitals: HostVitals, probe: DatabaseProbe, now: Callable[[], datetime] = utc_now) -> None:
        self._vitals = vitals
        self._probe = probe
        self._now = now

    def stuck(self) -> str:
        """Returns why only a restart helps; empty if it would not help."""
        late = self._late(STUCK_S)
        return late if self._probe.answer.is_up else ""

    def unready(self) -> str:
        """Returns why no room begins now; empty if rooms can begin."""
        if trouble := self._probe.answer.trouble:
            return trouble
        if not self._vitals.leads:
            return "another host leads, or this one is just starting"
        if self._vitals.step is None:
            return "the host is reading the log"
        return self._late(LATE_S)

    def _late(self, seconds: float) -> str:
        step = self._vitals.step
        age = (self._now() - step.at).total_seconds() if step else 0.0
        return f"the host's last step was {age:.0f} s ago" if age > seconds else ""


def monitor_app(check: HostCheck, metrics: LadderMetrics) -> Starlette:
    """Returns the application. It answers any host name, because it shows no name of a bot and takes nothing."""

    def health(request: Request) -> Response:
        return _answer(check.stuck())

    def ready(request: Request) -> Response:
        return _answer(check.unready())

    def measured(request: Request) -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE)

    routes = [Route("/health", health), Route("/ready", ready), Route("/metrics", measured)]
    return Starlette(routes=routes)


def _answer(trouble: str) -> Response:
    headers = {"Cache-Control": "no-store"}
    return PlainTextResponse(f"{trouble or 'ok'}\n", 503 if trouble else 200, headers)


@contextmanager
def serve_monitor(
    folder: LadderFolder, vitals: HostVitals, host: str, port: int, masked: Callable[[], int]
) -> Iterator[str]:
    """Serves the monitor until the end of the block, and yields its address.

    Raises ContestError if nothing can listen there. `masked` counts the secrets that the log has masked.
    """
    probe = DatabaseProbe(lambda: folder.storage.check())
    app = monitor_app(HostCheck(vitals, probe), LadderMetrics(vitals, probe, folder.path, masked, utc_now))
    with closing(open_listener(host, port)) as listener, probe.asking():
        server = make_server(app, lambda: None, LIMITS)
        thread = Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), name="monitor", daemon=True)
        thread.start()
        try:
            yield listener_url(listener, host)
        finally:
            server.should_exit = True
            thread.join()
