"""A bot's connection: its clock, its bank, and who is asked what; with a clock that the test advances."""

import asyncio
from types import SimpleNamespace

import pytest

from bourre.messages import Answer, Ask, MatchEnd
from bourre.notes import Usage
from bourre.rules.actions import Play, Recall
from bourre.rules.cards import Card
from bourre_referee.model.spec import Clock
from bourre_referee.server import ask_batching
from bourre_referee.server.ask_batching import MANY_TABLES
from tests.referee.connection_desk import PASS, Desk, asked


@pytest.mark.parametrize(
    ("script", "heard", "banks"),
    [
        pytest.param("ask 0:1, 0.9, answer 0:1", "0 pass", [5000], id="in time costs nothing"),
        pytest.param("ask 0:1, 3.5, answer 0:1", "0 pass", [2500], id="what takes longer comes from the bank"),
        pytest.param("ask 0:1, 5.999", "", [5000], id="not late"),
        pytest.param("ask 0:1, 6", "0 late", [0], id="late when time and bank are used up"),
        pytest.param("ask 0:1, 6, ask 0:2, 0.999", "0 late", [0], id="the next one has its time"),
        pytest.param("ask 0:1, 6, ask 0:2, 1", "0 late, 0 late", [0], id="and no bank"),
        pytest.param(
            *("ask 0:1 1:1 2:1, 2.7, answer 0:1 1:1 2:1", "0 pass, 1 pass, 2 pass", [5000] * 3),
            id="n answers in one message took one n-th each",
        ),
        pytest.param(
            *("ask 0:1, 2, answer 0:1 0:7 0:8 5:1", "0 pass, stray 0:7, stray 0:8, stray 5:1", [4000]),
            id="strays do not thin the charge",
        ),
        pytest.param(
            *("ask 0:1, 0.5, ask 1:1, 5.5", "0 late", [0, 5000]),
            id="the oldest is late first and its bank alone is spent",
        ),
        pytest.param("ask 0:1, 0.5, ask 1:1, 11.5", "0 late, 1 late", [0, 0], id="the other one is late next"),
        pytest.param(
            *("ask 0:1 1:1, 6, ask 0:2, answer 1:1, 0.999", "0 late, 1 pass", [0, 5000]), id="with an empty bank"
        ),
        pytest.param(
            *("ask 0:1 1:1, 6, ask 0:2, answer 1:1, 1", "0 late, 1 pass, 0 late", [0, 5000]),
            id="a smaller bank moves the timer forward",
        ),
        pytest.param("ask 0:1, answer 0:1 0:1", "0 pass, stray 0:1", [5000], id="an answer counts once"),
        pytest.param("ready 0:1, answer 0:1", "stray 0:1", [5000], id="what is not sent cannot be answered"),
    ],
)
def test_the_bank_pays_for_what_takes_longer(script: str, heard: str, banks: list[int]) -> None:
    desk = Desk()
    desk.seat(*range(len(banks)))
    assert desk.act(script) == heard
    assert [desk.bank_ms(table) for table in range(len(banks))] == banks


@pytest.mark.parametrize(
    ("match_ms", "script", "heard"),
    [
        pytest.param(
            *(9000, "ask 0:1 1:1, 0.9, answer 0:1, 0.9, answer 1:1", "0 pass, 1 pass"),
            id="the clock starts anew with each sign of life",
        ),
        pytest.param(
            *(9000, "ask 0:1, 0.9, answer 0:99, 0.1", "0 late, stray 0:99"),
            id="what is not awaited is no sign of life",
        ),
        pytest.param(
            *(2000, "ask 0:1, 0.9, answer 0:1, ask 0:2, 0.9, answer 0:2, ask 0:3, 0.199", "0 pass, 0 pass"),
            id="within the limit of the match",
        ),
        pytest.param(
            *(
                2000,
                "ask 0:1, 0.9, answer 0:1, ask 0:2, 0.9, answer 0:2, ask 0:3, 0.2, ask 1:1, 0.9, answer 1:1",
            ),
            "0 pass, 0 pass, 1 pass, stalled 0",
            id="a match has a limit of its own",
        ),
        pytest.param(
            *(2500, "ask 0:1, 1, ask 0:2, 1, ask 0:3, 1", "0 late, 0 late, stalled 0"),
            id="what is late counts for the match too",
        ),
    ],
)
def test_without_a_bank_the_time_of_a_decision_and_of_the_match_count(match_ms: int, script: str, heard: str) -> None:
    desk = Desk(Clock(decision_ms=1000, bank_ms=0, match_ms=match_ms))
    desk.seat(0, 1)
    assert desk.act(script) == heard


def test_what_is_late_is_told_with_the_time_that_it_had_and_an_empty_message_is_no_sign_of_life() -> None:
    desk = asked(0)
    desk.time.advance(5.9)
    desk.line.receive([])
    desk.time.advance(0.1)
    desk.ask(0, 2)
    desk.time.advance(1.0)
    assert desk.heard.late_asks == [(1, 6000), (2, 1000)]


def test_what_comes_with_an_answer_is_passed_on_before_it_and_of_strays_ignored() -> None:
    desk = asked(0, 1, 2)
    noted, used = Answer(1, 1, PASS, note="why"), Answer(2, 1, PASS, usage=Usage(calls=1))
    desk.line.receive([Answer(0, 1, PASS), noted, used, noted, Answer(9, 1, PASS, note="who?")])
    assert desk.heard.remarks == [(1, noted), (2, used)]
    assert len(desk.heard.answers) == 3
    assert len(desk.heard.strays) == 2


