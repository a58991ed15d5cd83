"""Measures which test runs which line."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from time import process_time

import pytest
from coverage import Coverage

EVERY = ""
"""Coverage's context between tests, when modules are imported: code that runs then counts for every test."""


@dataclass(frozen=True, slots=True)
class Reach:
    """The processor seconds of each test, fastest first, and for each line of each file the tests that run it."""

    seconds: dict[str, float]
    by_line: dict[str, dict[int, list[str]]]

    def of(self, path: Path, lines: Collection[int]) -> list[str]:
        """Returns the tests that run one of these lines, fastest first."""
        by_line = self.by_line.get(str(path), {})
        reaching = {test for line in lines for test in by_line.get(line, ())}
        return [test for test in self.seconds if EVERY in reaching or test in reaching]


class Watch:
    """A pytest plugin that tells coverage which test is running, and measures its processor time."""

    def __init__(self, coverage: Coverage, paths: Collection[Path]) -> None:
        self._coverage = coverage
        self._paths = set(map(str, paths))
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> object:
        """Counts set-up and teardown as part of the test."""
        self._forget()
        self._coverage.switch_context(item.nodeid)
        began = process_time()
        result = yield
        self.seconds[item.nodeid] = process_time() - began
        self._coverage.switch_context(EVERY)
        return result

    def _forget(self) -> None:
        """Empties the modules' caches, so that a test runs code whose results an earlier one had cached."""
        modules = [module for module in sys.modules.values() if getattr(module, "__file__", None) in self._paths]
        for value in [value for module in modules for value in vars(module).values()]:
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def reach_of(tests: list[str], options: list[str], paths: Collection[Path]) -> Reach:
    """Runs the tests, which must pass, in this process."""
    coverage = Coverage(data_file=None, config_file=False, include=[str(path) for path in paths])
    watch = Watch(coverage, paths)
    with coverage.collect():
        code = pytest.main([*options, *tests], plugins=[watch])
    if code != pytest.ExitCode.OK:
        raise ValueError(f"the tests fail without a mutant: pytest ends with {code}")
    data = coverage.get_data()
    by_line = {str(path): data.contexts_by_lineno(str(path)) for path in paths}
    return Reach(dict(sorted(watch.seconds.items(), key=lambda test: test[::-1])), by_line)
