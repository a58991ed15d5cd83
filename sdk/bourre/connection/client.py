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
from bourre.bot import Bot, check_bot_class
from bourre.bot_code.lookalike_methods import WARNING_PREFIX, find_misnamed
from bourre.connection.answer_tasks import AnswerTasks, answers_concurrently
from bourre.connection.backoff import Backoff
from bourre.connection.bot_tables import BotNotMade, Tables
from bourre.connection.channel import Tls, TlsError, explain, hint, is_local, open_channel, tls_from
from bourre.connection.fork_watch import warn_of_forks
from bourre.connection.late_watch import tell_where_late
from bourre.connection.log_line import log_line
from bourre.connection.standard_streams import prepare_streams
from bourre.messages import Answer, Ask, Bundle, Hello
from bourre.rules.errors import BourreError
from bourre.v1.referee_pb2 import BotMessage, RefereeMessage

Call = grpc.aio.StreamStreamCall[BotMessage, RefereeMessage]
Method = grpc.aio.StreamStreamMultiCallable[BotMessage, RefereeMessage]
CLIENT = "bourre-python 0.1"
PATH = "/bourre.v1.Referee/Play"
"""The path of the service's only method. Loading the generated stub would take longer."""
DIAL_SECONDS = 30.0
"""How long a bot waits for the referee's first answer."""
_OLD_REFEREE = "bourre: This referee is older than the bot. After its goodbye, run the bot again for the next match."
_REFUSED_SECONDS = 60.0
"""How long a returning bot dials on although it is refused, in addition to the time for a decision: its lost connection
may still count as open."""
_STEADY_SECONDS = 12.8
"""The back-off starts over after each message of answers, and after a connection that lasted this long."""


class ClientRefused(BourreError):
    """The referee did not admit the bot, or the connection broke. The message says why."""


class _StreamEnded(BourreError):
    """A stream ended before the goodbye. The message says how."""


def run(bot: type[Bot]) -> None:
    """Plays this bot at a referee until the room closes. On a ladder, it never returns.

    Each match gets its own instance of the class. The environment variables BOURRE_ADDRESS and BOURRE_TOKEN hold the
    address and the token. For TLS, BOURRE_CA, BOURRE_CERT and BOURRE_KEY hold the files. Exits with status 1 if one is
    missing, the referee refuses, or the connection breaks for good. A bot in a whole contest or ladder dials until the
    referee is back. Prints the referee's notices to the author on stderr, and a warning for each misspelt method.
    Raises TypeError unless `bot` is a class of bots.
    """
    prepare_streams()
    check_bot_class(bot)
    for warning in find_misnamed(bot):
        print(f"{WARNING_PREFIX}{warning}", file=sys.stderr, flush=True)
    address, token = os.environ.get("BOURRE_ADDRESS"), os.environ.get("BOURRE_TOKEN")
    if not address or not token:
        sys.exit(
            f"{bot.__name__} needs a referee, which sets BOURRE_ADDRESS and BOURRE_TOKEN.\n"
            "hint: run `bourre practice BOT.py --against tight`, or enter it in a contest for `bourre run`"
        )
    warn_of_forks(bot)
    try:
        asyncio.run(play(bot, address, token, tls=tls_from(os.environ)))
    except (BotNotMade, ClientRefused, TlsError) as refused:
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
    *,
    forced_plays: bool = True,
) -> None:
    """Plays a bot at the referee at `unix:...` or `host:port`; raises ClientRefused, and TypeError like `run`.

    If the connection breaks, the bot dials for as long as the referee's welcome allows, and its instances play on.
    `watch` receives each of the referee's messages before the bot does. With `forced_plays`, the referee plays an only
    legal card without asking.
    """
    check_bot_class(bot)
    events = bot.on_event is not Bot.on_event
    hello = Hello(token=token, client=CLIENT, forced_plays=forced_plays, events=events)
    if hello.events:
        codec.load_events()
    async with open_channel(address, tls) as channel:
        connection = _Connection(_method(channel), hello, bot, is_local(address), watch)
        try:
            with tell_where_late(connection.tables):
                await connection.play(dial_seconds)
        except (_StreamEnded, TimeoutError) as broken:
            if connection.was_admitted or (isinstance(broken, _StreamEnded) and not isinstance(broken, _Lost)):
                raise ClientRefused(f"The connection to the referee broke: {broken}.") from None
            silence = f"No referee answered at {address} within {dial_seconds:g} s."
            raise ClientRefused(f"{silence} {hint(connection.clues, tls)}".strip()) from None
        except TlsError as wrong:
            raise ClientRefused(f"Cannot reach the referee at {address}: {wrong}") from None


def _method(channel: grpc.aio.Channel) -> Method:
    return channel.stream_stream(
        PATH, request_serializer=BotMessage.SerializeToString, response_deserializer=RefereeMessage.FromString
    )


class _Lost(_StreamEnded):
    """The connection was lost. A new one may succeed."""


