"""The server: headers of every answer, allowed hosts, and errors when the run cannot be read."""

from __future__ import annotations

import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bourre_referee.storage.database import sqlite_connection as connection
from bourre_referee.web import server
from bourre_referee.web.http_guard import HEADERS, host_name
from tests.referee.command import Bourre
from tests.referee.web.serving import Served, cookie, serving, void_match

PAGES = (
    *(
        "/",
        "/cross",
        "/conduct",
        "/models",
        "/checked",
        "/matches",
        "/matches?bot=2&with=reneges",
        "/matches/m0001",
        "/bots/3",
    ),
    *("/matches/m0001/deals/2", "/api", "/static/style.css", "/static/viewer.js"),
)
DATA = ("/api/standings", "/openapi.json")


@pytest.mark.parametrize("path", [*PAGES, *DATA])
def test_every_answer_has_its_headers_and_head_has_no_body(served: Served, path: str) -> None:
    whole = served.client.get(path)
    assert whole.status_code == 200
    assert {name: whole.headers[name] for name in HEADERS} == HEADERS
    head = served.client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == whole.headers["content-type"]


@pytest.mark.parametrize("path", ["/", "/matches/m0001", "/api/standings", "/bots/1", "/static/htmx.min.js"])
def test_a_known_answer_is_not_sent_again(served: Served, path: str) -> None:
    tag = served.client.get(path).headers["etag"]
    again = served.client.get(path, headers={"If-None-Match": f'"other", {tag}'})
    assert (again.status_code, again.content) == (304, b"")
    assert served.client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_pages_are_compressed_for_clients_that_accept_it(served: Served) -> None:
    assert served.client.get("/").headers["content-encoding"] == "gzip"
    assert "content-encoding" not in served.client.get("/", headers={"Accept-Encoding": "identity"}).headers


@pytest.mark.parametrize(
    "path", ["/nothing", "/matches/m9999", "/matches/m0001/deals/5", "/bots/6", "/static/none.css"]
)
def test_a_missing_page_is_reported_as_a_page(served: Served, path: str) -> None:
    answer = served.client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "<h1>Not Found</h1>" in answer.text
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *(("/matches?page=x", "page"), ("/matches?colour=red", "colour"), ("/matches/1", "match")),
        *(("/bots/none", "number"), ("/matches?page=0", "page")),
    ],
)
def test_an_invalid_query_is_reported_as_a_page(served: Served, path: str, name: str) -> None:
    answer = served.client.get(path)
    assert answer.status_code == 400
    assert "<h1>Bad Request</h1>" in answer.text
    assert f"<p>{name}: " in answer.text


