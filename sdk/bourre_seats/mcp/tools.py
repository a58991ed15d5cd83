"""The tools that an agent calls, and the open questions as data, with everything that a seat may know.

The classes have no slots, because the MCP SDK would mistake them for defaults of the fields.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from bourre.connection.channel import Tls
from bourre.notes import MOST_NOTE_BYTES
from bourre.rules.actions import Decision
from bourre.rules.cards import Card
from bourre.rules.errors import BourreError
from bourre.rules.view import View
from bourre.words.view_notation import view_text
from bourre_seats.mcp.agent_seating import AgentSeating
from bourre_seats.question_queue.question import QueuedQuestion
from bourre_seats.question_queue.view_description import describe_view


@dataclass(frozen=True)
class TrickData:
    """A completed trick."""

    leader: int
    cards: list[str]
    winner: int


@dataclass(frozen=True)
class ViewData:
    """The fields of a view. Lists are by seat, and cards are texts such as QS."""

    decision: str
    deal: int
    deals: int
    seat: int
    dealer: int
    hand: list[str]
    trump: str | None
    turned: str | None
    dead: str | None
    pot: int
    bourre_costs: int
    max_discards: int
    balances: list[int]
    plays: list[bool | None]
    drawn: list[int | None]
    tricks_won: list[int]
    discarded: list[str]
    leader: int | None
    trick: list[str]
    tricks: list[TrickData]
    barred: list[int]
    owed_turns: list[int]
    legal: list[str] | None
    """The legal cards, only for a server with `--legal`."""


@dataclass(frozen=True)
class QuestionData:
    """An open question: the decision, the agent's knowledge, and the form of the answer."""

    question: int
    match: str
    asked: str
    answer_with: str
    words: str
    data: ViewData
    notation: str
    """The view as a line, with the house rules, which `bourre.testing.view` reads."""
    seconds_left: float | None
    """How long the referee waits; None means without a limit."""


@dataclass(frozen=True)
class Look:
    """The state of the agent's desk."""

    status: str
    questions: list[QuestionData]


def question_data(question: QueuedQuestion, seconds_left: float | None, show_legal: bool) -> QuestionData:
    """Describes a question, with the legal cards if `show_legal`."""
    view = question.view
    asked = "recall" if question.reneged is not None else str(view.decision)
    shows = show_legal and (view.decision == Decision.PLAY)
    return QuestionData(
        question.number,
        question.match,
        asked,
        question.answers,
        describe_view(view),
        _view_data(view, shows),
        view_text(view),
        seconds_left,
    )


def _view_data(view: View, show_legal: bool) -> ViewData:
    return ViewData(
        decision=str(view.decision),
        deal=view.deal,
        deals=view.deals,
        seat=view.seat,
        dealer=view.dealer,
        hand=_texts(view.hand),
        trump=_text(view.named),
        turned=_text(view.turned),
        dead=_text(view.dead),
        pot=view.pot,
        bourre_costs=view.match,
        max_discards=view.max_discards,
        balances=list(view.balances),
        plays=list(view.plays),
        drawn=list(view.drawn),
        tricks_won=list(view.tricks_won),
        discarded=_texts(view.discarded),
        leader=view.leader,
        trick=_texts(view.trick),
        tricks=[TrickData(trick.leader, _texts(trick.cards), trick.winner) for trick in view.tricks],
        barred=list(view.barred),
        owed_turns=list(view.owed_turns),
        legal=_texts(view.legal) if show_legal else None,
    )


def _texts(cards: Iterable[Card]) -> list[str]:
    return [str(card) for card in cards]


def _text(value: object) -> str | None:
    return None if value is None else str(value)


Wait = Annotated[float, Field(ge=0, le=50, description="seconds to wait for a question, at most 50")]
MOST_SHOWN = 8
"""The most questions that `look` describes. The others follow after these are answered."""


@dataclass(frozen=True)
class History:
    """The history of a match."""

    match: str
    matches: list[str]
    deal: list[str]
    """The events of the deal, in order."""
    earlier: list[str]
    """The outcomes of finished deals."""


class AgentTools:
    """The tools of one seat."""

    def __init__(self, seating: AgentSeating, tls: Tls | None, show_legal: bool) -> None:
        """`tls` serves for the referee of `join`."""
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
        """Takes a seat, and returns the result of `look`.

        To practise, pass `against`, a list of examples such as ["tight", "counter"], one for each other seat. No other
        program is needed. To join a contest, pass the address and the token of your invitation.
        """
        with _teaching():
            if address or token:
                self._seating.join(address, token, self._tls)
            else:
                self._seating.practise(against or ["tight", "counter"], deals, preset, seed)
        return await self.look(wait_seconds)

    async def look(self, wait_seconds: Wait = 20) -> Look:
        """Returns the questions that wait for your answer, with your cards, the table and the time left.

        Waits until there is a question. If the list is empty, call `look` again. Several questions come from several
        tables. Answer them in any order.
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
        """Answers a question by its number, and returns the result of `look`.

        The question's `answer_with` lists its actions: `in 2C 4D`, `pass`, `draw 2C`, `trump S`, `stay`, `leave`, or a
        card such as `KH`. An illegal card of your hand counts as an answer, and the referee rules it a renege. A note
        explains your answer. It is stored beside the record and changes nothing.
        """
        with _teaching():
            self._desk.answer(question, action, note)
        return await self.look(wait_seconds)

    async def history(
        self, match: Annotated[str, Field(max_length=100)] = "", deal: Annotated[int, Field(ge=0)] = 0
    ) -> History:
        """Returns the events of a deal, by default the latest, in words, and the outcomes of earlier deals.

        With several tables, pass the match. The events are those that your seat has seen up to its last question.
        """
        logs = self._desk.logs
        if match and match not in logs:
            raise ToolError(f"Unknown match {match!r}. Matches: {', '.join(logs) or 'none yet'}.")
        if not logs:
            return History("", [], [], [])
        chosen = match or list(logs)[-1]
        return History(chosen, list(logs), logs[chosen].deal(deal), logs[chosen].outcomes())


@contextmanager
def _teaching() -> Iterator[None]:
    """Turns our errors into errors that the agent reads."""
    try:
        yield
    except BourreError as error:
        raise ToolError(str(error)) from error
