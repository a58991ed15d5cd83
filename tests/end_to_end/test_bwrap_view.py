"""What a bot in a sandbox sees: its own files, its seat, and nothing of the host or of other bots."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bourre_referee.diagnostics.attacks.descendants import descendants_of
from bourre_referee.model.spec import BotEntry, Limits
from tests.end_to_end.boxes import SMALL, TOKEN, boxed, program, told_by

SEES = """
import json, os, socket, sys

def tried(what):
    try:
        return what()
    except OSError as error:
        return error.strerror

def connected():
    with socket.socket(socket.AF_UNIX) as dialled:
        return dialled.connect("/run/referee.sock")

def written(path):
    with open(path, "w") as file:
        file.write("x")
    return "written"

def tables():
    for at, folders, files in os.walk("/proc"):
        if at == "/proc":
            folders[:] = [name for name in folders if not name.isdigit()]
        yield from (os.path.join(at, name) for name in files if not os.path.islink(os.path.join(at, name)))

def keepers():
    for at, folders, files in os.walk("/proc/1"):
        yield from (os.path.join(at, name) for name in files if not os.path.islink(os.path.join(at, name)))

status = dict(line.split(":", 1) for line in open("/proc/self/status").read().splitlines())
mounts = [line.split() for line in open("/proc/self/mountinfo")]
print(json.dumps({
    "environment": dict(os.environ),
    "keeper": tried(lambda: open("/proc/1/environ").read()),
    "memory of the keeper": tried(lambda: open("/proc/1/mem", "r+b").fileno()),
    "command": sys.argv,
    "top": sorted(os.listdir("/")),
    "home": os.getcwd(),
    "bot": sorted(os.path.join(at, name)[5:] for at, folders, files in os.walk("/bot") for name in files),
    "etc": sorted(os.listdir("/etc")),
    "users": open("/etc/passwd").read(),
    "dev": sorted(os.listdir("/dev")),
    "terminal": tried(os.openpty),
    "processes": sorted(int(name) for name in os.listdir("/proc") if name.isdigit()),
    "ids": [os.getuid(), os.geteuid(), os.getgid(), os.getegid()],
    "groups": os.getgroups(),
    "powers": [status[name].strip() for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")],
    "no new powers": status["NoNewPrivs"].strip(),
    "filtered": status["Seccomp"].strip(),
    "interfaces": [line.split(":")[0].strip() for line in open("/proc/net/dev").read().splitlines()[2:]],
    "inet": tried(lambda: socket.create_connection(("127.0.0.1", 9), 1)),
    "seat": tried(connected),
    "host": os.uname().nodename,
    "open": sorted(int(name) for name in os.listdir("/proc/self/fd")),
    "mount points": sorted(mount[4] for mount in mounts),
    "written": {path: tried(lambda: written(path)) for path in
        ("/x", "/bot/x", "/bot/bot.py", "/usr/x", "/etc/x", "/dev/x", "/run/x", "/tmp/x", "/dev/shm/x")},
    "sizes": {mount[4]: mount[-1].split("size=")[1].split(",")[0] for mount in mounts
        if mount[4] in ("/tmp", "/dev/shm")},
    "packages": [__import__(name).__name__ for name in ("bourre", "grpc")],
    "kernel": {path: tried(lambda: open(path).read()) for path in tables()},
    "later": {path: tried(lambda: open(path).read()) for path in tables()},
    "free": open("/proc/meminfo").read().split()[4],
    "keeper written": [path for path in keepers() if tried(lambda: written(path)) == "written"],
}))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A contest's folder, closed to other users, with another bot, a run folder and a secret."""
    folder = tmp_path_factory.mktemp("private") / "contest"
    entry = program(folder, SEES)
    (folder / "neighbour.py").write_text("secret")
    (folder / "data").mkdir()
    (folder / "data" / "weights").write_text("own")
    (folder / "runs").mkdir()
    (folder / "runs" / "run.db").write_text("secret")
    folder.chmod(0o700)
    assert entry.folder == folder
    return folder


@pytest.fixture(scope="module")
def seen(folder: Path) -> Any:
    """Everything that the bot reports."""
    entry = BotEntry("tested", (sys.executable, "bot.py", str(folder / "data/weights")), folder, ("bot.py", "data"))
    return told_by(entry, folder.parent / "seats")


def test_its_environment_holds_its_seat_and_nothing_of_the_host(seen: Any) -> None:
    environment = dict(seen["environment"])
    assert environment.pop("BOURRE_ADDRESS") == "unix:/run/referee.sock"
    assert environment.pop("BOURRE_TOKEN") == TOKEN
    assert environment.pop("BOURRE_SEED") == ""
    of_python = {"PYTHONFAULTHANDLER", "PYTHONHASHSEED", "PYTHONUNBUFFERED"}
    known = {"PATH", "HOME", "LANG", "GRPC_VERBOSITY", "PWD", *of_python}
    of_its_python = {"LD_LIBRARY_PATH", "PYTHONPATH", "LC_CTYPE"}
    assert environment.keys() - of_its_python == known
    assert {environment["HOME"], environment["PYTHONHASHSEED"]} == {"/tmp", "0"}
    places = {path for name in ("PATH", *of_its_python) for path in environment.get(name, "").split(":") if "/" in path}
    assert {path.split("/")[1] for path in places} <= {"usr", "bin", "venv", "python", "sdk"}


def test_it_sees_nothing_of_its_keeper_and_of_other_processes(seen: Any) -> None:
    assert (seen["keeper"], seen["memory of the keeper"]) == ("Permission denied", "Permission denied")
    assert seen["keeper written"] == []
    assert seen["processes"] == [1, 2]
    assert seen["open"] == [0, 1, 2, 3], "the last one is the list itself"
    assert isinstance(seen["terminal"], str), "it uses up none of the host's"


def test_it_has_its_own_files_and_the_sdk(seen: Any) -> None:
    assert seen["bot"] == ["bot.py", "data/weights"]
    assert seen["home"] == "/bot"
    assert seen["command"] == ["bot.py", "/bot/data/weights"]
    assert seen["packages"] == ["bourre", "grpc"]


def test_the_rest_is_the_system_at_neutral_paths(seen: Any) -> None:
    own = {"bot", "run", "tmp", "proc", "dev", "usr", "etc", "supervisor.py"}
    system = {"bin", "sbin", "lib", "lib32", "lib64", "libx32"}
    assert own <= set(seen["top"]) <= own | system | {"python", "venv", "supervisor", "sdk", "program"}
    assert set(seen["etc"]) <= {"passwd", "group", "ld.so.cache", "alternatives"}
    assert [line.split(":")[0] for line in seen["users"].splitlines()] == ["nobody"]
    assert seen["host"] == "box"
    assert not {point for point in seen["mount points"] if point.split("/")[1] not in seen["top"] and point != "/"}


def test_it_is_nobody_without_powers_and_under_the_filter(seen: Any) -> None:
    assert seen["ids"] == [65534] * 4
    assert set(seen["groups"]) <= {65534}
    assert seen["powers"] == ["0" * 16] * 5
    assert (seen["no new powers"], seen["filtered"]) == ("1", "2")


def test_the_kernels_tables_tell_it_nothing_of_others(seen: Any) -> None:
    shown = {path for path, text in seen["kernel"].items() if text != "Permission denied"}
    names = ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "uptime", "version")
    assert shown == {f"/proc/{name}" for name in names}
    assert seen["later"] == seen["kernel"]
    assert int(seen["free"]) == SMALL.memory_mib * 1024