@pytest.mark.parametrize("path", ["/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "//etc/passwd"])
def test_no_address_leads_to_the_disk(served: Served, path: str) -> None:
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert raw(served, request).startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
@pytest.mark.parametrize("path", ["/", "/api/run", "/live"])
def test_nothing_can_be_changed(served: Served, method: str, path: str) -> None:
    answer = served.client.request(method, path)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")


STRANGE_HOSTS = (
    *("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "[::1", "::1", "localhost:"),
    *("localhost:123456", "me@localhost", "localhost/x", "localhost:80/x?", "localhost:80#", "[::1]x", "[::1%25x]"),
    "\u0131ocalhost",
)


@pytest.mark.parametrize("host", STRANGE_HOSTS)
def test_an_unknown_host_name_is_refused(served: Served, host: str) -> None:
    answer = raw(served, f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 421 ")
    assert b"--allow-host" in answer


def test_addresses_and_allowed_names_are_answered(finished: Path) -> None:
    hosts = ("localhost:8000", "LOCALHOST", "127.0.0.1", "[::1]:8000", "192.0.2.7", "bourre.test")
    with serving(finished, names=("Bourre.test",)) as it:
        assert {it.client.get("/api", headers={"Host": host}).status_code for host in hosts} == {200}


def test_the_port_of_a_host_is_ignored() -> None:
    hosts = ("A.b:80", "[::1]:80", "[::1]", "a.", "", "a:80/b")
    assert [host_name(host) for host in hosts] == ["a.b", "::1", "::1", "a", "", ""]


def test_a_voided_match_disappears_from_every_page(folder: Path) -> None:
    with serving(folder) as it:
        before = it.client.get("/")
        assert "All 10 matches are finished" in before.text
        void_match(folder, "m0004")
        after = it.client.get("/", headers={"If-None-Match": before.headers["etag"]})
        assert after.status_code == 200
        assert "9 of 10 matches finished" in after.text
        assert it.client.get("/matches/m0004").status_code == 404


def test_a_missing_folder_is_reported_until_it_is_back(folder: Path) -> None:
    with serving(folder) as it:
        it.text("/")
        away = folder.rename(folder.with_name("away"))
        for path, kind in (("/", "text/html; charset=utf-8"), ("/api/run", "application/problem+json")):
            answer = it.client.get(path)
            assert (answer.status_code, answer.headers["content-type"]) == (503, kind)
            assert "No folder" in answer.text
            assert str(folder.parent) not in answer.text
        away.rename(folder)
        assert "All 10 matches are finished" in it.text("/")


def test_damage_is_reported_without_a_path_and_repaired_without_a_restart(folder: Path) -> None:
    no_database = b"no database at all, but longer than a header " * 9
    with serving(folder) as it:
        for name, content in (("run.db", no_database), ("manifest.json", b"{}"), ("manifest.json", b"\xff\x00")):
            sound = (folder / name).read_bytes()
            (folder / name).write_bytes(content)
            answer = it.client.get("/")
            assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
            assert "Restore it from a backup" in answer.text
            assert str(folder.parent) not in answer.text
            (folder / name).write_bytes(sound)
            assert it.client.get("/").status_code == 200


def test_a_changed_record_is_reported_only_on_the_pages_of_its_match(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "run.db")) as database, database:
        database.execute("UPDATE match SET record = x'00' WHERE match = 'm0002'")
    with serving(folder) as it:
        for path in ("/matches/m0002", "/matches/m0002/deals/1", "/api/matches/m0002/record"):
            answer = it.client.get(path)
            assert answer.status_code == 503
            assert "the record of m0002 is damaged" in answer.text
        assert it.client.get("/matches/m0001").status_code == 200
        assert it.client.get("/bots/1").status_code == 200


def test_a_database_locked_by_another_program_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "WAIT_S", 0.0)
    with serving(folder) as it:
        with closing(sqlite3.connect(folder / "run.db", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            answer = it.client.get("/")
            assert answer.status_code == 503
            assert "Close the other program" in answer.text
        assert it.client.get("/").status_code == 200


def test_a_server_failure_reveals_no_internals(finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> str:
        raise RuntimeError("an inner secret")

    monkeypatch.setattr("bourre_referee.web.render.Pages.cross", fail)
    with serving(finished) as it:
        answer = it.client.get("/cross")
        assert answer.status_code == 500
        assert "<h1>Internal Server Error</h1>" in answer.text
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text


def test_a_folder_without_a_run_is_not_served(bourre: Bourre, finished: Path, tmp_path: Path) -> None:
    exported = tmp_path / "exported"
    bourre("export", finished, "--format", "jsonl", "--out", exported)
    (tmp_path / "empty").mkdir()
    for folder, message in (
        (tmp_path / "none", f"No folder '{tmp_path / 'none'}'."),
        (tmp_path / "empty", f"'{tmp_path / 'empty'}' is not a results folder, because it has no manifest.json."),
        (exported, f"{exported} is an export"),
    ):
        done = bourre("view", folder)
        assert (done.code, done.out) == (2, "")
        assert f"bourre: {message}" in done.err


def test_an_unusable_port_or_host_is_reported_with_a_hint(bourre: Bourre, finished: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = bourre("view", finished, "--port", port)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"bourre: Cannot listen on port {port} of 127.0.0.1 (Address already in use")
    assert "--port" in done.err
    assert bourre("view", finished, "--host", "192.0.2.1").code == 2
    assert bourre("view", finished, "--host", "no such host").code == 2


def test_bad_owner_keys_are_refused(bourre: Bourre, finished: Path, tmp_path: Path) -> None:
    assert bourre("view", finished, "--renew-key", "ada").code == 2
    bad = tmp_path / "short"
    bad.write_bytes(b"short")
    done = bourre("view", finished, "--owner-keys", bad)
    assert done.code == 2
    assert "remove it to get a new secret" in done.err
    done = bourre("view", finished, "--owner-keys", tmp_path / "keys", "--renew-key", "nobody")
    assert done.code == 2
    assert "Unknown bot 'nobody'. Bots: ada" in done.err


def test_the_command_prints_the_key_of_each_owner_and_keeps_all_but_renewed_ones(
    bourre: Bourre, finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "serve", lambda _, listener, *__: listener.close())
    words = ("view", finished, "--port", 0, "--owner-keys", tmp_path / "keys", "--renew-key", "ada")
    told: list[dict[str, str]] = []
    for _ in range(2):
        done = bourre(*words)
        assert (done.code, done.out) == (0, "")
        first, second, *keys, last = done.err.splitlines()
        assert last == "bourre: Stopped."
        assert second == f"bourre: Owners log in at {first.split()[4]}owner"
        told.append(dict(line.removeprefix("bourre: key of ").split(": ") for line in keys))
    assert len(told[0]) == 5
    assert {bot for bot in told[0] if told[0][bot] != told[1][bot]} == {"ada"}
    assert told[1] == {**told[0], "ada": told[1]["ada"]}


@pytest.mark.parametrize(
    ("number", "code", "last"),
    [pytest.param(signal.SIGINT, 130, "", marks=pytest.mark.long), (signal.SIGTERM, 0, "bourre: Stopped.\n")],
)
def test_the_command_serves_until_a_signal(
    finished: Path, tmp_path: Path, number: signal.Signals, code: int, last: str
) -> None:
    words = [sys.executable, "-m", "bourre_referee", "view", str(finished), "--port", "0"]
    words += ["--owner-keys", str(tmp_path / "keys"), "--log-requests"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        url = process.stderr.readline().split()[4]
        lines = [process.stderr.readline() for _ in range(6)]
        key = lines[1].rpartition(": ")[2].strip()
        with httpx.stream("GET", f"{url}live", trust_env=False, timeout=60) as live:
            assert live.status_code == 200
            assert "printed" in httpx.get(f"{url}owner", headers=cookie(key), timeout=60).text
            process.send_signal(number)
            assert live.read().endswith(b"\n\n")  # ended properly, not cut off
        assert process.wait(60) == code
        said = process.stderr.read()
        assert said.endswith(last)
        requests = [line.split(" UTC bourre: ")[1] for line in said.removesuffix(last).splitlines()]
        assert sorted(line.split(" ", 1)[1] for line in requests) == ["GET /live 200", "GET /owner 200"]


def raw(served: Served, request: str) -> bytes:
    """Returns the answer to a request that no client library has normalised."""
    _, _, port = served.url.rstrip("/").rpartition(":")
    with socket.create_connection(("127.0.0.1", int(port)), timeout=60) as sock:
        sock.sendall(request.encode())
        return b"".join(iter(lambda: sock.recv(65536), b""))
