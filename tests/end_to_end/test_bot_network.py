"""Boxes with a network: a bot reaches what it was given, and nothing else, however it tries; the others stay closed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from bourre_referee.model.network import Network, parse_destination
from bourre_referee.model.spec import BotEntry, Isolation, Level, OwnIsolation, PlacedRoom
from tests.end_to_end.boxes import SMALL
from tests.end_to_end.rooms import BOTS, faults_of, played, room_with
from tests.referee.command import called

BOXED = Isolation(Level.BWRAP, SMALL)
PRINTS = "import os\nkey = os.environ.get('EXAMPLE_KEY', '')\nprint(len(key), key)\n"
NOTES = """
class Keyed(Bot):
    def declare(self, view):
        self.note(f"my key is {key}")
        return True

run(Keyed)
"""
NAMES = ("tested", "honest1", "honest2")


class Hello(BaseHTTPRequestHandler):
    """Says hello, and to whom."""

    def do_GET(self) -> None:
        body = f"hello to {self.path} with {self.headers['Proxy-Authorization']}".encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing."""


@contextmanager
def server() -> Iterator[str]:
    """A web server on loopback; its `host:port`."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Hello) as serving:
        thread = Thread(target=serving.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{serving.server_port}"
        finally:
            serving.shutdown()
            thread.join()


def escaper(name: str, ways: Sequence[tuple[str, str]], *network: str) -> BotEntry:
    """A bot that tries these ways, with this network."""
    command = (sys.executable, "escaper.py", json.dumps(ways))
    given = Network(tuple(map(parse_destination, network))) if network else None
    return BotEntry(name, command, BOTS, ("escaper.py",), network=given)


def room_of(logs: Path, *entries: BotEntry) -> PlacedRoom:
    """A room of boxes: these bots first, then honest ones."""
    spec = room_with("honest", logs)
    honest = [BotEntry(name, (sys.executable, "honest.py"), BOTS, ("honest.py",)) for name in NAMES[len(entries) :]]
    return replace(spec, entries=(*entries, *honest), isolation=BOXED)


def told_by(logs: Path, bot: str) -> tuple[dict[str, str], list[str]]:
    """What a bot found, and the referee's notes in its log."""
    *notes, found = sorted((logs / bot / "m0001.log").read_text().splitlines())
    told: dict[str, str] = json.loads(found)
    return told, notes


def test_a_bot_reaches_what_it_was_given_and_nothing_else(tmp_path: Path) -> None:
    with server() as given, server() as other:
        port, unlisted = given.rpartition(":")[2], other.rpartition(":")[2]
        ways = [
            ("fetch", f"http://{given}/page"),
            ("tunnel", given),
            ("tunnel", other),
            ("tunnel", f"localhost:{port}"),
            ("tunnel", f"2130706433:{port}"),
            ("tunnel", f"[::ffff:127.0.0.1]:{port}"),
            ("fetch", f"http://{other}/page"),
            ("direct", given),
            ("direct", f"127.0.0.1:{unlisted}"),
            ("direct", "192.0.2.1:9"),
            ("unix", "/run/referee.sock/../other.sock"),
            ("list", "/run"),
        ]
        (outcome,) = played(room_of(tmp_path, escaper("tested", ways, given), escaper("honest1", ways)), guests={})
    assert outcome.faults == ()
    told, notes = told_by(tmp_path, "tested")
    assert told[f"fetch http://{given}/page"] == "hello to /page with None"
    assert told[f"tunnel {given}"] == "hello to / with None"
    refused = f"is not in this bot's network: {given}"
    for place in (other, f"localhost:{port}", f"2130706433:{port}", f"[::ffff:7f00:1]:{port}"):
        assert f"[bourre] network: {place} {refused}" in notes
    assert told[f"tunnel {other}"] == f"HTTP/1.1 403 Forbidden bourre: {other} {refused}"
    assert told[f"fetch http://{other}/page"] == f"403 bourre: {other} {refused}"
    assert told["list /run"] == "network.sock referee.sock"
    assert len(notes) == len(set(notes)) == 4
    closed, _ = told_by(tmp_path, "honest1")
    for way, how in told.items():
        if way.startswith(("direct", "unix")):
            assert how.startswith("no way"), way
        assert closed[way].startswith("no way") or way == "list /run"
    assert closed["list /run"] == "referee.sock"


def test_with_any_public_address_no_other_is_reached(tmp_path: Path) -> None:
    with server() as other:
        port = other.rpartition(":")[2]
        places = [f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254")]
        ways = [("tunnel", place) for place in [*places, f"10.0.0.1:{port}", f"[::ffff:127.0.0.1]:{port}"]]
        anywhere = replace(escaper("tested", ways), network=Network())
        played(room_of(tmp_path, anywhere), guests={})
    told, _ = told_by(tmp_path, "tested")
    for way, how in told.items():
        assert how.startswith(("HTTP/1.1 403", "HTTP/1.1 502")), way
    assert "leads to an address that is not public" in told[f"tunnel {places[0]}"]


def test_one_bot_without_a_box_does_not_open_the_others(tmp_path: Path) -> None:
    ways = [("list", "/run"), ("direct", "192.0.2.1:9")]
    plain = replace(escaper("tested", [("variable", "BOURRE_ADDRESS")]), isolation=OwnIsolation(Level.NONE))
    (outcome,) = played(room_of(tmp_path, plain, escaper("honest1", ways)), guests={})
    assert (outcome.isolation, faults_of(outcome, "tested")) == (Level.BWRAP, {})
    told, _ = told_by(tmp_path, "tested")
    assert "/bourre-" in told["variable BOURRE_ADDRESS"], "it ran in a box"
    closed, _ = told_by(tmp_path, "honest1")
    assert closed["list /run"] == "referee.sock"


@pytest.mark.parametrize("level", [pytest.param("none", marks=pytest.mark.long), "bwrap"])
def test_a_variable_reaches_its_bot_and_nothing_that_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    secret = "open-sesame-" + "x" * 20
    monkeypatch.setenv("EXAMPLE_KEY", secret)
    source = (BOTS / "honest.py").read_text()
    (tmp_path / "keyed.py").write_text(f"{PRINTS}{source.replace('run(Bot)', NOTES)}")
    bots = "".join(f'[[bots]]\nname = "{name}"\ncommand = ["python", "keyed.py"]\n' for name in ("ada", "bob"))
    (tmp_path / "contest.toml").write_text(
        '[contest]\nname = "keys"\nseed = 7\n[table]\nseats = 2\ndeals = 2\n[schedule]\nrounds = 1\n'
        f'[isolation]\nlevel = "{level}"\n[clock]\nstart_ms = 60000\n{bots}environment = ["EXAMPLE_KEY"]\n'
    )
    out = tmp_path / "run"
    done = called("run", tmp_path / "contest.toml", "--out", out)
    assert done.code == 0, done.err
    logs = {bot: (out / "logs" / bot / "m0001.log").read_text() for bot in ("ada", "bob")}
    assert logs == {"ada": "0 \n", "bob": f"{len(secret)} ***\n"}
    assert '"EXAMPLE_KEY"' in (out / "manifest.json").read_text()
    assert "my key is ***" in called("replay", out, "m0001").out
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    assert secret.encode() not in written + (done.out + done.err).encode()
    monkeypatch.delenv("EXAMPLE_KEY")
    again = called("run", tmp_path / "contest.toml", "--out", tmp_path / "again")
    assert (again.code, (tmp_path / "again" / "run.db").exists()) == (2, False)
    assert "[[bots]] bob: environment: the variable 'EXAMPLE_KEY' is not set" in again.err
