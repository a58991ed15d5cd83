"""The web server of one seat's page. It serves only this machine, with a key in the address."""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from socketserver import BaseServer
from threading import Thread
from typing import Any, TypeVar
from urllib.parse import parse_qs

from bourre.connection.local_server import LocalRequest, LocalServer
from bourre_seats.card_pictures import suit_symbols
from bourre_seats.card_table import MODULES, STYLE
from bourre_seats.question_queue.question import AnswerError
from bourre_seats.seat.hints import give_hint
from bourre_seats.seat.page_data import error_json, hint_json, news_json
from bourre_seats.seat.sitting import Sitting

LOOPBACK = "127.0.0.1"
POLL_SECONDS = 20.0
"""How long a page waits for news before its next request."""
MOST_BYTES = 4096
"""The longest readable answer."""
IDLE_SECONDS = 60.0
"""The longest silence of a connection."""
PAGE = Path(__file__).parent / "page"
KINDS = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}
SCRIPTS = tuple(
    PAGE / name for name in ("seat.js", "keys.js", "interlude.js", "ending.js", "verdict.js", "bars.js", "glyphs.js")
)
FILES = {"": PAGE / "seat.html"} | {file.name: file for file in (PAGE / "seat.css", *SCRIPTS, STYLE, *MODULES)}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
REPLAY_HEADERS = HEADERS | {"Content-Security-Policy": "sandbox allow-scripts allow-downloads; frame-ancestors 'none'"}
"""For the replay, whose own policy names its style and its script. The sandbox keeps it from the seat."""
NO_KEY = "This is not the address of the seat: open the one that the program printed, with its key."
BODIES = {"answer": '{"question": 3, "answer": "KH"}', "wish": '{"wish": "new"}'}
T = TypeVar("T")


class PageServer:
    """Serves the page of a seat in threads. The seat itself is in an event loop."""

    def __init__(self, sitting: Sitting, key: str = "") -> None:
        """Calls it in the running loop; `key` is random unless a test gives one."""
        self.sitting = sitting
        self.key = key or secrets.token_urlsafe(24)
        self.hosts: tuple[str, ...] = ()
        """The allowed values of `Host`, so that no foreign name can lead here."""
        self.told_end = asyncio.Event()
        """Set after a page has got the end of the game."""
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def serve(self, *ports: int) -> Iterator[str]:
        """Serves at the first free port, any free one for 0; yields the address. Raises OSError if none is free."""
        with self._listen(ports) as server:
            taken = server.server_address[1]
            self.hosts = (f"{LOOPBACK}:{taken}", f"localhost:{taken}")
            thread = Thread(target=server.serve_forever, args=(0.1,), name="bourre page", daemon=True)
            thread.start()
            try:
                yield f"http://{LOOPBACK}:{taken}/{self.key}/"
            finally:
                server.shutdown()
                thread.join()

    def _listen(self, ports: Sequence[int]) -> LocalServer:
        *preferred, last = ports
        for port in preferred:
            try:
                return LocalServer((LOOPBACK, port), partial(_Handler, self))
            except OSError:
                continue  # another seat has it
        return LocalServer((LOOPBACK, last), partial(_Handler, self))

    def call(self, work: Awaitable[T]) -> T:
        """Runs this in the seat's event loop, and waits for its result."""

        async def run() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(run(), self._loop).result()

    async def news(self, version: int, after: int) -> tuple[bytes, bool]:
        """Returns the news, and whether the game is over. Without news, it waits for some."""
        await self.sitting.wait(version, POLL_SECONDS)
        return news_json(self.sitting, after), self.sitting.over

    def has_sent_end(self) -> None:
        """Notes that a page has got the end of the game. Any thread may call it."""
        self._loop.call_soon_threadsafe(self.told_end.set)

    async def answer(self, number: int, text: str) -> None:
        """Takes the answer to a question; raises AnswerError."""
        self.sitting.desk.answer(number, text)

    async def take_back(self) -> None:
        """Takes the last answer back; raises AnswerError if that is not allowed."""
        self.sitting.take_back()

    async def wish(self, word: str) -> None:
        """Takes what the person wishes for after a game; raises AnswerError if that is not offered."""
        self.sitting.interlude.wish(word)

    async def replay(self) -> str:
        """Returns the page that replays the last game; raises AnswerError while a game goes on."""
        if not self.sitting.interlude.replay:
            raise AnswerError("There is nothing to replay now: finish the game or the puzzle first.")
        return self.sitting.interlude.replay

    async def hint(self, number: int) -> bytes:
        """Returns a hint for a question; raises AnswerError if it is not open."""
        question = self.sitting.question
        if question is None or question.number != number:
            raise AnswerError("That question is not open any more.")
        return hint_json(await asyncio.to_thread(give_hint, question.view))


