"""What the examination of a container finds here, where nothing is isolated."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path

import pytest

from bourre_referee.sandbox.container import container_examination as examination

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bots run in Linux containers")


def test_a_machine_that_is_not_closed_is_found_out() -> None:
    found = [*examination.shortcomings(memory=0, processes=0, disk=0)]
    assert f"it runs as user {os.getuid()} in groups {[os.getgid(), *os.getgroups()]}" in found
    assert "/dev/shm holds more than 0 bytes" in found
    assert "it cannot reach the referee's socket (No such file or directory)" in found
    assert any(line.startswith(("its limit of memory is", "it has no limit of memory")) for line in found)


def test_what_a_filter_and_no_new_rights_would_show_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The state of a process is read from a file: with another file in its place, other faults are found."""
    state = "CapInh:\t0\nCapPrm:\t0\nCapEff:\t0\nCapBnd:\t1\nCapAmb:\t0\nNoNewPrivs:\t0\nSeccomp:\t0\n"
    monkeypatch.setattr(Path, "read_text", lambda _: state)
    missed = [*examination.privileges()]
    assert "it has capabilities" in missed
    assert "programs may give it more privileges" in missed
    assert "no system call filter (seccomp) is set" in missed


def test_a_closed_process_is_not_complained_of(monkeypatch: pytest.MonkeyPatch) -> None:
    state = "CapInh:\t0\nCapPrm:\t0\nCapEff:\t0\nCapBnd:\t0\nCapAmb:\t0\nNoNewPrivs:\t1\nSeccomp:\t2\n"
    monkeypatch.setattr(Path, "read_text", lambda _: state)
    monkeypatch.setattr(os, "getuid", lambda: examination.NOBODY)
    monkeypatch.setattr(os, "getgid", lambda: examination.NOBODY)
    monkeypatch.setattr(os, "getgroups", list)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (0, 0))
    assert [*examination.privileges()] == []


@pytest.mark.parametrize(
    ("written", "complaints"),
    [
        ("100\n", []),
        ("101\n", ["its limit of memory is 101, not 100"]),
        ("max\n", ["its limit of memory is max, not 100"]),
    ],
)
def test_a_limit_is_read_where_it_is_kept(tmp_path: Path, written: str, complaints: list[str]) -> None:
    limit = tmp_path / "memory.max"
    limit.write_text(written)
    elsewhere = tmp_path / "not there"
    assert [*examination.limit("memory", (str(elsewhere), str(limit)), 100)] == complaints


def test_a_limit_that_is_nowhere_is_missed(tmp_path: Path) -> None:
    assert [*examination.limit("processes", (str(tmp_path / "none"),), 64)] == ["it has no limit of processes"]


def test_a_program_that_a_bot_needs_is_missed() -> None:
    assert [*examination.equipment(["sh", "no-such-program"])] == ["it has no program 'no-such-program'"]
