"""Whose time counts: sending, slow reading, a long thought, a starved host, floods, broken connections."""

import asyncio
from contextlib import suppress

import pytest

from bourre.messages import Answer, Ask, Bundle, Hello, MatchEnd
from bourre.rules.actions import Play, Recall
from bourre.rules.cards import Card
from bourre.words.table_words.deal_lines import MatchLog
from bourre_referee.model.spec import Clock
from bourre_referee.server.connection import SPARE_ANSWERS
from bourre_seats.question_queue.desk import Desk as AgentDesk
from bourre_seats.question_queue.question import AnswerError
from tests.referee.connection_desk import LATE, PASS, Desk, Heard, asked


def outgoing(desk: Desk) -> Bundle:
    """The next message to be sent; there must be one."""
    return asyncio.run(asyncio.wait_for(desk.line.outgoing(), 10))


def test_the_time_of_an_ask_runs_from_its_sending() -> None:
    desk = Desk(Clock(decision_ms=1000, bank_ms=0))
    desk.seat(0)
    desk.make_ready(0)
    desk.time.advance(5)
    desk.send()
    desk.time.advance(0.9)
    desk.answer((0, 1))
    assert desk.heard.answers == [(0, PASS)]
    timing = desk.line.end_match(MatchEnd(0, (0, 0)))
    assert timing.queue_ms == pytest.approx(5000)
    assert timing.total_ms == pytest.approx(900)


def test_what_is_ready_while_the_bot_does_not_read_is_on_its_time() -> None:
    desk = Desk(Clock(decision_ms=1000, bank_ms=0))
    desk.seat(0, 1)
    desk.make_ready(0)
    with desk.line.sending():  # and the wire does not accept it
        desk.time.advance(1)
        assert desk.heard.answers == [(0, LATE)]
        desk.make_ready(1)
        desk.time.advance(1)
        assert desk.heard.answers == [(0, LATE), (1, LATE)]


def test_an_ask_that_is_withdrawn_took_its_time_and_none_of_another_match() -> None:
    desk = asked(0, clock=Clock(decision_ms=1000, bank_ms=0, match_ms=2000))
    desk.time.advance(0.5)
    desk.line.withdraw(0)
    assert desk.line.left(0).match_ms == pytest.approx(1500)
    desk = asked(0, 1, clock=Clock(decision_ms=1000, bank_ms=0, match_ms=2000))
    desk.make_ready(0, 2)
    desk.time.advance(0.9)
    desk.line.withdraw(0)
    assert desk.line.left(0).match_ms == 2000
    desk.time.advance(0.1)
    assert desk.heard.answers == [(1, LATE)]
    desk.send()
    desk.time.advance(60)
    assert desk.heard.answers == [(1, LATE)]


def test_a_late_bot_is_not_blamed_where_the_host_was_starved() -> None:
    desk = Desk(Clock(decision_ms=1000, bank_ms=1000))
    desk.seat(0)
    desk.time.starved_for = 10  # long ago
    desk.ask(0)
    desk.time.starved_for += 0.5
    desk.time.advance(2)
    assert desk.heard.answers == [(0, LATE)]
    desk.ask(0, 2)
    desk.time.starved_for += 0.251
    desk.time.advance(1)
    assert desk.heard.answers == [(0, LATE)]
    ((starved_ms, allowed_ms),) = desk.heard.overloads
    assert starved_ms == pytest.approx(251)
    assert allowed_ms == 1000


def test_a_bot_in_time_on_a_starved_host_is_a_bot_in_time() -> None:
    desk = asked(0)
    desk.time.starved_for = 60
    desk.time.advance(0.9)
    desk.answer((0, 1))
    assert desk.heard.answers == [(0, PASS)]
    assert desk.heard.overloads == []


@pytest.mark.parametrize(("said_ms", "noted_ms"), [(150, 150), (9000, 400)])
def test_what_a_bot_says_that_it_thought_is_noted_as_far_as_it_can_be(said_ms: int, noted_ms: float) -> None:
    desk = asked(0)
    desk.time.advance(0.4)
    desk.answer((0, 1), spent_us=said_ms * 1000)
    timing = desk.line.end_match(MatchEnd(0, (0, 0)))
    assert timing.bot_ms == pytest.approx(noted_ms)
    assert timing.total_ms == pytest.approx(400)


def test_a_flood_of_empty_messages_is_cut_off() -> None:
    desk = asked(0)
    for _ in range(SPARE_ANSWERS + 2):  # two for the ask
        desk.line.receive([])
    assert desk.heard.cuts == 0
    assert not desk.line.closed
    desk.line.receive([])
    assert (desk.heard.cuts, desk.heard.losses) == (1, 0)
    assert desk.line.closed
    assert "32 more" in desk.line.refusal
    desk.answer((0, 1))
    assert desk.heard.answers == []
    desk.line.hang_up()
    assert desk.heard.losses == 0


def test_a_flood_in_one_message_is_cut_off_unheard_and_what_may_come_is_none() -> None:
    desk = asked(0)
    desk.answer(*[(0, 1)] * (SPARE_ANSWERS + 3))
    assert desk.heard.cuts == 1
    assert (desk.heard.answers, desk.heard.strays) == ([], [])
    desk = Desk()
    desk.seat(0)
    for number in range(1, 10 * SPARE_ANSWERS):
        desk.ask(0, number)
        desk.line.receive([Answer(0, number, Play(Card("2C")))])
        desk.line.receive([Answer(0, number, Recall(Card("3C")))])
    assert desk.heard.cuts == 0


def test_who_comes_back_is_told_anew_where_it_sits_and_what_it_is_asked() -> None:
    desk = Desk()
    desk.seat(0, 1, 2)
    desk.ask(0)
    desk.ask(1)
    outgoing(desk)
    desk.answer((1, 1))
    desk.line.hang_up()
    back = desk.line.back
    assert desk.heard.losses == 1
    assert not desk.line.live
    desk.line.ask(Ask(1, 2, desk.view, 0))
    desk.line.end_match(MatchEnd(2, (0, 0)))
    desk.line.admit(Hello("token", forced_plays=False))
    assert back.is_set()
    bundle = outgoing(desk)
    assert bundle.welcome is not None
    assert ([seating.table for seating in bundle.seatings], len(bundle.match_ends)) == ([0, 1], 1)
    assert desk.line.hello == Hello("token")
    assert [(ask.table, ask.id) for ask in bundle.asks] == [(0, 1), (1, 2)]
    desk.answer((0, 1), (1, 2))
    assert [table for table, _ in desk.heard.answers] == [1, 0, 1]
    desk.line.hang_up()
    assert not desk.line.back.is_set()


def test_the_time_runs_on_while_the_bot_is_away() -> None:
    desk = Desk(Clock(decision_ms=1000, bank_ms=0))
    desk.seat(0, 1)
    desk.ask(0)
    desk.make_ready(1)  # never sent
    desk.time.advance(0.5)
    desk.line.hang_up()
    desk.time.advance(0.5)
    assert desk.heard.answers == [(0, LATE)]
    desk.time.advance(1)
    assert desk.heard.answers == [(0, LATE), (1, LATE)]
    desk.make_ready(0, 2)
    desk.time.advance(1)
    assert desk.heard.answers[2:] == [(0, LATE)]


def test_each_return_counts_as_an_answer() -> None:
    desk = Desk()
    for _ in range(SPARE_ANSWERS):
        desk.line.hang_up()
        desk.line.admit(Hello("token"))
    desk.line.receive([])
    assert desk.heard.cuts == 1


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
