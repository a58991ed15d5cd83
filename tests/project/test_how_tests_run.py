"""A skip fails a strict run, the parts of CI run every test once, and the files that take the most time are named."""

from __future__ import annotations

import argparse
import os
import re
import resource
import subprocess
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import dev
from tests.conftest import (
    LEFT_OUT,
    UNTESTED,
    _scope,
    part,
    pytest_collection_modifyitems,
    pytest_terminal_summary,
    skips,
)
from tests.cpu_seconds import BEFORE, CpuSeconds

FILES = [path.relative_to(dev.ROOT).as_posix() for path in sorted((dev.ROOT / "tests").rglob("test_*.py"))]
TESTS = [f"{file}::test_{name}" for file in FILES for name in ("one", "two[x-none]", "three[x-bwrap]", "long")]


class Terminal:
    """Takes what the summary says."""

    def __init__(self, *reasons: str) -> None:
        reports = [SimpleNamespace(nodeid="a_test", longrepr=("file", 1, f"Skipped: {reason}")) for reason in reasons]
        self.stats = {"skipped": reports}
        self.said: list[str] = []
        self.section = self.write_line = self.said.append

    def end_strict_run(self, config: pytest.Config) -> list[str]:
        """Lets a strict run end here, and returns its skips that fail."""
        plugins = SimpleNamespace(getplugin=lambda _: self)
        run = SimpleNamespace(pluginmanager=plugins, getoption=lambda _: True, rootpath=config.rootpath)
        pytest_terminal_summary(cast(pytest.Config, run))
        return skips(cast(pytest.Config, run))


def test_containers_that_cannot_run_are_told_once_and_fail_nothing(pytestconfig: pytest.Config) -> None:
    terminal = Terminal(f"{UNTESTED}no engine", f"{UNTESTED}no engine")
    assert terminal.end_strict_run(pytestconfig) == []
    assert terminal.said[:2] == ["NOT TESTED", f"Skipped: {UNTESTED}no engine"]
    assert not any("which fails" in line for line in terminal.said)


def test_any_other_skip_fails_a_strict_run(pytestconfig: pytest.Config) -> None:
    terminal = Terminal("there is no node here", f"{UNTESTED}no engine")
    assert terminal.end_strict_run(pytestconfig) == ["a_test: Skipped: there is no node here"]
    assert "skipped, which fails" in terminal.said


class Item:
    """A test, which is long if its name says so."""

    def __init__(self, nodeid: str) -> None:
        self.nodeid = nodeid

    def get_closest_marker(self, name: str) -> bool:
        return self.nodeid.endswith(name)


def chosen(text: str, tests: list[str], *, long: bool = False) -> list[str]:
    """What a part runs of these tests; it tells which tests it leaves out, and how many."""
    left_out: list[Item] = []
    config = SimpleNamespace(
        stash=pytest.Stash(),
        hook=SimpleNamespace(pytest_deselected=lambda items: left_out.extend(items)),
        getoption={"part": part(text), "long": long, "random": None}.__getitem__,
    )
    items = [Item(test) for test in tests]
    pytest_collection_modifyitems(cast(pytest.Config, config), cast(list[pytest.Item], items))
    run = [item.nodeid for item in items]
    assert Counter(run + [item.nodeid for item in left_out]) == Counter(tests)
    assert config.stash[LEFT_OUT] == len(left_out)
    assert [test for test in tests if test in {*run}] == run
    return run


@pytest.mark.parametrize("parts", [1, 4, 7])
def test_together_the_parts_run_every_test_once_and_split_no_file(parts: int) -> None:
    ran = [chosen(f"{number}/{parts}", TESTS, long=True) for number in range(1, parts + 1)]
    assert Counter(test for tests in ran for test in tests) == Counter(TESTS)
    files = [{test.partition("::")[0] for test in tests if "[" not in test} for tests in ran]
    assert Counter(file for part in files for file in part) == Counter(FILES)
    sizes = {len({_scope(test) for test in tests}) for tests in ran}
    assert max(sizes) - min(sizes) <= 1