def test_nothing_is_awaited_at_a_table_that_was_withdrawn() -> None:
    desk = asked(0, 1)
    desk.line.withdraw(0)
    desk.answer((0, 1), (1, 1))
    assert desk.heard.answers == [(1, PASS)]
    desk.time.advance(60)
    assert desk.heard.answers == [(1, PASS)]


def test_an_ask_that_what_stands_before_its_answer_withdraws_is_awaited_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    desk = asked(0)

    def ask_anew(_bot: str, answer: Answer) -> None:
        desk.heard.strays.append(answer)
        if answer.id == 99:
            desk.line.withdraw(0)
            desk.ask(0, 2)

    monkeypatch.setattr(desk.heard, "unasked", ask_anew)
    desk.answer((0, 99), (0, 1))
    assert desk.heard.answers == []
    assert [stray.id for stray in desk.heard.strays] == [99, 1]
    desk.answer((0, 2))
    assert desk.heard.answers == [(0, PASS)]


def test_the_time_used_in_a_match_is_told_at_its_end() -> None:
    desk = Desk()
    desk.seat(0)
    for number, seconds in enumerate((0.1, 0.3), start=1):
        desk.ask(0, number)
        desk.time.advance(seconds)
        desk.answer((0, number))
    timing = desk.line.end_match(MatchEnd(0, (0, 0)))
    assert timing.decisions == 2
    assert timing.total_ms == pytest.approx(400)
    assert timing.longest_ms == pytest.approx(300)


async def test_what_is_ready_goes_out_in_one_bundle() -> None:
    desk = asked(0, 1)
    bundle = await desk.line.outgoing()
    assert bundle.welcome is not None
    assert [seating.table for seating in bundle.seatings] == [0, 1]
    assert [ask.table for ask in bundle.asks] == [0, 1]
    desk.line.say_goodbye("done")
    assert (await desk.line.outgoing()).goodbye == "done"


def test_a_line_is_lost_once_and_not_after_goodbye() -> None:
    desk = asked(0)
    desk.line.hang_up()
    assert desk.heard.losses == 1
    desk.line.close()
    desk.line.hang_up()
    assert desk.heard.losses == 1
    desk.line.ask(Ask(0, 2, desk.view, 0))
    desk.time.advance(60)
    assert desk.heard.answers == []
    polite = Desk()
    polite.seat(0)
    polite.make_ready(0)
    polite.line.say_goodbye("done")
    polite.send()
    polite.time.advance(60)
    polite.line.hang_up()
    assert (polite.heard.losses, polite.heard.answers, polite.heard.stalls) == (0, [], [])


def test_a_recall_goes_with_the_card_of_its_message_and_is_else_unasked() -> None:
    desk = asked(0)
    play, recall = Answer(0, 1, Play(Card("2C"))), Answer(0, 1, Recall(Card("3C")))
    desk.line.receive([play, recall])
    assert desk.heard.answers == [(0, Play(Card("2C")))]
    assert desk.heard.recalls == [Recall(Card("3C"))]
    assert desk.heard.strays == []
    desk = asked(0)
    desk.line.receive([recall])
    desk.line.receive([recall, play])
    assert desk.heard.strays == [recall, recall]
    assert desk.heard.recalls == [None]


def asks_that_travel(tables: int, *, thinking: bool, answers: bool) -> list[int]:
    """An ask at table 0 becomes ready, then one at table 1; the bot may be asked already at table 2 and may answer."""

    async def first_asks() -> list[int]:
        desk = Desk()
        desk.seat(*range(tables))
        await desk.line.outgoing()
        if thinking:
            desk.make_ready(2)
            await desk.line.outgoing()
            desk.send()
        desk.make_ready(0)
        outgoing = asyncio.create_task(desk.line.outgoing())
        await asyncio.sleep(0)  # it has begun, and ends at once if there is nothing to wait for
        desk.make_ready(1)
        if answers:
            desk.answer((2, 1))
        return [ask.table for ask in (await outgoing).asks]

    return asyncio.run(first_asks())


@pytest.mark.parametrize(("tables", "together"), [(MANY_TABLES - 1, [0]), (MANY_TABLES, [0, 1])])
def test_only_at_many_tables_asks_wait_while_a_bot_thinks(tables: int, together: list[int]) -> None:
    assert asks_that_travel(tables, thinking=True, answers=True) == together


def test_an_ask_waits_only_for_a_bot_that_thinks_and_not_long() -> None:
    assert asks_that_travel(MANY_TABLES, thinking=False, answers=False) == [0]
    assert asks_that_travel(MANY_TABLES, thinking=True, answers=False) == [0, 1]


def test_an_ask_travels_as_soon_as_the_last_bot_has_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ask_batching, "LONGEST_SECONDS", 3600.0)
    assert asks_that_travel(MANY_TABLES, thinking=True, answers=True) == [0, 1]


def test_the_alarm_of_a_wait_that_is_over_does_not_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled: list[float] = []

    def call_later(seconds: float, _ring: object) -> SimpleNamespace:
        return SimpleNamespace(cancel=lambda: cancelled.append(seconds))

    async def wait() -> None:
        thinking = True
        gathered = ask_batching.AskBatching(lambda: thinking)
        waiting = asyncio.create_task(gathered.wait())
        monkeypatch.setattr(asyncio, "get_running_loop", lambda: SimpleNamespace(call_later=call_later))
        await asyncio.sleep(0)
        gathered.look()
        await asyncio.sleep(0)
        assert not waiting.done()
        thinking = False
        gathered.look()
        await waiting
        monkeypatch.undo()

    asyncio.run(wait())
    assert cancelled == [ask_batching.LONGEST_SECONDS]
