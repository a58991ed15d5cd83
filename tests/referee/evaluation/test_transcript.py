"""What `bourre check` records of a bot's connection: unasked answers too, and nothing once it is closed."""

from __future__ import annotations

import asyncio

import pytest

from bourre.messages import Answer, Ask, Hello, Seating
from bourre.rules.actions import Fault, Play, Recall
from bourre.rules.cards import Card
from bourre.rules.house import HouseRules
from bourre.testing import view
from bourre_referee.evaluation.check import transcript
from bourre_referee.evaluation.check.transcript import RecordedConnection
from tests.referee.connection_desk import CLOCK, Heard, ManualClock

QUESTION = "play hand='AS KH 2C' trick=QH trump=S pot=9 seats=4 renege_policy="


def line(policy: str = "silent") -> RecordedConnection:
    """A connection on which a card is asked for, and KH is the one that follows suit."""
    found = RecordedConnection("tight", "m0001", CLOCK, Heard(), ManualClock())
    found.admit(Hello("token"))
    found.seat(Seating(0, "m0001", 0, 4, 1, HouseRules()))
    found.ask(Ask(0, 1, view(QUESTION + policy), 0))
    with found.sending():
        pass
    return found


def whys(found: RecordedConnection) -> list[str]:
    return [stray.why for stray in found.strays]


@pytest.mark.parametrize(
    ("policy", "card", "told"),
    [
        ("silent", "2C", []),
        ("silent", "KH", ["a recall with nothing to take back"]),
        ("prompt", "2C", ["a recall with nothing to take back"]),
        ("silent", "", ["a recall with nothing to take back"]),
    ],
    ids=["a renege that met silence", "a legal card", "the referee asks itself", "no card"],
)
def test_a_recall_is_for_a_renege_that_meets_silence(policy: str, card: str, told: list[str]) -> None:
    heard = line(policy)
    if card:
        heard.receive([Answer(0, 1, Play(Card(card)))])
    heard.receive([Answer(0, 1, Recall(Card("KH")))])
    assert whys(heard) == told
    answer = heard.exchanges[0, 1].answer
    assert (answer.action if answer else None) == (Play(Card(card)) if card else None)


def test_a_message_that_says_nothing_is_strange() -> None:
    heard = line()
    heard.receive([])
    assert whys(heard) == ["a message without an answer"]


def test_on_a_closed_line_nothing_is_asked_or_heard() -> None:
    heard = line()
    heard.close()
    heard.ask(Ask(0, 2, view(QUESTION + "silent"), 0))
    heard.receive([Answer(0, 1, Play(Card("KH"))), Answer(5, 1, Play(Card("KH")))])
    assert [(key, exchange.answer) for key, exchange in heard.exchanges.items()] == [((0, 1), None)]
    assert whys(heard) == []


def test_answers_of_one_message_share_the_time_since_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked at 10 s and answered at 10.5 s; asked again then, with a late answer at 12 s and one at 12.25 s."""
    now = [10.0]
    monkeypatch.setattr(transcript, "perf_counter", lambda: now[0])
    heard = line()
    heard.ask(Ask(0, 2, view(QUESTION + "silent"), 0))
    asyncio.run(heard.outgoing())
    now[0] = 10.5
    heard.receive([Answer(0, number, Play(Card("KH"))) for number in (1, 2)])
    for number in (3, 4):
        heard.ask(Ask(0, number, view(QUESTION + "silent"), 0))
    asyncio.run(heard.outgoing())
    now[0] = 12.0
    heard.ran_out((0, 3), Fault.LATE, 1000)
    now[0] = 12.25
    heard.receive([Answer(0, 4, Play(Card("KH")))])
    assert [(one.spent_ms, one.late) for one in heard.exchanges.values()] == [
        (250, None),
        (250, None),
        (1500, Fault.LATE),
        (1750, None),
    ]
    heard.receive([Answer(0, 4, Play(Card("KH"))), Answer(0, 9, Play(Card("KH"))), Answer(7, 1, Play(Card("KH")))])
    assert whys(heard) == [
        "a second answer to the same question",
        "an answer to a question that does not exist",
        "an answer for a table where it does not sit",
    ]
