"""Connects a bot to a referee: `run(MyBot)` is all that a bot's file needs at its end."""

from __future__ import annotations

import asyncio
import math
import os
import sys
import time
from collections.abc import Callable

import grpc
import grpc.aio

from bourre import codec
from bourre.answer_tasks import AnswerTasks, answers_concurrently
from bourre.bot import Bot
from bourre.bot_tables import Tables
from bourre.channel import Tls, TlsError, explain, hint, is_local, open_channel, tls_from
from bourre.lookalike_methods import WARNING_PREFIX, find_misnamed
from bourre.messages import Answer, Ask, Bundle, Hello
from bourre.rules.errors import BourreError
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage

Call = grpc.aio.StreamStreamCall[BotMessage, RefereeMessage]
Method = grpc.aio.StreamStreamMultiCallable[BotMessage, RefereeMessage]
CLIENT = "bourre-python 0.1"
PATH = "/bourre.v1.Referee/Play"
"""The path of the one method of the service; loading its generated stub would cost more than writing it here."""
DIAL_SECONDS = 30.0
"""How long a bot waits for its first answer from a referee."""
_PAUSES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8)
"""Seconds before each attempt to reconnect; they start over after each message of answers."""
_REFUSED_SECONDS = 60.0
"""How long a bot that comes back asks again although it is refused: its lost connection may still count as open."""


class Refused(BourreError):
    """The referee did not admit the bot, or the connection broke; the message says why."""


class _Broken(BourreError):
    """A stream ended before the goodbye; the message says how."""


def run(bot: type[Bot]) -> None:
    """Plays this bot at the referee that started the program, until the room closes.

    Each match gets its own instance of the class. Address and token come from the environment variables
    BOURRE_ADDRESS and BOURRE_TOKEN; with TLS, the files that vouch for the referee and for the bot from BOURRE_CA,
    BOURRE_CERT and BOURRE_KEY. Exits with status 1 if they are missing, the referee refuses, or the connection breaks
    for good; a bot that stays for a whole contest dials again until the referee is back. Warns on stderr about methods
    whose names are misspelt, so that they are never called.
    """
    for warning in find_misnamed(bot):
        print(f"{WARNING_PREFIX}{warning}", file=sys.stderr, flush=True)
    address, token = os.environ.get("BOURRE_ADDRESS"), os.environ.get("BOURRE_TOKEN")
    if not address or not token:
        sys.exit(
            f"{bot.__name__} plays at a referee, which sets BOURRE_ADDRESS and BOURRE_TOKEN for it.\n"
            "Enter it in a contest (`bourre run contest.toml`), or try it here: `bourre practice BOT.py --against ...`."
        )
    try:
        asyncio.run(play(bot, address, token, tls=tls_from(os.environ)))
    except (Refused, TlsError) as refused:
        sys.exit(f"{bot.__name__}: {refused}")
    except KeyboardInterrupt:
        sys.exit(130)


async def play(
    bot: type[Bot],
    address: str,
    token: str,
    dial_seconds: float = DIAL_SECONDS,
    tls: Tls | None = None,
    watch: Callable[[Bundle], None] | None = None,
) -> None:
    """Plays a bot at the referee at this address (`unix:...` or `host:port`); raises Refused.

    A broken connection is dialled again for as long as the referee's welcome allows, and the same instances play on.
    `watch` sees everything that the referee sends, before the bot does.
    """
    hello = Hello(token=token, client=CLIENT, events=bot.on_event is not Bot.on_event)
    if hello.events:
        codec.load_events()
    async with open_channel(address, tls) as channel:
        connection = _Connection(_method(channel), hello, bot, is_local(address), watch)
        try:
            await connection.play(dial_seconds)
        except (_Broken, TimeoutError) as broken:
            if connection.was_admitted or (isinstance(broken, _Broken) and not isinstance(broken, _Lost)):
                raise Refused(f"the connection to the referee broke: {broken}") from None
            why = "; ".join(filter(None, (f"within {dial_seconds:g} s", hint(connection.clues, tls))))
            raise Refused(f"no referee answered at {address} {why}") from None
        except TlsError as wrong:
            raise Refused(f"the referee at {address} cannot be reached: {wrong}") from None


def _method(channel: grpc.aio.Channel) -> Method:
    return channel.stream_stream(
        PATH, request_serializer=BotMessage.SerializeToString, response_deserializer=RefereeMessage.FromString
    )


class _Lost(_Broken):
    """The connection was lost; a new one may succeed."""


