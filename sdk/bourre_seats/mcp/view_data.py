"""What an agent sees as data: the open questions, each with everything that its seat may know.

The classes have no slots, which the MCP SDK would take for defaults of their fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bourre.rules.actions import Decision
from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre.words.view_notation import view_text
from bourre_seats.desk.question import Question
from bourre_seats.desk.view_description import describe_view


@dataclass(frozen=True)
class TrickData:
    """A completed trick."""

    leader: int
    cards: list[str]
    winner: int


@dataclass(frozen=True)
class ViewData:
    """The fields of a view; lists are by seat, cards are texts such as QS."""

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
    """Only if the server was started with `--legal`."""


@dataclass(frozen=True)
class QuestionData:
    """An open question: what is asked, what the agent knows, and how it answers."""

    question: int
    match: str
    asked: str
    answer_with: str
    words: str
    data: ViewData
    notation: str
    """The view as a line, from which `bourre.testing.view` makes it again; it names the house rules."""
    seconds_left: float | None
    """How long the referee waits; None: for ever."""


@dataclass(frozen=True)
class Look:
    """What the agent finds at its desk."""

    status: str
    questions: list[QuestionData]


def question_data(question: Question, seconds_left: float | None, show_legal: bool) -> QuestionData:
    """Describes a question; the legal cards only if `show_legal`."""
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