def test_it_has_no_network_but_its_seat(seen: Any) -> None:
    assert seen["interfaces"] == ["lo"]
    assert isinstance(seen["inet"], str)
    assert seen["seat"] is None


def test_it_writes_to_its_small_disk_only(seen: Any) -> None:
    written = {path for path, outcome in seen["written"].items() if outcome == "written"}
    assert written == {"/tmp/x", "/dev/shm/x"}
    assert seen["sizes"] == {"/tmp": f"{SMALL.disk_mib * 1024}k", "/dev/shm": "1024k"}


def test_no_command_line_of_the_host_tells_its_token(folder: Path) -> None:
    entry = replace(program(folder / "waiting", "import signal; print('here', flush=True); signal.pause()"))
    with boxed(entry, folder.parent / "seats") as box:
        assert box.process.stdout is not None
        assert box.process.stdout.readline() == "here\n"
        words = [Path(f"/proc/{process}/cmdline").read_bytes() for process in descendants_of(box.process.pid)]
        assert len(words) > 1
        assert not [line for line in words if TOKEN.encode() in line or str(folder).encode() in line]


def test_its_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"\xff \xc3\xa9")
    assert told_by(program(folder, "print(len(__file__))"), tmp_path / "seats") == len("/bot/bot.py")


@pytest.mark.parametrize("program_of", ["node", "shell"])
def test_a_program_that_is_no_python_runs_too(tmp_path: Path, program_of: str) -> None:
    (tmp_path / "bot.sh").write_text('#!/bin/sh\necho "\\"$PWD $LD_LIBRARY_PATH\\""\n')
    (tmp_path / "bot.sh").chmod(0o755)
    command = {"node": ("/usr/bin/env", "sh", "bot.sh"), "shell": (str(tmp_path / "bot.sh"),)}[program_of]
    assert told_by(BotEntry("tested", command, tmp_path, ("bot.sh",)), tmp_path / "seats") == "/bot "


def test_what_its_limits_say_is_what_it_gets(tmp_path: Path) -> None:
    code = """
import json, resource
names = ("DATA", "FSIZE", "NOFILE", "CORE", "NPROC")
print(json.dumps({name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1] for name in names}))
"""
    limits = Limits(memory_mib=200, processes=33, disk_mib=3)
    told = told_by(program(tmp_path, code), tmp_path / "seats", limits)
    assert told == {"DATA": 200 << 20, "FSIZE": 3 << 20, "NOFILE": 128, "CORE": 0, "NPROC": 33}
