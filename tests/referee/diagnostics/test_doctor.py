"""What the doctor reports: what is there, what is missing and its fix, and whether a contest can be played at all."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

import bourre_referee.diagnostics.doctor.host_checks
import bourre_referee.storage.database.sqlite_connection
from bourre.extras import install_command
from bourre_referee.diagnostics.attacks.attack_room import names
from bourre_referee.diagnostics.attacks.trial import AttackTrial, Judgement, aim_of
from bourre_referee.diagnostics.doctor import host_checks as host
from bourre_referee.diagnostics.doctor import isolation_checks as isolation
from bourre_referee.diagnostics.doctor.host_finding import HostFinding, HostReport, lines
from bourre_referee.model.errors import StoreError
from bourre_referee.model.spec import Level
from bourre_referee.sandbox.bwrap.bwrap_tools import BoxMissing, Tools
from bourre_referee.sandbox.cgroup.cgroup_mounts import GroupParent
from bourre_referee.sandbox.container.container_engine import Engine
from bourre_referee.storage.database.sqlite_connection import try_database
from tests.referee.command import called

FINE = HostFinding("grpc", True, "grpcio 1.80", needed=True)
NO_BOX = HostFinding("box", False, "no namespaces", "ask root")
NO_DISK = HostFinding("database", False, "no room", "make some", needed=True)


def test_what_is_absent_is_told_with_its_fix() -> None:
    assert list(lines(HostReport((FINE, NO_BOX), "none"))) == [
        "ok      grpc            grpcio 1.80",
        "absent  box             no namespaces",
        "                        -> ask root",
        "",
        "contests can be played here without isolation, so only with trusted bots",
    ]
    first, *_, last = lines(HostReport((NO_DISK,), "none"))
    assert first == "MISSING database        no room"
    assert last == "no contest can be played here: fix the checks marked MISSING"
    assert list(lines(HostReport((FINE,), "bwrap")))[-1].endswith("with isolation level bwrap")


@pytest.mark.parametrize(("found", "code"), [((FINE, NO_BOX), 0), ((FINE, NO_DISK), 1)])
def test_it_fails_only_where_nothing_can_be_played(
    found: tuple[HostFinding, ...], code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        bourre_referee.diagnostics.doctor.host_checks, "examine", lambda folder: HostReport(found, "none")
    )
    ended = called("doctor", "--json")
    assert ended.code == code
    document = json.loads(ended.out)
    assert (document["playable"], document["level"]) == (code == 0, "none")
    assert [check["check"] for check in document["checks"]] == [finding.check for finding in found]


def test_a_database_is_tried_and_leaves_nothing(tmp_path: Path) -> None:
    assert try_database(tmp_path).startswith("SQLite 3.")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StoreError, match="cannot contain a database"):
        try_database(tmp_path / "absent")


def raising(error: Exception) -> Callable[..., object]:
    """Returns this, whatever the arguments."""

    def refuse(*_: object, **__: object) -> object:
        raise error

    return refuse


def returning(found: object) -> Callable[..., object]:
    return lambda *_, **__: found


def ending(code: int, said: str = "") -> Callable[..., object]:
    """A program that ends like this."""
    return returning(subprocess.CompletedProcess([], code, "", said))


NO_BWRAP = BoxMissing("bwrap is not installed.\nhint: apt-get install bubblewrap")


@pytest.mark.parametrize(
    ("at", "name", "instead", "finding"),
    [
        (
            *("bubblewrap", "Tools.here", raising(NO_BWRAP)),
            HostFinding("bubblewrap", False, "bwrap is not installed", "apt-get install bubblewrap"),
        ),
        (
            *("namespaces", "subprocess.run", ending(1, "unshare: not\n permitted\n")),
            HostFinding("namespaces", False, "unshare: not permitted", isolation._NAMESPACES),
        ),
        (
            *("namespaces", "subprocess.run", raising(FileNotFoundError(2, "no such file", "unshare"))),
            HostFinding("namespaces", False, "unshare is not installed", "install the package util-linux"),
        ),
        (
            *("seccomp", "filter_here", raising(OSError("no filter for the machine vax.\nhint: use another"))),
            HostFinding("seccomp", False, "no filter for the machine vax", "use another"),
        ),
        (
            *("seccomp", "Path.exists", returning(False)),
            HostFinding(
                "seccomp", False, "this kernel cannot filter system calls", "use one with CONFIG_SECCOMP_FILTER"
            ),
        ),
        (
            *("box", "unavailable_reason_of_host", returning("bourre: no namespaces.\nhint: ask root: or a container")),
            HostFinding("box", False, "no namespaces", "ask root: or a container"),
        ),
        (
            *("control groups", "find_group_parents", returning([])),
            HostFinding(
                *("control groups", False, "this user cannot create groups that limit memory and processes"),
                isolation._GROUPS,
            ),
        ),
        (
            *("control groups", "find_group_parents", raising(OSError("not mounted"))),
            HostFinding("control groups", False, "not mounted", isolation._GROUPS),
        ),
        (
            *("containers", "engines", list),
            HostFinding("containers", False, "neither podman nor docker is installed", "apt-get install podman"),
        ),
    ],
)
def test_what_keeps_bots_apart_and_is_absent_is_found_with_its_fix(
    monkeypatch: pytest.MonkeyPatch, at: str, name: str, instead: Callable[..., object], finding: HostFinding
) -> None:
    """Runs the doctor on a machine that has everything else."""
    monkeypatch.setattr(Tools, "here", returning(Tools("bwrap", "prlimit", "setpriv")))
    monkeypatch.setattr(Tools, "version", returning((0, 8, 0)))
    monkeypatch.setattr(subprocess, "run", ending(0))
    monkeypatch.setattr(isolation, "filter_here", returning(bytes(80)))
    monkeypatch.setattr(isolation, "unavailable_reason_of_host", returning(None))
    monkeypatch.setattr(isolation, "find_group_parents", returning([GroupParent(Path("/sys/fs/cgroup/mine"), ())]))
    monkeypatch.setattr(isolation, "engines", returning([Engine("/usr/bin/podman")]))
    exists = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path: str(path).startswith("/proc/sys/kernel/sec") or exists(path))
    found = {one.check: one for one in isolation.isolation_findings()}
    assert [one for one in found.values() if not one.ok] == []
    assert [one.told for one in found.values()][2:] == [
        *(found["seccomp"].told, "this Python starts in a sandbox and loads gRPC", "/sys/fs/cgroup/mine"),
        "/usr/bin/podman (`bourre run` tries it with the contest's image)",
    ]
    assert found["seccomp"].told.startswith("a filter of 10 steps")
    monkeypatch.setattr(f"bourre_referee.diagnostics.doctor.isolation_checks.{name}", instead)
    assert [one for one in isolation.isolation_findings() if not one.ok] == [finding]
    assert finding.check == at


@pytest.mark.parametrize("build", ["compiled", "plain Python"])
def test_whether_bourre_is_compiled_is_told(build: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "name_build", lambda: build)
    (told,) = [finding.told for finding in host.host_findings(tmp_path) if finding.check == "bourre"]
    assert told == f"{version('bourre')}, {build}"


def test_a_machine_without_grpc_or_a_place_for_runs_is_told_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "grpc", None)
    monkeypatch.setattr(host, "try_database", raising(StoreError("the disk locks nothing")))
    missing = [finding for finding in host.host_findings(tmp_path) if not finding.ok]
    assert [(finding.check, finding.needed) for finding in missing] == [("grpc", True), ("database", True)]
    assert (missing[0].mend, missing[1].told) == (install_command("referee"), "the disk locks nothing")
    assert missing[1].mend.startswith("run it from a writable folder on a local disk")


def test_a_disk_that_keeps_no_log_beside_a_database_is_no_place_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What SQLite returns there, without an error."""
    monkeypatch.setattr(
        bourre_referee.storage.database.sqlite_connection, "_write_and_read", lambda path: ("delete", 7)
    )
    with pytest.raises(StoreError, match=r"a database there has the journal 'delete' instead of 'wal'$"):
        try_database(tmp_path)


