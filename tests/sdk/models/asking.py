"""Asks a bot made of a model for one decision, as the referee does, on a clock of the test's own; and its servers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread

from bourre.connection.bot_tables import Tables
from bourre.messages import Answer, Ask, Bundle, Seating, Welcome
from bourre.rules.view import View
from bourre.testing import view
from bourre_seats.models import ModelSettings, model_bot
from bourre_seats.models.chat import AnswerFormat, Completion, Message
from bourre_seats.models.model_bot import ModelBot, Timer
from bourre_seats.models.openai_chat import OpenAIChat
from bourre_seats.models.stand_in_player import StandInPlayer
from bourre_seats.models.stand_in_server import StandInOptions, StandInServer

DECISION_MS, BANK_MS = 60_000, 30_000
FREE_PLAY = view("play hand='AS KH 9C 4C 2D' trump=S trick='3C' seats=3")
"""The clubs are legal, and the 9C is the lowest legal card."""


@dataclass
class Clock:
    """A clock that only waiting moves."""

    seconds: float = 0.0
    waits: list[float] = field(default_factory=list)

    @property
    def timer(self) -> Timer:
        return Timer(lambda: self.seconds, self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds


@dataclass
class Script:
    """A chat that says these things, one after another, or fails with them; every call takes so long."""

    says: Sequence[str | Completion | Exception]
    clock: Clock = field(default_factory=Clock)
    call_seconds: float = 1.0
    asked: list[list[Message]] = field(default_factory=list)
    limits: list[float] = field(default_factory=list)

    async def complete(self, messages: Sequence[Message], form: AnswerFormat, seconds: float) -> Completion:
        said = self.says[min(len(self.asked), len(self.says) - 1)]
        self.asked.append(list(messages))
        self.limits.append(seconds)
        self.clock.seconds += min(self.call_seconds, seconds)
        if isinstance(said, Exception):
            raise said
        return said if isinstance(said, Completion) else Completion(said, 100, 10)


def scripted(script: Script, settings: ModelSettings | None = None) -> type[ModelBot]:
    """A bot that asks this script."""
    return model_bot(settings or ModelSettings("scripted"), script, script.clock.timer)


def answer_of(bot: type[ModelBot], seen: View) -> Answer:
    """The bot's answer to one ask."""
    tables = Tables(bot)
    seating = Seating(1, "m0001", seen.seat, seen.seats, seen.deals, seen.house)
    tables.follow(Bundle(welcome=Welcome("model", "room", DECISION_MS, BANK_MS), seatings=[seating]))
    return asyncio.run(_answer(bot, tables, Ask(1, 1, seen, BANK_MS, match_ms=600_000)))


async def _answer(bot: type[ModelBot], tables: Tables, ask: Ask) -> Answer:
    try:
        return (await tables.answers(ask))[0]
    finally:
        if isinstance(bot.chat, OpenAIChat):
            await bot.chat.close()


class Handler(BaseHTTPRequestHandler):
    """Answers as its test says, until the client has enough."""

    reply: Reply
    over: Event
    asked: bytes

    def do_POST(self) -> None:
        self.asked = self.rfile.read(int(self.headers["Content-Length"]))
        with suppress(ConnectionError):
            type(self).reply(self)
        self.close_connection = True

    def begin(self, status: int, reason: str | None = None, **headers: str) -> None:
        """Sends the head of an answer."""
        self.send_response(status, reason)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


Reply = Callable[[Handler], None]


def saying(text: str) -> Reply:
    """A whole reply."""

    def reply(to: Handler) -> None:
        to.begin(200, Content_Type="application/json")
        to.wfile.write(text.encode())

    return reply


@contextmanager
def replying(reply: Reply) -> Iterator[str]:
    """The address of a server that replies like this."""
    over = Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Handler,), {"reply": reply, "over": over}))
    server.daemon_threads = True
    with _served(server, over):
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"


@contextmanager
def stand_in(skill: str = "lowest", options: StandInOptions | None = None) -> Iterator[StandInServer]:
    """A stand-in that serves; what is slow waits until the end."""
    over = Event()
    server = StandInServer(StandInPlayer(skill), options, sleep=lambda _: over.wait())
    with _served(server, over):
        yield server


@contextmanager
def _served(server: ThreadingHTTPServer, over: Event) -> Iterator[None]:
    """Serves in a thread; at the end it says that all is over, and waits for the thread."""
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()
