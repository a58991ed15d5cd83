"""The desk: what is open, for how long, and what an answer must be."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from bourre.desk.answer_text import AnswerError, read_answer
from bourre.desk.desk import MOST_WAITING, Desk
from bourre.desk.match_log import MatchLog
from bourre.desk.question import Question, Reply
from bourre.messages import Ask, Bundle, MatchEnd, Seating, Welcome
from bourre.rules.actions import Declare, Draw, Play, Recall
from bourre.rules.cards import Card
from bourre.rules.house import HouseRules
from bourre.testing import view

PLAY = view("play hand='AS KH 2C' trick=QH trump=S")
HOUSE = HouseRules.preset("limit")


@dataclass
class Hand:
    """A clock that the test moves."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


def asked(desk: Desk, table: int = 1, number: int = 1) -> asyncio.Task[Reply]:
    """Has the referee ask for a card, with a decision time of a quarter of an hour."""
    ask = Ask(table, number, view("play hand='AS KH 2C' trick=QH trump=S"), bank_ms=0)
    desk.follow(Bundle(asks=[ask]))
    return asyncio.ensure_future(desk.ask(ask.view, MatchLog()))


def at_desk(test: Callable[[Desk, Hand], Awaitable[None]]) -> None:
    """Runs a test at a desk whose agent sits at two tables of a referee."""

    async def run() -> None:
        clock = Hand()
        desk = Desk(clock)
        desk.begin("Connecting.")
        seatings = [Seating(table, f"m{table}", 0, 4, 10, HOUSE) for table in (1, 2)]
        desk.follow(Bundle(welcome=Welcome("ada", "room", decision_ms=900_000, bank_ms=0), seatings=seatings))
        await test(desk, clock)

    asyncio.run(run())


def test_a_thought_of_ten_minutes_breaks_nothing() -> None:
    async def think(desk: Desk, clock: Hand) -> None:
        reply = asked(desk)
        await desk.wait(50)
        (question,) = desk.questions
        assert desk.seconds_left(question) == 900
        clock.seconds = 600
        assert desk.seconds_left(question) == 300
        desk.answer(question.number, "KH", "hearts were led")
        assert await reply == (Play(Card("KH")), "hearts were led")

    at_desk(think)


def test_the_bank_adds_to_the_time_and_what_is_left_of_the_match_limits_it() -> None:
    async def look(desk: Desk, _: Hand) -> None:
        shown = "play hand='AS KH 2C' trick=QH trump=S"
        asks = [Ask(table, 1, view(shown), 5_000, match_ms=left) for table, left in ((1, 2_000_000), (2, 30_000))]
        desk.follow(Bundle(asks=asks))
        replies = [asyncio.ensure_future(desk.ask(ask.view, MatchLog())) for ask in asks]
        await asyncio.sleep(0)
        assert [desk.seconds_left(question) for question in desk.questions] == [905, 30]
        assert not any(reply.done() for reply in replies)
        desk.end("over")

    at_desk(look)


def test_an_answer_after_the_time_is_refused_and_never_sent() -> None:
    async def dawdle(desk: Desk, clock: Hand) -> None:
        reply = asked(desk)
        await desk.wait(50)
        clock.seconds = 900
        with pytest.raises(AnswerError, match="its time ran out"):
            desk.answer(1, "KH")
        assert desk.questions == []
        desk.end("over")
        with pytest.raises(asyncio.CancelledError):
            await reply

    at_desk(dawdle)


def test_the_end_of_its_time_withdraws_a_question_that_nobody_looks_at() -> None:
    async def doze(desk: Desk, clock: Hand) -> None:
        reply = asked(desk)
        clock.seconds = 900  # before the question reaches the desk
        with pytest.raises(asyncio.CancelledError):
            await reply

    at_desk(doze)


@pytest.mark.parametrize(
    "what",
    [
        Bundle(asks=[Ask(1, 2, PLAY, 0)]),
        Bundle(match_ends=[MatchEnd(1, (0, 0, 0, 0))]),
        Bundle(welcome=Welcome("ada", "room", 900_000, 0), seatings=[Seating(2, "m2", 0, 4, 10, HOUSE)]),
    ],
    ids=["asked for something else", "match over", "table closed while away"],
)
def test_a_question_is_withdrawn_once_the_referee_no_longer_waits(what: Bundle) -> None:
    async def go_on(desk: Desk, _: Hand) -> None:
        here, elsewhere = asked(desk, 1), asked(desk, 2)
        await desk.wait(50)
        await asyncio.sleep(0)
        desk.follow(what)
        with pytest.raises(asyncio.CancelledError):
            await here
        assert [question.match for question in desk.questions] == ["m2"]
        desk.answer(desk.questions[0].number, "KH")
        await elsewhere

    at_desk(go_on)


