"""What a bot says besides its answers goes with the next one, is cut to fit, and never spoils an answer."""

from __future__ import annotations

import asyncio
import random

import pytest

from bourre import codec
from bourre.bot import Bot
from bourre.bot_code.lookalike_methods import find_misnamed
from bourre.connection.bot_tables import Tables
from bourre.messages import Answer, Ask, Bundle, Seating
from bourre.notes import MOST_COST, MOST_NOTE_BYTES, MOST_TOKENS, Usage, shorten_note
from bourre.practice import practice
from bourre.rules.actions import Declare, Fault, Missing, Play
from bourre.rules.cards import DECK, Card
from bourre.rules.deck import SeededChance
from bourre.rules.house import HouseRules
from bourre.rules.match import Match
from bourre.rules.visibility import View
from bourre.v1.referee_pb2 import Answer as WireAnswer
from bourre.v1.referee_pb2 import BotMessage
from tests.sdk.bots import Keen

RECEIVE_LIMIT = 64 * 1024


def answers_of(bot: type[Bot], times: int = 1) -> list[Answer]:
    """The answers of one instance to the same question, asked so often."""
    match = Match(3, 1, HouseRules(), SeededChance(b"a seed"))
    match.start()
    view = match.view(match.to_act)
    tables = Tables(bot)
    tables.follow(Bundle(seatings=[Seating(7, "m0001", view.seat, 3, 1, view.house)]))
    return [asyncio.run(tables.answers(Ask(7, number, view, 0)))[0] for number in range(1, times + 1)]


def over_the_wire(answers: list[Answer]) -> list[Answer]:
    data = codec.answers_to_wire(answers).SerializeToString()
    assert len(data) <= RECEIVE_LIMIT
    return codec.answers_from_wire(BotMessage.FromString(data))


class Talkative(Keen):
    """Says two things whenever it declares, and counts what it costs."""

    def declare(self, view: View) -> bool:
        self.note(f"trump is {view.trump}")
        self.add_usage(tokens_in=100, tokens_out=20, cost_millionths=1500)
        self.note("so I play")
        self.add_usage(tokens_in=1)
        return True


def test_each_answer_has_the_notes_and_the_usage_since_the_last() -> None:
    first, second = answers_of(Talkative, times=2)
    assert first.action == Declare(True)
    assert first.note.splitlines()[1:] == ["so I play"]
    assert first.usage == Usage(tokens_in=101, tokens_out=20, calls=2, cost_millionths=1500)
    assert second == first._replace(id=2, spent_us=second.spent_us)
    assert over_the_wire([first]) == [first]


def test_a_bot_that_says_nothing_sends_nothing_more() -> None:
    (answer,) = answers_of(Keen)
    assert (answer.note, answer.usage) == ("", None)
    assert not codec.answers_to_wire([answer]).answers[0].HasField("note")
    assert not codec.answers_to_wire([answer]).answers[0].HasField("usage")


def test_a_bot_that_fails_is_still_quoted() -> None:
    class Failing(Talkative):
        def declare(self, view: View) -> bool:
            super().declare(view)
            raise ValueError("no idea")

    (answer,) = answers_of(Failing)
    assert answer.action == Missing(Fault.ERROR)
    assert "so I play" in answer.note
    assert over_the_wire([answer]) == [answer]


def test_a_long_note_is_cut_between_characters() -> None:
    class Rambling(Keen):
        def declare(self, view: View) -> bool:
            for _ in range(3000):
                self.note("é…" * 700)
            return True

    (answer,) = answers_of(Rambling)
    assert MOST_NOTE_BYTES - 3 <= len(answer.note.encode()) <= MOST_NOTE_BYTES
    assert set(answer.note) == {"é", "…", "\n"} or set(answer.note) == {"é", "…"}
    assert over_the_wire([answer]) == [answer]


def test_a_longer_note_from_any_program_is_cut_at_the_referee() -> None:
    message = BotMessage(answers=[WireAnswer(card="AS", note="…" * 5000)])
    (heard,) = codec.answers_from_wire(message)
    assert (heard.action, heard.note) == (Play(Card("AS")), "…" * (MOST_NOTE_BYTES // 3))


def test_a_note_that_utf8_cannot_hold_is_no_fault() -> None:
    class Broken(Keen):
        def declare(self, view: View) -> bool:
            self.note("half a character: \ud800")
            return True

    (heard,) = over_the_wire(answers_of(Broken))
    assert (heard.action, heard.note) == (Declare(True), "half a character: ?")


@pytest.mark.parametrize("tables", [20, 64, 500, 1000])
def test_the_notes_of_many_tables_fit_into_one_message(tables: int) -> None:
    rng = random.Random(tables)
    answers = [
        Answer(number, 1, Play(rng.choice(DECK)), spent_us=9, note="\U0001f0a1" * rng.choice([0, 3, 500]))
        for number in range(tables)
    ]
    heard = over_the_wire(answers)
    assert [one._replace(note="") for one in heard] == [one._replace(note="") for one in answers]
    assert all(said.note.startswith(one.note) for said, one in zip(answers, heard, strict=True))
    assert any(one.note for one in heard)
    if tables == 20:
        assert [one.note for one in heard] == [one.note[:512] for one in answers]


def test_answers_that_leave_no_room_lose_their_notes_only() -> None:
    answers = [Answer(number, 1, Missing(Fault.ERROR), "x" * 2000, note="why") for number in range(31)]
    answers += [Answer(number, 1, Play(Card("AS")), note="why") for number in range(60)]
    assert [one.note for one in over_the_wire(answers)] == [""] * 91


def test_usage_beyond_measure_is_reported_as_the_most_that_can_be() -> None:
    most = Usage(2**40, 2**40, 2**40, 2**80)
    (heard,) = over_the_wire([Answer(7, 1, Declare(False), usage=most)])
    assert heard.usage == Usage(MOST_TOKENS, MOST_TOKENS, MOST_TOKENS, MOST_COST)
    assert most + most == Usage(2**41, 2**41, 2**41, 2**63 - 1)


def test_usage_must_be_whole_numbers() -> None:
    bot = Keen()
    with pytest.raises(TypeError, match=r"add_usage: tokens_in must be a whole number, not 1\.5"):
        bot.add_usage(tokens_in=1.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="add_usage: cost_millionths must be 0 or more, not -1"):
        bot.add_usage(cost_millionths=-1)


def test_a_bot_with_a_note_of_its_own_plays_as_before() -> None:
    class Notebook(Bot):
        note: list[str] = []  # type: ignore[assignment]  # noqa: RUF012

        def __init__(self) -> None:
            self.note = ["its own"]

        def add_usage(self) -> None:  # type: ignore[override]
            raise AssertionError("nobody calls it")

    (answer,) = answers_of(Notebook)
    assert (answer.note, answer.usage) == ("", None)
    assert isinstance(answer.action, Declare)
    assert list(find_misnamed(Notebook)) == []


def test_practice_takes_bots_that_talk() -> None:
    talking = practice([Talkative, Keen], deals=3, seed=1)
    silent = practice([Keen, Keen], deals=3, seed=1)
    assert [m.balances for m in talking.matches] == [m.balances for m in silent.matches]


def test_cutting_keeps_what_fits() -> None:
    assert shorten_note("né", 3) == "né"
    assert shorten_note("né", 2) == "n"
    assert shorten_note("né", 0) == ""