def test_a_part_has_no_long_tests_unless_they_are_asked_for() -> None:
    assert chosen("2/2", ["tests/a.py::one", "tests/b.py::one", "tests/b.py::long"]) == ["tests/b.py::one"]
    assert chosen("1/1", ["a", "long", "b"]) == ["a", "b"]
    assert chosen("1/1", ["a", "long", "b"], long=True) == ["a", "long", "b"]


def test_only_a_part_that_there_is_is_taken() -> None:
    assert [part(text) for text in ("1/1", "2/4", "4/4")] == [(1, 1), (2, 4), (4, 4)]
    taken = argparse.ArgumentParser(exit_on_error=False)
    taken.add_argument("--part", type=part)
    for text in ("0/4", "5/4", "1", "a/4", "1/2/3", "-1/4"):
        with pytest.raises(argparse.ArgumentError, match=f"invalid part value: '{text}'"):
            taken.parse_args([f"--part={text}"])


def test_the_workflow_runs_every_part_and_the_first_the_checks_too(tmp_path: Path) -> None:
    """Programs that only note their words stand in for those of CI."""
    for program in ("bwrap", "chromium", "gcc", "initdb", "ip", "node", "npm", "podman", "promtool", "python3"):
        (tmp_path / program).write_text('#!/bin/sh\ncase "$1" in -c) ;; *) echo "$@" ;; esac\n')
        (tmp_path / program).chmod(0o755)
    environment = {"PATH": f"{tmp_path}{os.pathsep}{os.defpath}"}

    def said_by(*words: str) -> list[str]:
        command = ["bash", ".ci/run", *words]
        return subprocess.check_output(command, cwd=dev.ROOT, env=environment, text=True).splitlines()

    tests, checks = "dev.py test --strict", "dev.py check --tested"
    assert said_by() == [tests, checks]
    (named,) = re.findall(r"part: \[(.*)\]", (dev.ROOT / ".github/workflows/ci.yml").read_text("utf-8"))
    assert named == "1/4, 2/4, 3/4, 4/4"
    said = [said_by(part) for part in named.split(", ")]
    assert said == [[f"{tests} --part {number}/4", *[checks] * (number == 1)] for number in range(1, 5)]


def test_the_dearest_files_are_named_with_the_seconds_of_all_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test takes twice as long as the one before: 1 s of its own and 0.5 s of its children, in the first."""
    clock = [1.0]

    def usage(who: int) -> SimpleNamespace:
        own = who == resource.RUSAGE_SELF
        return SimpleNamespace(ru_utime=clock[0] * (0.75 if own else 0.5), ru_stime=clock[0] * 0.25 * own)

    monkeypatch.setattr(resource, "getrusage", usage)
    asked, terminal = CpuSeconds(2), Terminal()
    for began, tests in ((1.0, ("tests/a.py::one", "tests/b.py::one")), (2.0, ("tests/c.py::[::]", "tests/a.py::two"))):
        clock[0] = began
        worker, node = CpuSeconds(2), SimpleNamespace(workeroutput={})
        worker.pytest_collection_finish()
        for test in tests:
            protocol = worker.pytest_runtest_protocol(cast(pytest.Item, Item(test)))
            next(protocol)
            clock[0] *= 2
            with pytest.raises(StopIteration, match=test.partition("::")[0]):
                protocol.send(test)
        worker.pytest_sessionfinish(cast(pytest.Session, SimpleNamespace(config=node)))
        asked.pytest_testnodedown(node)
    asked.pytest_testnodedown(SimpleNamespace())  # a worker that crashed says nothing
    asked.pytest_terminal_summary(cast(pytest.TerminalReporter, terminal))
    assert terminal.said == ["processor seconds", "     7.5  tests/a.py", f"     4.5  {BEFORE}", "    18.0  in all"]
