"""The processor seconds of each test file, those of the processes that its tests start and wait for included."""

from __future__ import annotations

import resource
from collections.abc import Generator
from heapq import nlargest
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

BEFORE = "(starting and collecting, in every process)"


def used() -> float:
    """What this process and its children that have ended have used so far."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class CpuSeconds:
    """A plugin of pytest that adds up by file; each xdist worker hands its sums over when it ends."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._seconds: dict[str, float] = {}

    def pytest_collection_finish(self) -> None:
        self._add(BEFORE, used())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measures a test with its set-up and all that is taken down after it."""
        began = used()
        done = yield
        self._add(item.nodeid.partition("::")[0], used() - began)
        return done

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        config = session.config
        if hasattr(config, "workeroutput"):
            config.workeroutput["cpu_seconds"] = self._seconds

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: WorkerController) -> None:
        for file, seconds in getattr(node, "workeroutput", {}).get("cpu_seconds", {}).items():
            self._add(file, seconds)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Lists the dearest files, dearest first, and the sum of all."""
        terminalreporter.section("processor seconds")
        for file in nlargest(self._most, self._seconds, key=self._seconds.__getitem__):
            terminalreporter.write_line(f"{self._seconds[file]:8.1f}  {file}")
        terminalreporter.write_line(f"{sum(self._seconds.values()):8.1f}  in all")

    def _add(self, file: str, seconds: float) -> None:
        self._seconds[file] = self._seconds.get(file, 0.0) + seconds