HELD = AttackTrial("network", Level.BWRAP, Judgement.HELD, "interfaces: []")
OPEN = AttackTrial("peek_files", Level.NONE, Judgement.OPEN, "found run.db, \x1b[2J")
BROKEN = AttackTrial("peek_files", Level.BWRAP, Judgement.BROKEN, "the log has 'FOUND'")
UNTRIED = AttackTrial("network", Level.CONTAINER, Judgement.UNKNOWN, "no time was left for it")


@pytest.fixture
def attacked(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Replaces the attacks by ones that end like this."""

    def attack(*trials: AttackTrial | BaseException) -> None:
        def try_all(_: object) -> Iterator[AttackTrial]:
            for each in trials:
                if isinstance(each, BaseException):
                    raise each
                yield each

        monkeypatch.setattr("bourre_referee.diagnostics.attacks.trial.try_all", try_all)
        absent = {Level.CONTAINER: "no engine is installed"}
        monkeypatch.setattr("bourre_referee.diagnostics.attacks.attack_report.levels_here", lambda _: ((), absent))

    return attack


def test_attacks_are_told_one_after_the_other_with_what_they_tried(attacked: Callable[..., None]) -> None:
    attacked(HELD, OPEN)
    ended = called("doctor", "--attack")
    assert ended.code == 0
    assert ended.out.splitlines() == [
        "network: Looks for a way to the outside network, and opens a port for anyone outside.",
        "  held     bwrap      interfaces: []",
        "peek_files: Looks for the run's database and logs, the programs of its neighbours, and their sockets.",
        "  open     none       found run.db, \\x1b[2J",
        "",
        "level container is not available here: no engine is installed",
        "1 held, 1 open: every level kept its promises",
    ]


@pytest.mark.parametrize("trials", [(HELD, BROKEN), (OPEN, UNTRIED), ()])
def test_what_succeeded_or_was_not_tried_is_a_failure(
    attacked: Callable[..., None], trials: tuple[AttackTrial, ...]
) -> None:
    attacked(*trials)
    assert called("doctor", "--attack").code == 1
    ended = called("doctor", "--attack", "--json")
    document = json.loads(ended.out)
    assert (ended.code, document["sound"]) == (1, False)
    assert [each["judgement"] for each in document["attacks"]] == [trial.judgement for trial in trials]
    assert document["absent"] == {"container": "no engine is installed"}


def test_an_interruption_of_the_attacks_is_told(attacked: Callable[..., None]) -> None:
    attacked(HELD, KeyboardInterrupt())
    ended = called("doctor", "--attack")
    assert (ended.code, ended.err) == (130, "bourre: Interrupted. Only the attacks above were tried.\n")
    assert ended.out.endswith("interfaces: []\n")


def test_every_attack_says_what_it_tries() -> None:
    assert all(aim_of(name).endswith(".") for name in names())
