"""The session of a remote bot, which lasts for the contest and is lent to one room after another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext

from bourre.messages import Answer, Bundle, Hello, Welcome
from bourre_referee.model.spec import Clock
from bourre_referee.server.connection import SPARE_ANSWERS, Connection

_LAST_WORDS_SECONDS = 2.0
"""The time in which a bot with a revoked token can read the reason."""


class RemoteSession:
    """Lasts from the first hello to the contest's goodbye, over any number of streams and rooms.

    It admits the room's `Connection` whenever the bot is connected, and carries its messages. Each stream gets one
    welcome, from the session.
    """

    closed = False
    """A session never closes, because a bot may come back after any break."""

    def __init__(self, bot: str, contest: str, clock: Clock, changed: Callable[[str, bool], None]) -> None:
        """It calls `changed` with the bot's name when the bot connects (True) or leaves (False)."""
        self.bot = bot
        self.here = asyncio.Event()
        """Set while a stream is open."""
        self.turned_away = ""
        """Why the last hello was refused, for the bot's author."""
        self.error: Exception | None = None
        """The referee's failure that broke the stream while no room had the session."""
        self._welcome = Welcome(
            bot, contest, clock.decision_ms, clock.bank_ms, clock.match_ms, clock.reconnect_ms, stays=True
        )
        self._changed = changed
        self._hello: Hello | None = None
        self._lent: Connection | None = None
        self._bundle = Bundle()
        """The session's own messages to send, in addition to those of the room."""
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[object] | None = None
        """The task that currently writes a bundle."""
        self._must_break = False
        self._is_revoked = False
        self._parted = asyncio.Event()
        self._parted.set()
        self._cut_off = ""
        self._goodbye = ""
        self._may_say = SPARE_ANSWERS

    @property
    def live(self) -> bool:
        """Whether a stream is open."""
        return self.here.is_set()

    @property
    def refusal(self) -> str:
        """Why the bot was cut off, for its author."""
        return self._cut_off or (self._lent.refusal if self._lent else "")

    @contextmanager
    def lent_to(self, connection: Connection) -> Iterator[None]:
        """Lends the session to a room inside the block. The bot is connected at once if a stream is open.

        Afterwards the bot still gets the ends of its matches, but no goodbye. If the room failed and left tables open,
        the stream breaks, so that the welcome of the next one lists no table.
        """
        connection.announce_by(self._wake)
        self._lent = connection
        self._may_say = SPARE_ANSWERS
        if self.live and self._hello:
            connection.admit(self._hello)
            connection.hold(self._writer is not None)
        try:
            yield
        finally:
            self._take_back(connection)

    @property
    def in_use(self) -> bool:
        """Whether a stream is open, or a room has the session."""
        return self.live or self._lent is not None

    def tell(self, notice: str) -> None:
        """Sends a text for the bot's log, which replaces an unsent earlier one. An absent bot does not get it."""
        self._bundle.notice = notice
        self._wake.set()

    def revoke(self, reason: str) -> None:
        """Ends an open stream with this reason. Another token may open the next."""
        if self.live:
            self._is_revoked, self._bundle.refusal = True, reason
            self._parted.clear()
            self._wake.set()
            asyncio.get_running_loop().call_later(_LAST_WORDS_SECONDS, self._stop_writing)

    async def parted(self) -> None:
        """Waits for the end of a stream with a revoked token, so that the session is free for a new token."""
        await self._parted.wait()

    def say_goodbye(self, reason: str) -> None:
        """Ends this stream and any later one, once everything queued is sent, because the contest is over."""
        self._goodbye = reason
        self._wake.set()

    def admit(self, hello: Hello) -> None:
        """Begins a stream. A room that has the session sends its open asks again."""
        if self._lent and self._lent.closed:  # the room goes on without the bot
            self._lent = None
        self._hello, self._bundle = hello, Bundle(welcome=self._welcome)
        self._cut_off, self._must_break, self._is_revoked = "", False, False
        self.here.set()
        if self._lent:
            self._lent.admit(hello)
        self._wake.set()
        self._changed(self.bot, True)

    async def outgoing(self) -> Bundle | None:
        """Waits for messages to send, and returns all of them; None if the stream must break."""
        while True:
            await self._wake.wait()
            lent = self._lent
            news = await lent.outgoing() if lent else Bundle()
            self._wake.clear()
            if self._lent is not lent:  # it changed while the connection waited
                self._wake.set()
            if self._must_break:
                return None
            if bundle := self._with_own(news):
                return bundle

    @contextmanager
    def sending(self) -> Iterator[None]:
        """Marks a write in progress. A room that borrows the session waits until it ends."""
        lent, self._writer = self._lent, asyncio.current_task()
        with lent.sending() if lent else nullcontext():
            yield
        self._writer = None
        if self._lent and self._lent is not lent:
            self._lent.hold(False)

    def receive(self, answers: list[Answer]) -> None:
        """Takes the answers of one message. Without a room, it ignores them and cuts off a flood."""
        if self._lent and not self._lent.closed:
            self._lent.receive(answers)
            return
        self._may_say -= max(1, len(answers))
        if self._may_say < 0:
            self._cut_off = f"{self.bot} sent more than {SPARE_ANSWERS} unrequested answers"

    def hang_up(self) -> None:
        """Handles the end of the stream. A room that has the session waits for the bot to come back."""
        self.here.clear()
        self._writer, self._bundle = None, Bundle()
        self._parted.set()
        if self._lent:
            self._lent.hang_up()
        self._changed(self.bot, False)

    def fail(self, error: Exception) -> None:
        """Reports a failure of the referee to the room that has the session. Without a room, it is raised later."""
        if self._lent is None:
            self.error = error
            raise error
        self._lent.fail(error)

    def _take_back(self, connection: Connection) -> None:
        if self._lent is not connection:
            return
        self._lent = None
        left = connection.take()
        if connection.has_open_tables:
            self._must_break = True
        else:
            self._bundle.seatings += left.seatings
            self._bundle.match_ends += left.match_ends
        self._wake.set()

    def _with_own(self, news: Bundle) -> Bundle:
        """Adds the session's own messages to the room's, without the room's welcome and goodbye."""
        own, self._bundle = self._bundle, Bundle()
        news.welcome, news.refusal, news.goodbye = own.welcome, own.refusal, self._goodbye
        news.notice = own.notice
        news.seatings[:0] = own.seatings
        news.match_ends[:0] = own.match_ends
        return news

    def _stop_writing(self) -> None:
        if self._writer and self._is_revoked:
            self._writer.cancel()
