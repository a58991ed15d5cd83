"""Judges: processes that run the tests on one mutant."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterable, Iterator
from enum import StrEnum
from functools import partial
from pathlib import Path

import hypothesis
import pytest

from mutation.forking import fork, result_of
from mutation.making import Mutant
from mutation.reach import Reach, reach_of
from mutation.replacing import replace_source

PLUGINS = ("_hypothesis_pytestplugin", "pytest_timeout", "xdist.plugin")
"""The plugins that the tests need: importing those of every package takes five times as long as judging a mutant."""
OPTIONS = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
OPTIONS += [word for plugin in PLUGINS for word in ("-p", plugin)]
"""Ignores the warning about modules imported before the tests: this process imports them once for all mutants."""
WAITS = "--timeout=600"
"""Time limit of a test in seconds; more than in `pyproject.toml`, because other judges may use the processor."""
PATIENCE = 2
"""A mutant times out if its tests use this many times their usual processor time, ..."""
SECONDS = 10
"""... plus this many seconds."""
MEMORY = 1 << 30


class Verdict(StrEnum):
    """The verdict on a mutant."""

    KILLED = "killed"
    """A test failed, or could not be imported."""
    LATE = "late"
    """The tests did not end."""
    SURVIVED = "survived"
    UNTESTED = "untested"
    """No test runs its line."""


class _Chosen:
    """A pytest plugin: runs these tests, in this order, without shrinking failing examples."""

    def __init__(self, tests: list[str]) -> None:
        self._place = {test: place for place, test in enumerate(tests)}

    def pytest_collection(self) -> None:
        """Runs after conftest chose its profile, before the tests are imported."""
        quick = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
        hypothesis.settings.register_profile(
            "judge", hypothesis.settings(), phases=quick, derandomize=True, database=None
        )
        hypothesis.settings.load_profile("judge")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sorts the fastest first."""
        chosen = [item for item in items if item.nodeid in self._place]
        items[:] = sorted(chosen, key=lambda item: self._place[item.nodeid])


def reach(tests: list[str], paths: list[Path]) -> Reach:
    """Measures in a separate process, because it imports the modules to mutate."""
    return result_of(lambda: reach_of(tests, OPTIONS, paths))


def judge(mutants: Iterable[Mutant], reach: Reach, processes: int) -> Iterator[tuple[Mutant, Verdict]]:
    """Yields the verdict on each mutant, in order of completion."""
    at_work: dict[int, Mutant] = {}
    for mutant in mutants:
        if not (tests := reach.of(mutant.path, mutant.lines)):
            yield mutant, Verdict.UNTESTED
            continue
        if len(at_work) == processes:
            yield _next(at_work)
        seconds = SECONDS + PATIENCE * sum(reach.seconds[test] for test in tests)
        at_work[fork(partial(_exit_code, mutant, tests, int(seconds)), os.devnull)] = mutant
    while at_work:
        yield _next(at_work)


def _next(at_work: dict[int, Mutant]) -> tuple[Mutant, Verdict]:
    judge, status = os.wait()
    return at_work.pop(judge), _verdict(os.waitstatus_to_exitcode(status))


def _verdict(code: int) -> Verdict:
    if code < 0:
        return Verdict.LATE
    if code not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED):
        raise ValueError(f"a judge ended with {code}")
    return Verdict.SURVIVED if code == pytest.ExitCode.OK else Verdict.KILLED


def _exit_code(mutant: Mutant, tests: list[str], seconds: int) -> int:
    """Runs the tests in the judge's process; returns its exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    replace_source(mutant.module, mutant.path, mutant.source)
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    options = [*OPTIONS, "-x", "--tb=no", "--show-capture=no", WAITS]
    try:
        return pytest.main([*options, *files], plugins=[_Chosen(tests)])
    except Exception:  # pytest itself fell, say for want of memory; without a mistake it does not: see `verdicts_on`
        return pytest.ExitCode.TESTS_FAILED