class _Connection:
    """The bot's end of its connection to the referee, over one stream after another."""

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
        self.tables = Tables(bot)
        self._answer_tasks = AnswerTasks(self.tables, self._send_if_up) if answers_concurrently(bot) else None
        self._call: Call | None = None
        self._welcomed = False
        self.was_admitted = False
        """Whether the referee has ever welcomed the bot."""
        self.clues = ""
        """The errors of the attempts before that. For a host with several addresses, gRPC may report any."""
        self._stays = False
        self._flush_after = 0.25
        self._grace = 0.0
        self._grace_ends = 0.0
        self._refused_seconds = _REFUSED_SECONDS
        self._welcomed_at = 0.0
        self._broken: Exception | None = None
        self._backoff = Backoff()
        self._loop = asyncio.get_running_loop()

    async def play(self, dial_seconds: float) -> None:
        """Plays until the goodbye; raises ClientRefused, _StreamEnded, or TimeoutError if no referee ever answered."""
        limit = dial_seconds
        self._grace_ends = self._loop.time() + dial_seconds
        try:
            while True:
                try:
                    return await self._play_stream(limit)
                except (ClientRefused, _StreamEnded, TlsError, TimeoutError) as error:
                    limit = await self._pause(error)
        finally:
            if self._answer_tasks:
                self._answer_tasks.stop()

    async def _pause(self, error: Exception) -> float:
        """Waits before the next attempt and returns its limit in seconds; raises the error if there will be none."""
        if not self.was_admitted:
            self.clues += f"{error} "
        now, refused = self._loop.time(), isinstance(error, ClientRefused)
        if (self._welcomed and refused) or (isinstance(error, TlsError) and not self._stays):
            raise error
        if self._welcomed:
            self._break_off(error, now)
        elif refused:
            self._grace_ends = min(self._grace_ends, now + self._refused_seconds)
        elif self._stays:
            self._grace_ends = math.inf  # the referee is away and may admit the bot later
            if isinstance(error, TlsError) and not isinstance(self._broken, TlsError):
                self._broken = error
                _say(f"Still dialling, because the referee cannot be reached: {error}")
        pause = self._backoff.take(is_remote=self._stays or not self._is_local)
        may_try = self.was_admitted or isinstance(error, _Lost)
        if not may_try or pause is None or now + pause >= self._grace_ends:
            raise error if refused else self._broken or error
        await asyncio.sleep(pause)
        return min(self._grace_ends - self._loop.time(), DIAL_SECONDS)

    def _break_off(self, error: Exception, now: float) -> None:
        """Begins the grace period of a bot that was cut off."""
        self._broken, self._grace_ends = error, now + self._grace
        if now - self._welcomed_at >= _STEADY_SECONDS:
            self._backoff.start_over()
        if self._stays:
            _say(f"The connection broke ({error}). Dialling until the referee is back.")

    async def _play_stream(self, dial_seconds: float) -> None:
        """Plays on one stream until the goodbye; raises TimeoutError if the referee does not answer in time."""
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
            raise _ERRORS_BY_STATUS.get(code, _StreamEnded)(f"{code.name.lower()} {details}") from None
        finally:
            call.cancel()
        raise _StreamEnded("the referee closed the stream")

    async def _handle(self, message: RefereeMessage, call: Call) -> bool:
        """Handles a message; returns whether it is the goodbye."""
        bundle = codec.bundle_from_wire(message, self.tables.seatings)
        if bundle.refusal:
            raise ClientRefused(f"The referee refused: {bundle.refusal}")
        if welcome := bundle.welcome:
            if not (welcome.stays or self._is_local or self.was_admitted):
                print(_OLD_REFEREE, file=sys.stderr)
            self._welcomed = self.was_admitted = True
            if self._answer_tasks:
                self._answer_tasks.begin_stream(call.cancel)
            self._stays, self._flush_after = welcome.stays, welcome.decision_ms / 4000
            self._grace = math.inf if self._stays else welcome.reconnect_ms / 1000
            self._refused_seconds = _REFUSED_SECONDS + (welcome.decision_ms + welcome.bank_ms) / 1000
            self._welcomed_at = self._loop.time()
        if bundle.notice:
            _say(bundle.notice)
        if self._watch:
            self._watch(bundle)
        self.tables.follow(bundle)
        if self._answer_tasks:
            for ask in bundle.asks:
                self._answer_tasks.begin(ask)
        else:
            await self._answer(bundle.asks, call)
        return bool(bundle.goodbye)

    async def _answer(self, asks: list[Ask], call: Call) -> None:
        """Answers in order, in one message. If the bot takes long, it sends ready answers early as a sign of life."""
        ready: list[Answer] = []
        flushed = time.monotonic()
        for ask in asks:
            ready.extend(await self.tables.answers(ask))
            if time.monotonic() - flushed > self._flush_after:
                await self._send(ready, call)
                ready, flushed = [], time.monotonic()
        if ready:
            await self._send(ready, call)

    async def _send_if_up(self, answers: list[Answer]) -> None:
        """Sends answers if the stream is open. Otherwise the referee will ask again."""
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
        self._backoff.start_over()


_ERRORS_BY_STATUS = {
    grpc.StatusCode.RESOURCE_EXHAUSTED: ClientRefused,
    grpc.StatusCode.UNAVAILABLE: _Lost,
    grpc.StatusCode.INTERNAL: _Lost,  # gRPC's status for a connection that ends while it begins
}
"""The error for each final status of a call. The default is _StreamEnded."""


def _say(text: str) -> None:
    """Writes to the bot's log, for its author."""
    print(log_line(text), file=sys.stderr, flush=True)


def _is_being_cancelled() -> bool:
    """Returns whether the program is ending. gRPC also raises CancelledError if the referee cancels the stream."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