class _Connection:
    """The bot's end of its connection to the referee, over as many streams as it takes."""

    def __init__(
        self,
        method: Method,
        hello: Hello,
        bot: type[Bot],
        is_local: bool,
        watch: Callable[[Bundle], None] | None = None,
    ) -> None:
        self._method = method
        self._watch = watch
        self._is_local = is_local
        self._hello = hello
        self._tables = Tables(bot)
        self._answer_tasks = AnswerTasks(self._tables, self._send_if_up) if answers_concurrently(bot) else None
        self._call: Call | None = None
        self._welcomed = False
        self.was_admitted = False
        """Whether the referee has ever welcomed the bot."""
        self.clues = ""
        """How the attempts ended before that: of a host's several addresses, gRPC may name any."""
        self._stays = False
        self._flush_after = 0.25
        self._grace = 0.0
        self._grace_ends = 0.0
        self._broken: Exception | None = None
        self._pauses = iter(_PAUSES)

    async def play(self, dial_seconds: float) -> None:
        """Plays until the goodbye; raises Refused, _Broken, or TimeoutError if nobody has ever answered."""
        limit = dial_seconds
        self._grace_ends = time.monotonic() + dial_seconds
        try:
            while True:
                try:
                    return await self._play_stream(limit)
                except (Refused, _Broken, TimeoutError) as error:
                    limit = await self._pause(error)
        finally:
            if self._answer_tasks:
                self._answer_tasks.stop()

    async def _pause(self, error: Exception) -> float:
        """Waits before the next attempt and returns how many seconds it may take; raises if there will be none."""
        if not self.was_admitted:
            self.clues += f"{error} "
        if self._welcomed:
            if isinstance(error, Refused):
                raise error
            self._broken, self._grace_ends = error, time.monotonic() + self._grace
            if self._stays:
                print(f"bourre: the connection broke ({error}): dialling until the referee is back", file=sys.stderr)
        elif isinstance(error, Refused):
            self._grace_ends = min(self._grace_ends, time.monotonic() + _REFUSED_SECONDS)
        pause = next(self._pauses, _PAUSES[-1] if self._stays else None)
        may_try = self.was_admitted or isinstance(error, _Lost)
        if not may_try or pause is None or time.monotonic() + pause >= self._grace_ends:
            raise error if isinstance(error, Refused) else self._broken or error
        await asyncio.sleep(pause)
        return min(self._grace_ends - time.monotonic(), DIAL_SECONDS)

    async def _play_stream(self, dial_seconds: float) -> None:
        """Plays until the goodbye on this stream; raises TimeoutError if the referee does not answer in time."""
        self._welcomed = False
        self._call = call = self._method(wait_for_ready=self._is_local)
        try:
            async with asyncio.timeout(dial_seconds):
                await call.write(codec.hello_to_wire(self._hello))
                message = await call.read()
            while isinstance(message, RefereeMessage):
                if await self._handle(message, call):
                    return
                message = await call.read()
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError, asyncio.CancelledError):
            if not call.done() or _is_being_cancelled():
                raise
            if self._answer_tasks:
                self._answer_tasks.check()
            code, details = await call.code(), await call.details()
            if wrong := explain(details or ""):
                raise TlsError(wrong) from None
            raise _ERRORS_BY_STATUS.get(code, _Broken)(f"{code.name.lower()} {details}") from None
        finally:
            call.cancel()
        raise _Broken("the referee closed the stream")

    async def _handle(self, message: RefereeMessage, call: Call) -> bool:
        """Handles a message; returns whether it says goodbye."""
        bundle = codec.bundle_from_wire(message, self._tables.seatings)
        if bundle.refusal:
            raise Refused(f"the referee refused: {bundle.refusal}")
        if welcome := bundle.welcome:
            self._welcomed = self.was_admitted = True
            if self._answer_tasks:
                self._answer_tasks.begin_stream(call.cancel)
            self._stays, self._flush_after = welcome.stays, welcome.decision_ms / 4000
            self._grace = math.inf if self._stays else welcome.reconnect_ms / 1000
        if self._watch:
            self._watch(bundle)
        self._tables.follow(bundle)
        if self._answer_tasks:
            for ask in bundle.asks:
                self._answer_tasks.begin(ask)
        else:
            await self._answer(bundle.asks, call)
        return bool(bundle.goodbye)

    async def _answer(self, asks: list[Ask], call: Call) -> None:
        """Answers in order and in one message, or in several if the bot takes long, as a sign of life."""
        ready: list[Answer] = []
        flushed = time.monotonic()
        for ask in asks:
            ready.extend(await self._tables.answers(ask))
            if time.monotonic() - flushed > self._flush_after:
                await self._send(ready, call)
                ready, flushed = [], time.monotonic()
        if ready:
            await self._send(ready, call)

    async def _send_if_up(self, answers: list[Answer]) -> None:
        """Sends answers if the stream is up; otherwise the referee will ask again."""
        call = self._call
        if call is None or not self._welcomed or call.done():
            return
        try:
            await self._send(answers, call)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            if not call.done():
                raise

    async def _send(self, answers: list[Answer], call: Call) -> None:
        await call.write(codec.answers_to_wire(answers))
        self._pauses = iter(_PAUSES)


_ERRORS_BY_STATUS = {grpc.StatusCode.RESOURCE_EXHAUSTED: Refused, grpc.StatusCode.UNAVAILABLE: _Lost}
"""The error for each status that a call may end with; any other is _Broken."""


def _is_being_cancelled() -> bool:
    """Returns whether the program is ending; gRPC also raises CancelledError if the referee cancels the stream."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