class _Handler(LocalRequest):
    timeout = IDLE_SECONDS

    def __init__(self, page: PageServer, request: Any, client_address: Any, server: BaseServer) -> None:
        self._page = page
        super().__init__(request, client_address, server)

    def do_GET(self) -> None:
        """Sends the page, one of its files, news, a hint, or the replay."""
        name, query = self._path()
        try:
            if name in FILES:
                self._send_file(FILES[name])
            elif name == "news":
                version, after = (int(query.get(key, ["-1"])[0]) for key in ("version", "after"))
                self._send_news(version, after)
            elif name == "hint":
                self._send(HTTPStatus.OK, self._page.call(self._page.hint(int(query.get("question", ["0"])[0]))))
            elif name == "replay":
                page = self._page.call(self._page.replay())
                self._send(HTTPStatus.OK, page.encode(), KINDS[".html"], REPLAY_HEADERS)
            else:
                self._refuse(HTTPStatus.FORBIDDEN if name is None else HTTPStatus.NOT_FOUND, NO_KEY)
        except ValueError as error:
            self._refuse(HTTPStatus.BAD_REQUEST, f"Numbers are expected in the address: {error}.")
        except AnswerError as error:
            self._refuse(HTTPStatus.CONFLICT, str(error))

    def _send_news(self, version: int, after: int) -> None:
        body, is_last = self._page.call(self._page.news(version, after))
        self._send(HTTPStatus.OK, body)
        if is_last:
            self._page.has_sent_end()

    def do_POST(self) -> None:
        """Takes an answer, `{"question": 3, "answer": "KH"}`, takes the last one back, or takes a wish."""
        name, _ = self._path()
        if name not in ("answer", "back", "wish"):
            self._refuse(HTTPStatus.FORBIDDEN if name is None else HTTPStatus.NOT_FOUND, NO_KEY)
        elif (body := self.read_body(MOST_BYTES)) is None:
            self._refuse(HTTPStatus.BAD_REQUEST, f"An answer has at most {MOST_BYTES} bytes.")
        elif name == "back":
            self._do(self._page.take_back())
        else:
            self._take(name, body)

    def _take(self, name: str, body: bytes) -> None:
        try:
            said = json.loads(body)
        except (ValueError, RecursionError):
            said = None
        match said:
            case {"question": int(number), "answer": str(text)} if name == "answer":
                self._do(self._page.answer(number, text))
            case {"wish": str(word)} if name == "wish":
                self._do(self._page.wish(word))
            case _:
                self._refuse(HTTPStatus.BAD_REQUEST, f"It must look like {BODIES[name]}.")

    def _do(self, wish: Awaitable[None]) -> None:
        """Runs the person's request, or sends the reason of its refusal."""
        try:
            self._page.call(wish)
        except AnswerError as error:
            self._refuse(HTTPStatus.CONFLICT, str(error))
            return
        self._send(HTTPStatus.OK, b"{}")

    def _path(self) -> tuple[str | None, dict[str, list[str]]]:
        """Returns the path after the key and its arguments; None without the key or for a foreign name."""
        path, _, query = self.path.partition("?")  # urlsplit raises for some paths
        key, slash, name = path.removeprefix("/").partition("/")
        knows = hmac.compare_digest(key.encode(), self._page.key.encode()) and slash
        known = self.headers.get("Host", "") in self._page.hosts
        return (name if knows and known else None), parse_qs(query)

    def _send_file(self, file: Path) -> None:
        text = file.read_text(encoding="utf-8").replace("<!-- suits -->", suit_symbols())
        self._send(HTTPStatus.OK, text.encode(), KINDS[file.suffix])

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        self.close_connection = True  # the rest of the request stays unread
        self._send(status, error_json(why))

    def _send(
        self,
        status: HTTPStatus,
        body: bytes,
        kind: str = "application/json",
        headers: Mapping[str, str] = HEADERS,
    ) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        """Names no software and no version."""
        return "bourre"
