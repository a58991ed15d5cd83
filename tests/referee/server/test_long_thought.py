"""A thought of ten minutes, on one simulated clock for the referee and for the desk of an agent."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import pytest

from bourre.messages import Answer, Ask
from bourre.words.table_words.deal_lines import MatchLog
from bourre_referee.model.spec import Clock
from bourre_seats.desk.desk import Desk as AgentDesk
from bourre_seats.desk.question import AnswerError
from tests.referee.connection_desk import LATE, PASS, Desk, Heard

TEN_MINUTES, AN_HOUR, A_DAY = 600.0, 3_600_000, 86_400_000


async def heard_after(seconds: float, clock: Clock) -> Heard:
    """What the referee hears of an agent that passes after this time, if it still can."""
    referee = Desk(clock)
    agent = AgentDesk(referee.time.time)
    agent.begin("Connecting.")
    referee.seat(1)
    referee.line.ask(Ask(1, 1, referee.view, clock.bank_ms, match_ms=clock.match_ms))
    bundle = await referee.line.outgoing()
    referee.send()
    agent.follow(bundle)
    reply = asyncio.ensure_future(agent.ask(bundle.asks[0].view, MatchLog()))
    await agent.wait(50)
    referee.time.advance(seconds)
    with suppress(AnswerError):  # the desk knows too that the time is over
        agent.answer(1, "pass")
        said = (await reply).said
        assert said is not None
        referee.line.receive([Answer(1, 1, said)])
    return referee.heard


@pytest.mark.parametrize(
    ("clock", "answers", "stalls"),
    [
        (Clock(decision_ms=AN_HOUR, match_ms=A_DAY), [(1, PASS)], []),
        (Clock(decision_ms=1000, bank_ms=AN_HOUR, match_ms=A_DAY), [(1, PASS)], []),
        (Clock(decision_ms=AN_HOUR), [], [1]),
        (Clock(match_ms=A_DAY), [(1, LATE)], []),
    ],
    ids=["an hour for each decision", "an hour in the bank", "ten minutes for the match", "a second for each decision"],
)
def test_the_clock_of_the_contest_alone_decides(
    clock: Clock, answers: list[tuple[int, object]], stalls: list[int]
) -> None:
    heard = asyncio.run(heard_after(TEN_MINUTES, clock))
    assert (heard.answers, heard.stalls) == (answers, stalls)
