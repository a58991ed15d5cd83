"""Containers: everything that their command line denies, whose orphans they are, and what examines them."""

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from bourre_referee.model.spec import Limits
from bourre_referee.sandbox import supervisor
from bourre_referee.sandbox.container import container_examination as examination
from bourre_referee.sandbox.container.container_command import ContainerSpec, command_line
from bourre_referee.sandbox.container.container_engine import is_orphan, new_name

SPEC = ContainerSpec(
    name="bourre-1",
    image="bots",
    files=Path("/host/files"),
    socket=Path("/host/socket"),
    folder="/bot/mine",
    command=("python3", "tight.py"),
    variables=("BOURRE_ADDRESS", "BOURRE_TOKEN"),
)
LIMITS = Limits(memory_mib=256, processes=32, disk_mib=16)
SAME = """
run --interactive --rm --pull=never --stop-signal=KILL --name bourre-1 --label bourre.bot
--network=none --ipc=private --cgroupns=private --hostname=bot --read-only --cap-drop=ALL
--security-opt=no-new-privileges --user 65534:65534 --no-healthcheck --log-driver=none
--memory=256m --memory-swap=256m --pids-limit=32 --cpus=1
--ulimit=nofile=128:128 --ulimit=nproc=4096:4096 --ulimit=fsize=16777216:16777216 --ulimit=core=0:0
--tmpfs=/tmp:rw,nosuid,nodev,exec,size=16m,mode=1777 --shm-size=1m
--mount=type=bind,src=/host/files,dst=/bot,readonly
--mount=type=bind,src=/host/socket,dst=/run/referee.sock,readonly
--env=HOME=/tmp --env=BOURRE_ADDRESS --env=BOURRE_TOKEN --workdir /bot/mine --entrypoint python3
"""
PODMAN = ["--read-only-tmpfs=false", "--no-hosts", "--http-proxy=false"]
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "FTP_PROXY", "ALL_PROXY", "NO_PROXY")
DOCKER = [f"--env={name}=" for proxy in PROXIES for name in (proxy, proxy.lower())]


@pytest.mark.parametrize(
    ("engine", "own"), [("/usr/bin/podman", PODMAN), ("/usr/local/bin/docker", DOCKER)], ids=["podman", "docker"]
)
def test_every_word_that_an_engine_is_told(engine: str, own: list[str]) -> None:
    program, *words = command_line(engine, SPEC, LIMITS)
    at = words.index("bots")
    assert program == engine
    assert sorted(words[:at]) == sorted([*SAME.split(), *own])
    source = Path(supervisor.__file__).read_text()
    assert words[at:] == ["bots", "-IS", "-c", source, "python3", "tight.py"]


NEW_NAME = "from bourre_referee.sandbox.container.container_engine import new_name; print(new_name())"


def test_only_a_container_whose_starter_has_ended_is_an_orphan() -> None:
    assert new_name() != new_name()
    assert not is_orphan(new_name())
    name = subprocess.run([sys.executable, "-c", NEW_NAME], capture_output=True, text=True, check=True).stdout.strip()
    assert is_orphan(name)
    prefix, namespace, process, started, random = new_name().split("-")
    assert process == str(os.getpid())
    assert is_orphan("-".join((prefix, namespace, process, str(int(started) - 1), random)))


@pytest.mark.parametrize("name", ["", "mysql", "bourre-web", "bourre-1-2-3-", "xbourre-1-2-3-aa"])
def test_other_names_are_nobodys_orphans(name: str) -> None:
    assert not is_orphan(name)


def test_processes_of_elsewhere_cannot_be_judged() -> None:
    prefix, namespace, *rest = new_name().split("-")
    assert not is_orphan("-".join((prefix, str(int(namespace) + 1), "999999999", *rest[1:])))


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
