"""The tools that an agent calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from bourre.connection.channel import Tls
from bourre.remarks import MOST_NOTE_BYTES
from bourre.rules.errors import BourreError
from bourre_seats.mcp.seating import Seating
from bourre_seats.mcp.view_data import Look, question_data

Wait = Annotated[float, Field(ge=0, le=50, description="seconds to wait for a question, at most 50")]
MOST_SHOWN = 8
"""How many questions `look` describes; the others follow when these are answered."""


@dataclass(frozen=True)
class History:
    """What has happened in a match."""

    match: str
    matches: list[str]
    deal: list[str]
    """What happened in the deal, in order."""
    earlier: list[str]
    """The outcomes of deals that have ended."""


class AgentTools:
    """The tools of one seat."""

    def __init__(self, seating: Seating, tls: Tls | None, show_legal: bool) -> None:
        """`tls` is how to reach a referee that `join` names."""
        self._seating = seating
        self._desk = seating.desk
        self._tls = tls
        self._show_legal = show_legal

    async def join(
        self,
        against: Annotated[list[str], Field(max_length=7)] | None = None,
        deals: Annotated[int, Field(ge=1, le=1_000)] = 20,
        preset: Annotated[str, Field(max_length=40)] = "limit",
        seed: int = 0,
        address: Annotated[str, Field(max_length=300)] = "",
        token: Annotated[str, Field(max_length=300)] = "",
        wait_seconds: Wait = 20,
    ) -> Look:
        """Takes a seat, and returns what `look` returns.

        Practise with `against`, a list of examples such as ["tight", "counter"], one for each other seat: nothing else
        has to run. Or give the address and token of your invitation to a contest.
        """
        with _teaching():
            if address or token:
                self._seating.join(address, token, self._tls)
            else:
                self._seating.practise(against or ["tight", "counter"], deals, preset, seed)
        return await self.look(wait_seconds)

    async def look(self, wait_seconds: Wait = 20) -> Look:
        """Returns the questions that wait for your answer: what is asked, your cards, the table, the time left.

        Waits if nothing is asked; an empty list means nothing yet: call `look` again. Several questions come from
        several tables; answer them in any order.
        """
        await self._desk.wait(wait_seconds)
        questions = self._desk.questions[:MOST_SHOWN]
        described = [
            question_data(question, self._desk.seconds_left(question), self._show_legal) for question in questions
        ]
        return Look(self._desk.status, described)

    async def answer(
        self,
        question: int,
        action: Annotated[str, Field(max_length=100)],
        note: Annotated[str, Field(max_length=MOST_NOTE_BYTES)] = "",
        wait_seconds: Wait = 20,
    ) -> Look:
        """Answers a question by its number, and returns what `look` returns next.

        The question's `answer_with` says which actions it takes: `in 2C 4D`, `pass`, `draw 2C`, `trump S`, `stay`,
        `leave`, or a card such as `KH`. A held but illegal card counts: the referee rules it a renege. A note says why
        you answer so; it is kept beside the record and changes nothing.
        """
        with _teaching():
            self._desk.answer(question, action, note)
        return await self.look(wait_seconds)

    async def history(
        self, match: Annotated[str, Field(max_length=100)] = "", deal: Annotated[int, Field(ge=0)] = 0
    ) -> History:
        """Returns what happened in a deal, in words, and how earlier deals ended; by default in the latest deal.

        With several tables, name the match. It holds what your seat has seen up to its last question.
        """
        logs = self._desk.logs
        if match and match not in logs:
            raise ToolError(f"There is no match {match!r}; there are {', '.join(logs) or 'none yet'}.")
        if not logs:
            return History("", [], [], [])
        chosen = match or list(logs)[-1]
        return History(chosen, list(logs), logs[chosen].deal(deal), logs[chosen].outcomes())


@contextmanager
def _teaching() -> Iterator[None]:
    """Passes our errors on to the agent, which reads them."""
    try:
        yield
    except BourreError as error:
        raise ToolError(str(error)) from error
