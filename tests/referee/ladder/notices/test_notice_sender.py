"""How notices are sent: to a webhook or by mail, again if a server fails, and never in the way of the referee."""

from __future__ import annotations

import json
import socket
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from socketserver import StreamRequestHandler, ThreadingTCPServer
from threading import Event, Thread

import pytest

from bourre_referee.ladder.notices import webhook
from bourre_referee.ladder.notices.contacts import Contact, read_contacts, set_contact
from bourre_referee.ladder.notices.notice_sender import MOST_WAITING, THREADS, MailServer, NoticeSender
from bourre_referee.ladder.notices.owner_notices import OwnerNotice
from bourre_referee.model.errors import ContestError
from tests.referee.ladder.host.ladder_folders import NOW

NOTICE = OwnerNotice(1, NOW, "ada.2", "Ann", "suspended", "it made “faults”\r\nBcc: all@example.org")


class Hook(ThreadingHTTPServer):
    """A webhook that answers with these codes, one after another."""

    daemon_threads = True

    def __init__(self, *codes: int) -> None:
        super().__init__(("127.0.0.1", 0), _HookHandler)
        self.codes = [*codes]
        self.got: Queue[tuple[str, bytes]] = Queue()
        self.held = Event()
        self.held.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/hook?secret=1"


class _HookHandler(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.put((self.path, body))
        self.server.held.wait()
        self.send_response(self.server.codes.pop(0) if self.server.codes else 204)
        self.send_header("Location", f"http://127.0.0.1:{self.server.server_address[1]}/elsewhere")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None: ...


class _MailHandler(StreamRequestHandler):
    """The little of SMTP that a message needs."""

    def handle(self) -> None:
        self.wfile.write(b"220 ready\r\n")
        in_data, message = False, b""
        for line in self.rfile:
            if in_data and line != b".\r\n":
                message += line
                continue
            if in_data:
                assert isinstance(self.server, MailBox)
                self.server.got.put(message)
            in_data = line.strip().upper() == b"DATA"
            self.wfile.write(b"354 go on\r\n" if in_data else b"250 ok\r\n")


class MailBox(ThreadingTCPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _MailHandler)
        self.got: Queue[bytes] = Queue()


@contextmanager
def served(server: Hook | MailBox) -> Iterator[None]:
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class Told(Queue[str]):
    """What the host is told."""


@contextmanager
def sending(path: Path, told: Told, mail: MailServer | None = None) -> Iterator[NoticeSender]:
    sender = NoticeSender("class", path, mail, told.put, pauses_s=(0.0, 0.0))
    try:
        yield sender
    finally:
        sender.end()


def test_a_webhook_gets_the_notice_again_until_it_takes_it(tmp_path: Path) -> None:
    hook, contacts = Hook(500, 429, 204), tmp_path / "contacts.json"
    set_contact(contacts, "Ann", Contact(webhook=hook.url, internal=True))
    with served(hook), sending(contacts, Told()) as sender:
        sender.send(NOTICE)
        path, body = [hook.got.get(timeout=30) for _ in range(3)][-1]
    assert path == "/hook?secret=1"
    document = json.loads(body)
    assert {key: document[key] for key in ("ladder", "bot", "owner", "happened", "at")} == {
        "ladder": "class",
        "bot": "ada.2",
        "owner": "Ann",
        "happened": "suspended",
        "at": "2026-11-23T04:30:00Z",
    }


@pytest.mark.parametrize(("code", "tries"), [(302, 1), (410, 1), (503, 3)])
def test_what_is_not_taken_is_told_to_the_host_without_the_secret(code: int, tries: int, tmp_path: Path) -> None:
    hook, contacts, told = Hook(*[code] * 3), tmp_path / "contacts.json", Told()
    set_contact(contacts, "Ann", Contact(webhook=hook.url, internal=True))
    with served(hook), sending(contacts, told) as sender:
        sender.send(NOTICE)
        said = told.get(timeout=30)
        paths = [hook.got.get_nowait()[0] for _ in range(hook.got.qsize())]
    assert said == f"the webhook of Ann did not get a notice about ada.2: 127.0.0.1 answers {code}"
    assert paths == ["/hook?secret=1"] * tries


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1", "[::ffff:127.0.0.1]", "0.0.0.0"]
)
def test_a_webhook_in_a_private_network_is_not_called(host: str, tmp_path: Path) -> None:
    hook, contacts, told = Hook(), tmp_path / "contacts.json", Told()
    set_contact(contacts, "Ann", Contact(webhook=f"http://{host}:{hook.server_address[1]}/"))
    with served(hook), sending(contacts, told) as sender:
        sender.send(NOTICE)
        assert "is in a private network, which needs --internal" in told.get(timeout=30)
    assert hook.got.empty()


def test_a_hook_that_hangs_takes_no_time_of_the_referee(tmp_path: Path) -> None:
    hook, contacts, told = Hook(), tmp_path / "contacts.json", Told()
    set_contact(contacts, "Ann", Contact(webhook=hook.url, internal=True))
    hook.held.clear()
    with served(hook), sending(contacts, told) as sender:
        for _ in range(THREADS):
            sender.send(NOTICE)
        for _ in range(THREADS):
            hook.got.get(timeout=30)
        for _ in range(MOST_WAITING + 1):  # returns at once, though nobody takes any
            sender.send(NOTICE)
        assert told.get_nowait().startswith("too many notices wait to be sent: Ann finds this one only in the feed")
        hook.held.set()


def test_a_server_that_drips_is_hung_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhook, "DEADLINE_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        with pytest.raises(webhook.NotDelivered) as failed:
            webhook.post(f"http://127.0.0.1:{silent.getsockname()[1]}/", b"{}", internal=True)
        assert failed.value.again


def test_mail_has_one_reader_and_no_header_of_a_stranger(tmp_path: Path) -> None:
    box, contacts = MailBox(), tmp_path / "contacts.json"
    set_contact(contacts, "Ann", Contact(mail="ann@example.org"))
    mail = MailServer("127.0.0.1", box.server_address[1], "ladder@example.org")
    with served(box), sending(contacts, Told(), mail) as sender:
        sender.send(NOTICE)
        message = box.got.get(timeout=30).decode()
    head, _, text = message.partition("\r\n\r\n")
    assert "To: ann@example.org" in head
    assert "Subject: class: ada.2 suspended" in head
    assert "Bcc" not in head
    assert text


def test_only_the_host_reads_contacts_and_odd_addresses_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "contacts.json"
    set_contact(path, "Ann", Contact(mail="ann@example.org"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    for wrong in (
        "file:///etc/passwd",
        "http://user:pass@host/",
        "https://",
        "http://host/\r\nX: y",
        "http://host:0/",
        "x",
    ):
        with pytest.raises(ContestError, match="webhook"):
            set_contact(path, "Bob", Contact(webhook=wrong))
    for wrong in ("ann", "ann@example.org\nBcc: x@y", "a b@c", "<a@b>"):
        with pytest.raises(ContestError, match="is not a mail address"):
            set_contact(path, "Bob", Contact(mail=wrong))
    assert read_contacts(path).keys() == {"Ann"}
    set_contact(path, "Ann", Contact())
    assert read_contacts(path) == {}
