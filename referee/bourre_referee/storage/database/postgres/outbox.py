"""Queues the changes of a contest's leader: it makes each once and in order, even if the server is gone for a while."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from math import inf
from typing import NamedTuple, TypeVar

from sqlalchemy import Engine

from bourre.rules.errors import BourreError
from bourre_referee.model.errors import StoreGone
from bourre_referee.storage.database.database import Work
from bourre_referee.storage.database.postgres.contest_rows import Lead, begin_change
from bourre_referee.storage.database.postgres.database_address import ContestAddress
from bourre_referee.storage.database.postgres.postgres_hints import errors_in_words
from bourre_referee.storage.database.run_session import RunSession
from bourre_referee.storage.files.waiting import RETRY_S, Waiting, until_back

T = TypeVar("T")

MOST = 1_000
"""The most queued changes, such as finished rooms. After that, play waits for the server."""

REST = 4
"""The pause before the next try, in durations of the last try."""


class _Kept(NamedTuple):
    work: Work
    replaces: str | None


class Outbox:
    """The queued changes. Each is a transaction that checks that this leader still leads."""

    def __init__(
        self,
        engine: Engine,
        address: ContestAddress,
        lead: Lead,
        patience: Waiting,
        clock: Callable[[], float],
        most: int = MOST,
    ) -> None:
        self._engine = engine
        self._address = address
        self._lead = lead
        self._patience = patience
        self._clock = clock
        self._most = most
        self._kept: deque[_Kept] = deque()
        self._tried = False
        """Whether the first queued change was tried, without an answer."""
        self._changes = lead.changes
        """The number of the last confirmed transaction."""
        self._gone = False
        """Whether the server was gone at the last try."""
        self._next_try = -inf

    def change(self, work: Work, replaces: str | None = None) -> None:
        """Makes a change, now or later. It replaces queued changes of the same name, such as of the same file."""
        if replaces is not None:
            tried = self._kept[0] if self._tried else None  # may have been made, unheard, so it keeps its number
            self._kept = deque(kept for kept in self._kept if kept is tried or kept.replaces != replaces)
        self._kept.append(_Kept(work, replaces))
        full = len(self._kept) > self._most
        if full or self._clock() >= self._next_try:
            self._make(wait=full)

    def read(self, work: Callable[[], T]) -> T:
        """Does work that only reads, again if the server was gone meanwhile."""
        return until_back(self._patience, work)

    def settle(self) -> None:
        """Makes all queued changes, so that they can be read. Waits for the server if it is gone."""
        self._make(wait=True)
        while True:
            began = self._clock()
            try:
                with errors_in_words(self._address), self._engine.connect():
                    self._note_back()
                    return
            except StoreGone as gone:
                self._wait(gone, began)

    def _make(self, wait: bool) -> None:
        while self._kept:
            began = self._clock()
            try:
                self._make_first()
            except StoreGone as gone:
                if not wait:
                    self._note_gone(gone, began)
                    return
                self._wait(gone, began)
            except BourreError:
                self._forget_first()  # it would fail again
                raise
            else:
                self._forget_first()
                self._note_back()

    def _forget_first(self) -> None:
        self._kept.popleft()
        self._tried = False

    def _wait(self, gone: StoreGone, began: float) -> None:
        self._note_gone(gone, began)
        if not self._patience.wait(RETRY_S):
            if not self._kept:
                raise gone
            lost = f"{len(self._kept)} changes since then, such as finished rooms, are not stored"
            raise StoreGone(f"{gone}\n{lost}, and their games will be played again") from gone

    def _make_first(self) -> None:
        """Makes the first queued change, unless an earlier try made it before the server was gone."""
        self._tried = True
        with errors_in_words(self._address), RunSession(self._engine, self._lead.contest) as session:
            number = begin_change(session, self._address, self._lead.leader)
            if number == self._changes + 1:
                self._kept[0].work(session)
                session.commit()
        self._changes += 1

    def _note_gone(self, gone: StoreGone, began: float) -> None:
        if not self._gone:
            self._patience.tell(f"{gone}\nResults are kept until the server is back, and then stored.")
        self._gone, now = True, self._clock()
        self._next_try = now + max(RETRY_S, REST * (now - began))

    def _note_back(self) -> None:
        if self._gone:
            self._gone, self._next_try = False, -inf
            self._patience.tell(f"{self._address}: the server is back. Kept results are being stored.")
