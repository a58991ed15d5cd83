"""The desk between the tables and an agent or a person: the open questions, and the state of the game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count

from bourre.messages import Ask, Bundle, Seating
from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre.words.table_words.deal_lines import MatchLog
from bourre_seats.question_queue.question import AnswerError, QueuedQuestion, Reply, read_answer

MOST_WAITING = 16
"""The most calls that may wait. Further calls return at once."""
MOST_LOGS = 64
"""The number of remembered matches."""
NOBODY = "Nobody sits here yet."


@dataclass(frozen=True, slots=True)
class _Open:
    """A question with its future reply. The ask is None in practice."""

    question: QueuedQuestion
    ask: Ask | None
    reply: asyncio.Future[Reply]


class Desk:
    """Holds the open questions for an agent or a person. Use it in one event loop only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, changed: Callable[[], None] = lambda: None) -> None:
        """`clock` returns seconds. `changed` is called whenever the open questions or the status may have changed."""
        self.status = NOBODY
        self.logs: dict[str, MatchLog] = {}
        self._clock = clock
        self._changed = changed
        self._numbers = count(1)
        self._open: dict[int, _Open] = {}
        self._playing = False
        self._news = asyncio.Event()
        self._waiting = 0
        self._decision_ms = 0
        self._seatings: dict[int, Seating] = {}
        self._asks: dict[int, tuple[Ask, float]] = {}

    @property
    def questions(self) -> list[QueuedQuestion]:
        """The open questions, the oldest first."""
        return [opened.question for opened in self._open.values() if self._is_open(opened)]

    def seconds_left(self, question: QueuedQuestion) -> float | None:
        """Returns how long the referee still waits for this answer; None means without a limit."""
        return None if question.deadline is None else max(0.0, question.deadline - self._clock())

    def begin(self, status: str) -> None:
        """Begins a game with this status."""
        self.status, self._playing = status, True
        self._update()

    def end(self, status: str) -> None:
        """Ends the game with this status, and closes all questions."""
        self.status, self._playing = status, False
        self._withdraw(lambda opened: True)

    def follow(self, bundle: Bundle) -> None:
        """Updates the questions and their deadlines by the referee's message."""
        if bundle.welcome:
            self._decision_ms = bundle.welcome.decision_ms
            self._seatings.clear()
            self.status = f"You sit at the referee as {bundle.welcome.bot}."
        self._seatings.update({seating.table: seating for seating in bundle.seatings})
        for end in bundle.match_ends:
            ended = self._seatings.pop(end.table)
            chips = " ".join(f"{chips:+d}" for chips in end.balances)
            self.status = f"Match {ended.match} is over: chips by seat {chips}; yours was seat {ended.seat}."
        now = self._clock()
        for ask in bundle.asks:
            self._asks[ask.table] = ask, now
        self._withdraw(self._is_over)

    async def ask(self, view: View, log: MatchLog, reneged: Card | None = None) -> Reply:
        """Queues a question and returns its reply. It is cancelled if the referee no longer waits."""
        if not self._playing:
            raise asyncio.CancelledError
        number = next(self._numbers)
        ask, asked_at = next((pair for pair in self._asks.values() if pair[0].view is view), (None, 0.0))
        match = "practice" if ask is None else self._seatings[ask.table].match
        self._remember(match, log)
        deadline = None if ask is None else asked_at + ask.allowed_ms(self._decision_ms) / 1000
        question = QueuedQuestion(number, match, view, reneged, deadline)
        loop = asyncio.get_running_loop()
        opened = self._open[number] = _Open(question, ask, loop.create_future())
        left = self.seconds_left(question)
        late = None if left is None else loop.call_later(left, opened.reply.cancel)
        self._update()
        try:
            return await opened.reply
        finally:
            if late:
                late.cancel()
            del self._open[number]
            self._update()

    def answer(self, number: int, text: str, note: str = "") -> None:
        """Takes the agent's answer to a question; raises AnswerError if it is unusable."""
        opened = self._open.get(number)
        if opened is None or not self._is_open(opened):
            raise AnswerError(f"Question {number} is not open: it was answered, or its time ran out.")
        opened.reply.set_result(Reply(read_answer(text, opened.question), note))
        self._update()

    async def wait(self, seconds: float) -> None:
        """Waits for a question or the end of the game, at most this long."""
        if self._waiting >= MOST_WAITING:
            return
        self._waiting += 1
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._news.wait()
        finally:
            self._waiting -= 1

    def _remember(self, match: str, log: MatchLog) -> None:
        self.logs[match] = log
        while len(self.logs) > MOST_LOGS:
            del self.logs[next(iter(self.logs))]

    def _is_open(self, opened: _Open) -> bool:
        """Whether an answer still counts. A late one would be another fault (R8.5)."""
        return not opened.reply.done() and self.seconds_left(opened.question) != 0

    def _is_over(self, opened: _Open) -> bool:
        """Whether the referee has sent another ask at this table, or has closed it."""
        ask = opened.ask
        return ask is not None and (ask.table not in self._seatings or self._asks[ask.table][0].id != ask.id)

    def _withdraw(self, is_over: Callable[[_Open], bool]) -> None:
        for opened in self._open.values():
            if is_over(opened):
                opened.reply.cancel()
        self._update()

    def _update(self) -> None:
        """Wakes the waiting calls if a question is open or the game is over."""
        if not self._playing or any(not opened.reply.done() for opened in self._open.values()):
            self._news.set()
        else:
            self._news.clear()
        self._changed()