def test_reading_changes_nothing() -> None:
    async def read() -> None:
        changes = list[str]()
        clock = Hand()
        desk = Desk(clock, lambda: changes.append(desk.status))
        desk.begin("Connecting.")
        desk.follow(Bundle(welcome=Welcome("ada", "room", 900_000, 0), seatings=[Seating(1, "m1", 0, 4, 10, HOUSE)]))
        reply = asked(desk)
        await desk.wait(50)
        changes.clear()
        for clock.seconds, waiting in ((0, 1), (900, 0), (901, 0)):
            assert len(desk.questions) == waiting
        assert changes == []
        desk.end("over")
        assert changes == ["over"]
        assert (await asyncio.gather(reply, return_exceptions=True))[0].__class__ is asyncio.CancelledError

    asyncio.run(read())


def test_the_end_of_the_game_wakes_who_waits() -> None:
    async def end(desk: Desk, _: Hand) -> None:
        waiting = asyncio.ensure_future(desk.wait(50))
        await asyncio.sleep(0)
        desk.end("The room is closed.")
        await waiting

    at_desk(end)


def test_the_end_of_the_game_withdraws_every_question() -> None:
    async def end(desk: Desk, _: Hand) -> None:
        reply = asked(desk)
        await desk.wait(50)
        desk.end("The room is closed.")
        with pytest.raises(asyncio.CancelledError):
            await reply
        assert (desk.status, desk.questions) == ("The room is closed.", [])

    at_desk(end)


def test_a_flood_of_calls_does_not_wait() -> None:
    async def flood(desk: Desk, _: Hand) -> None:
        waiting = [asyncio.ensure_future(desk.wait(50)) for _ in range(MOST_WAITING)]
        await asyncio.sleep(0)
        await desk.wait(50)
        assert not any(call.done() for call in waiting)
        desk.end("over")
        await asyncio.gather(*waiting)

    at_desk(flood)


@pytest.mark.parametrize(
    ("line", "text", "action"),
    [
        ("play hand='AS KH 2C' trick=QH trump=S", " play kh ", Play(Card("KH"))),
        ("play hand='AS KH 2C' trick=QH trump=S", "2C", Play(Card("2C"))),
        ("declare hand='AS KH 2C 3C 4C' trump=S", "in 2c 3C", Declare(True, (Card("2C"), Card("3C")))),
        ("declare hand='AS KH 2C 3C 4C' trump=S", "PASS", Declare(False)),
        ("draw hand='AS KH 2C 3C 4C' trump=S preset=separate_rounds", "draw", Draw()),
    ],
)
def test_answers_are_read_as_people_write_them(line: str, text: str, action: object) -> None:
    assert read_answer(text, Question(1, "m1", view(line))) == action


@pytest.mark.parametrize(
    ("line", "text", "says"),
    [
        ("play hand='AS KH 2C' trick=QH trump=S", "10H", "write rank then suit"),
        ("play hand='AS KH 2C' trick=QH trump=S", "", "Answer with one card of your hand"),
        ("play hand='AS KH 2C' trick=QH trump=S", "3D", "3D is not in your hand: 2C KH AS"),
        ("play hand='AS KH 2C' trick=QH trump=S", "pass", "does not answer question 1"),
        ("play hand='AS KH 2C' trick=QH trump=S", "?late", "write rank then suit"),
        ("declare hand='AS KH 2C 3C 4C' trump=S", "in 2C 2C", "named a card twice"),
        ("declare hand='AS KH 2C 3C 4C' trump=S preset=separate_rounds", "in 2C", "after everyone has declared"),
    ],
)
def test_a_useless_answer_is_explained_and_may_be_given_again(line: str, text: str, says: str) -> None:
    with pytest.raises(AnswerError, match=says):
        read_answer(text, Question(1, "m1", view(line)))


def test_a_silent_renege_may_be_kept_or_recalled() -> None:
    question = Question(1, "m1", view("play hand='AS KH 2C' trick=QH trump=S renege_policy=silent"), Card("2C"))
    assert read_answer("keep", question) is None
    assert read_answer("recall KH", question) == Recall(Card("KH"))
    with pytest.raises(AnswerError, match="`keep` plays 2C"):
        read_answer("KH", question)
