"""The desk: what is open, for how long, and what an answer must be."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from bourre.bot import take_remarks
from bourre.bot_code.decisions import decide, recall
from bourre.messages import Ask, Bundle, MatchEnd, Seating, Welcome
from bourre.rules.actions import Declare, Draw, NameTrump, Play, Recall, Stay
from bourre.rules.cards import Card, Suit, parse_cards
from bourre.rules.events import AntePaid, DealEnded, DealStarted, PotTaken
from bourre.rules.house import HouseRules
from bourre.rules.view import View
from bourre.testing import view
from bourre.words.table_words.deal_lines import MatchLog
from bourre_seats.question_queue.desk import MOST_LOGS, MOST_WAITING, Desk
from bourre_seats.question_queue.desk_bot import bot_for
from bourre_seats.question_queue.question import AnswerError, QueuedQuestion, Reply, read_answer

CARD = "play hand='AS KH 2C' trick=QH trump=S"
PLAY = view(CARD)
FIVE = "hand='AS KH 2C 3C 4C'"
HOUSE = HouseRules.preset("limit")


@dataclass
class Hand:
    """A clock that the test moves."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


def asked(desk: Desk, table: int = 1, number: int = 1) -> asyncio.Task[Reply]:
    """Has the referee ask for a card, with a decision time of a quarter of an hour."""
    ask = Ask(table, number, view(CARD), bank_ms=0)
    desk.follow(Bundle(asks=[ask]))
    return asyncio.ensure_future(desk.ask(ask.view, MatchLog()))


def at_desk(test: Callable[[Desk, Hand], Awaitable[None]]) -> None:
    """Runs a test at a desk whose agent sits at two tables of a referee."""

    async def run() -> None:
        clock = Hand()
        desk = Desk(clock)
        desk.begin("Connecting.")
        seatings = [Seating(table, f"m{table}", 2, 4, 10, HOUSE) for table in (1, 2)]
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
        asks = [Ask(table, 1, view(CARD), 5_000, match_ms=left) for table, left in ((1, 2_000_000), (2, 30_000))]
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
        for late in (reply, desk.ask(PLAY, MatchLog())):
            with pytest.raises(asyncio.CancelledError):
                await late
        assert (desk.status, desk.questions) == ("The room is closed.", [])

    at_desk(end)


def test_calls_wait_for_the_next_question_and_a_flood_of_them_does_not() -> None:
    async def flood(desk: Desk, _: Hand) -> None:
        for number in (1, 2):
            waiting = [asyncio.ensure_future(desk.wait(50)) for _ in range(MOST_WAITING)]
            await asyncio.sleep(0)
            await desk.wait(50)
            assert not any(call.done() for call in waiting)
            reply = asked(desk, number=number)
            await asyncio.gather(*waiting)
            desk.answer(number, "KH")
            await reply
        desk.end("over")

    at_desk(flood)


def test_the_end_of_a_match_is_told_and_the_last_matches_are_remembered() -> None:
    async def play(desk: Desk, _: Hand) -> None:
        desk.follow(Bundle(match_ends=[MatchEnd(1, (5, -5, 0, 0))]))
        assert desk.status == "Match m1 is over: chips by seat +5 -5 +0 +0; yours was seat 2."
        for number in range(1, MOST_LOGS + 2):
            desk.follow(Bundle(seatings=[Seating(1, f"n{number}", 0, 4, 10, HOUSE)]))
            reply = asked(desk, number=number)
            await asyncio.sleep(0)
            desk.answer(number, "KH")
            await reply
        assert [*desk.logs] == [f"n{number}" for number in range(2, MOST_LOGS + 2)]

    at_desk(play)


def test_the_last_deals_are_remembered_in_full_and_all_by_their_outcome() -> None:
    log = MatchLog()
    for deal in range(1, 13):
        log.hear(DealStarted(deal, 0), f"deal {deal}")
        log.hear(AntePaid(0, 1), "an ante")
        log.hear(PotTaken(1, deal), f"{deal} taken")
        log.hear(DealEnded(deal, (-deal, deal), 0), "the end")
    log.hear(DealStarted(13, 1), "deal 13")
    ended = ["12 taken", "the end"]
    assert log.deal(12) == ["deal 12", "an ante", *ended]
    assert [log.deal(), log.deal(3), bool(log.deal(4))] == [["deal 13"], [], True]
    assert (len(log.outcomes()), log.outcomes()[-1]) == (12, f"deal 12: {'; '.join(ended)}")


@pytest.mark.parametrize(
    ("line", "text", "action"),
    [
        (CARD, " play kh ", Play(Card("KH"))),
        (CARD, "2C", Play(Card("2C"))),
        (f"declare {FIVE} trump=S", "in 2c 3C", Declare(True, (Card("2C"), Card("3C")))),
        (f"declare {FIVE} trump=S", "PASS", Declare(False)),
        (f"draw {FIVE} trump=S preset=separate_rounds", "draw", Draw()),
    ],
)
def test_answers_are_read_as_people_write_them(line: str, text: str, action: object) -> None:
    assert read_answer(text, QueuedQuestion(1, "m1", view(line))) == action


