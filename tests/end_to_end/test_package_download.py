"""Packages downloaded in a real sandbox, from an index on this machine, which may be slow, gone or hostile."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from bourre_referee.evaluation.packages.boxed_download import Download, DownloadLimits, download
from bourre_referee.evaluation.packages.environments import Environment, Installer
from bourre_referee.evaluation.packages.package_lock import BadPackages
from bourre_referee.evaluation.packages.packages_section import PackagesSection
from bourre_referee.model.errors import ContestError
from bourre_referee.model.spec import Level
from tests.referee.tiny_node_packages import NPM, locked_by_npm, write_package
from tests.referee.tiny_wheels import write_wheel

pytestmark = pytest.mark.timeout(120)


@dataclass
class Index:
    """An index of the wheels of a folder. It can answer with a redirection, or with one byte and then nothing."""

    wheels: Path
    redirection: str = ""
    is_slow: bool = False
    described: str = ""
    """What it says about a package of npm."""
    asked: list[str] = field(default_factory=list)
    over: Event = field(default_factory=Event)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        self.asked.append(request.path)
        if request.path.endswith("/"):
            links = "".join(f'<a href="/{wheel.name}">{wheel.name}</a>\n' for wheel in self.wheels.iterdir())
            self.send(request, links.encode(), "text/html")
        elif request.path == "/lucky":
            self.send(request, self.described.encode(), "application/json")
        elif self.redirection:
            request.send_response(302)
            request.send_header("Location", self.redirection + request.path)
            request.end_headers()
        else:
            self.send(request, (self.wheels / request.path[1:]).read_bytes(), "application/zip")

    def send(self, request: BaseHTTPRequestHandler, data: bytes, kind: str) -> None:
        request.send_response(200)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        if self.is_slow:
            request.wfile.write(data[:1])
            request.wfile.flush()
            self.over.wait()
        else:
            request.wfile.write(data)


@contextmanager
def serving(index: Index) -> Iterator[str]:
    """Serves an index on this machine, and yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            index.answer(self)

        def log_message(self, format: str, *args: object) -> None:
            """Keeps the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://localhost:{server.server_port}"
    finally:
        index.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def install(place: Path, address: str, line: str, minutes: float = 2) -> Environment | None:
    """Installs a lock of this line from an index at this address."""
    (place / "ada").mkdir()
    (place / "ada" / "requirements.txt").write_text(line)
    asked = PackagesSection(allow=True, index=f"{address}/simple", minutes=minutes)
    return Installer(asked, Level.BWRAP, place, place / "cache").install(place / "ada", "python")


def test_a_wheel_is_downloaded_from_the_index_of_the_plan(tmp_path: Path) -> None:
    line = write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7"})
    with serving(index := Index(tmp_path / "wheels")) as address:
        made = install(tmp_path, address, line)
    assert made
    assert made.venv
    assert [path.read_text() for path in made.venv.rglob("lucky.py")] == ["N = 7"]
    assert index.asked == ["/simple/lucky/", "/lucky-1.0-py3-none-any.whl"]


@NPM
def test_a_package_of_npm_is_downloaded_from_the_registry_of_the_plan(tmp_path: Path) -> None:
    integrity = write_package(tmp_path / "archives", tmp_path / "ran")
    index = Index(tmp_path / "archives")
    with serving(index) as address:
        dist = {"tarball": f"{address}/lucky-1.0.0.tgz", "integrity": integrity}
        version = {"name": "lucky", "version": "1.0.0", "dist": dist}
        index.described = json.dumps({"name": "lucky", "versions": {"1.0.0": version}})
        asked = PackagesSection(allow=True, registry=address)
        ada = locked_by_npm(tmp_path / "ada", integrity=integrity)
        made = Installer(asked, Level.BWRAP, tmp_path, tmp_path / "cache").install(ada, "node")
    assert made
    assert (ada / "node_modules" / "lucky" / "index.js").read_text() == "module.exports = 7"
    assert "/lucky-1.0.0.tgz" in index.asked
    assert not (tmp_path / "ran").exists()


def test_no_server_is_reached_that_the_plan_does_not_name(tmp_path: Path) -> None:
    ada = locked_by_npm(tmp_path / "ada", integrity=f"sha512-{'A' * 86}==")
    (ada / "requirements.txt").write_text(write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7"}))
    installer = Installer(PackagesSection(allow=True), Level.BWRAP, tmp_path, tmp_path / "cache")
    for program, missing in (("python", "index of wheels"), ("node", "registry of npm")):
        with pytest.raises(ContestError, match=rf"\[packages\] names no {missing}.\nhint: add "):
            installer.install(ada, program)


def test_an_index_that_trickles_costs_the_minutes_of_the_plan_and_no_mark(tmp_path: Path) -> None:
    line = write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7"})
    with (
        serving(Index(tmp_path / "wheels", is_slow=True)) as address,
        pytest.raises(ContestError, match=r"not downloaded within 0.02 minutes.\nhint: run again"),
    ):
        install(tmp_path, address, line, minutes=0.02)
    assert [*(tmp_path / "cache").iterdir()] == []


def test_an_index_that_is_gone_is_not_the_students_fault(tmp_path: Path) -> None:
    line = write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7"})
    with serving(Index(tmp_path / "wheels")) as address:
        pass
    with pytest.raises(ContestError, match="cannot be downloaded"):
        install(tmp_path, address, line)


def test_a_package_that_the_index_lacks_is(tmp_path: Path) -> None:
    line = write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7"})
    with (
        serving(Index(tmp_path / "wheels")) as address,
        pytest.raises(BadPackages, match=r"No matching distribution found for lukcy"),
    ):
        install(tmp_path, address, line.replace("lucky", "lukcy"))


def test_an_index_leads_to_no_other_server(tmp_path: Path) -> None:
    line = write_wheel(tmp_path / "wheels", "lucky", {"lucky.py": "N = 7"})
    with (
        serving(inner := Index(tmp_path / "wheels")) as inside,
        serving(Index(tmp_path / "wheels", inside)) as address,
        pytest.raises(ContestError, match="cannot be downloaded"),
    ):
        install(tmp_path, address, line)
    assert inner.asked == []


LOOKS = """
import os, socket, sys
for path in (sys.argv[1], "/root", "/home", "/etc/shadow"):
    print(path, os.path.exists(path))
print(sorted(os.listdir("/bot")), os.getuid(), "PATH" in os.environ, "SECRET" in os.environ)
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[2])))
except OSError as error:
    print("network", type(error).__name__)
raise SystemExit(1)
"""


def test_a_download_sees_nothing_but_its_own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "of the staff")
    (tmp_path / "grade.toml").touch()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "requirements.txt").touch()
    with serving(index := Index(tmp_path)) as address, tempfile.TemporaryFile() as archive:
        command = ("python", "-c", LOOKS, str(tmp_path / "grade.toml"), address.rpartition(":")[2])
        asked = Download(command, "wheels", (tmp_path / "mine" / "requirements.txt",))
        printed = download(asked, Level.BWRAP, DownloadLimits(60, 10), archive)
    assert printed is not None
    *paths, own, network, _ = printed.text.split("\n")
    assert len(paths) == 4
    assert all(path.endswith(" False") for path in paths), paths
    assert own == "['archiver.py', 'requirements.txt'] 65534 True False"
    assert network == "network ConnectionRefusedError"
    assert index.asked == []