@pytest.mark.parametrize(
    ("line", "text", "says"),
    [
        (CARD, "10H", "use rank then suit"),
        (CARD, "", "Answer with one card of your hand"),
        (CARD, "3D", "3D is not in your hand: 2C KH AS"),
        (CARD, "pass", "does not answer question 1"),
        (CARD, "?late", "use rank then suit"),
        (CARD, "keep", "Answer with one card of your hand"),
        (f"draw {FIVE} trump=S preset=separate_rounds", "draw 9D", "9D is not in your hand"),
        (f"declare {FIVE} trump=S", "in 2C 2C", "named a card twice"),
        (f"declare {FIVE} trump=S preset=separate_rounds", "in 2C", "after everyone has declared"),
    ],
)
def test_a_useless_answer_is_explained_and_may_be_given_again(line: str, text: str, says: str) -> None:
    with pytest.raises(AnswerError, match=says):
        read_answer(text, QueuedQuestion(1, "m1", view(line)))


def test_a_silent_renege_may_be_kept_or_recalled() -> None:
    question = QueuedQuestion(1, "m1", view(f"{CARD} renege_policy=silent"), Card("2C"))
    assert read_answer("keep", question) is None
    assert read_answer("recall KH", question) == Recall(Card("KH"))
    for text, says in (("KH", "`keep` plays 2C, or `recall`"), ("recall 9D", "9D is not in your hand")):
        with pytest.raises(AnswerError, match=says):
            read_answer(text, question)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (CARD, "one card of your hand: 2C KH AS."),
        (f"declare {FIVE} trump=S preset=separate_rounds", "`pass`, or `in` to play this deal."),
        (
            f"declare {FIVE} trump=S preset=separate_dealer_option dealer=0",
            "`pass`, or `in` and the cards that you exchange, at most 5: `in` keeps all, `in 2C 3C` exchanges these. "
            "Add `take` to take 2S for one of them.",
        ),
        (
            f"draw {FIVE} trump=S preset=separate_rounds max_discards=1",
            "`draw` and the cards that you exchange, at most 1: `draw` keeps all, `draw 2C` exchanges these.",
        ),
        (f"name_trump {FIVE} preset=nba", "`trump` and a suit: `trump C`, `trump D`, `trump H` or `trump S`."),
        ("stay hand='AS KH 2C 3C' trump=S preset=indiana second_ante=3", "`stay` pays another 3, `leave` passes."),
    ],
)
def test_a_question_says_how_it_is_answered(line: str, says: str) -> None:
    assert QueuedQuestion(1, "m1", view(line)).answers == says


class Agent(Desk):
    """A desk whose agent types these texts."""

    def __init__(self, *texts: str) -> None:
        super().__init__()
        self._texts = iter(texts)

    async def ask(self, view: View, log: MatchLog, reneged: Card | None = None) -> Reply:
        return Reply(read_answer(next(self._texts), QueuedQuestion(1, "m1", view, reneged)), "because")


CONVERSATION = (
    (f"declare {FIVE} trump=S", "in 2C 3C", Declare(True, parse_cards("2C 3C"))),
    (f"draw {FIVE} trump=S preset=separate_rounds", "draw 4C", Draw(parse_cards("4C"))),
    (
        f"declare {FIVE} trump=S preset=separate_dealer_option dealer=0",
        "in 2C take",
        Declare(True, (Card("2C"),), True),
    ),
    (f"declare {FIVE} trump=S preset=separate_dealer_option dealer=0", "in 3C", Declare(True, (Card("3C"),))),
    (f"declare {FIVE} trump=S", "pass", Declare(False)),
    (f"declare {FIVE} trump=S preset=separate_rounds", "in", Declare(True)),
    (f"draw {FIVE} trump=S preset=separate_rounds", "draw", Draw()),
    (f"name_trump {FIVE} preset=nba", "trump H", NameTrump(Suit.H)),
    ("stay hand='AS KH 2C 3C' trump=S preset=indiana", "leave", Stay(False)),
    ("stay hand='AS KH 2C 3C' trump=S preset=indiana", "stay", Stay(True)),
    (CARD, "2C", Play(Card("2C"))),
)
"""Questions to one bot, what its agent types, and what the bot decides."""


def test_the_bot_of_a_desk_decides_what_its_agent_types_and_nothing_else() -> None:
    bot = bot_for(Agent(*(typed for _, typed, _ in CONVERSATION), "keep", "recall KH"))()
    for line, _, action in CONVERSATION:
        assert asyncio.run(decide(bot, view(line))) == action
        said = take_remarks(bot)
        assert said is not None
        assert said.note == "because"
    silent = view(f"{CARD} renege_policy=silent")
    recalled = [asyncio.run(recall(bot, silent, Play(Card("2C")))) for _ in range(2)]
    assert recalled == [None, Recall(Card("KH"))]
