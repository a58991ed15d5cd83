"""The end of a person's game: the result, and the dearest decisions, judged step by step."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bourre.extras import install_command
from bourre.practice import practice
from bourre.record import Record, read
from bourre_referee.evaluation import game_ending
from bourre_referee.evaluation.game_ending import ending_of, judge_ending
from bourre_referee.evaluation.review.reviewed_play import review_records, worst
from bourre_referee.model.results import MatchResult, SeatResult
from bourre_seats.seat.ending import Ending, EndingSeat, lost_lines, result_lines
from tests.sdk.bots import Keen

NAMES = ("You", "Tight", "Counter")


def played(deals: int) -> Record:
    """A game of three bots that come in with any hand."""
    return read(practice(dict.fromkeys(("you", "tight", "counter"), Keen), deals, seed=3).matches[0].record)


def result(record: Record) -> MatchResult:
    order = sorted(record.final, reverse=True)
    seats = zip(record.header.bots, record.final, strict=True)
    ranked = (SeatResult(bot, chips, order.index(chips) + 1, 0, 2, 0, 0, 0) for bot, chips in seats)
    return MatchResult(record.header.match, len(record.deals), tuple(ranked))


def judged(ending: Ending, record: Record) -> list[Ending]:
    async def run() -> list[Ending]:
        return [one async for one in judge_ending(ending, record, 0)]

    return asyncio.run(run())


def test_the_end_tells_the_result_and_the_course() -> None:
    record = played(6)
    ending = ending_of(record, result(record), NAMES, 0)
    assert [seat.chips for seat in ending.seats] == sorted(record.final, reverse=True)
    (own,) = (seat for seat in ending.seats if seat.you)
    assert (own.name, own.chips) == ("You", record.final[0])
    assert len(ending.curve) == 6
    assert ending.curve[-1] == record.final[0]
    assert (ending.entered, ending.bourres, ending.lost) == (6, 2, None)
    assert next(result_lines(ending)).split() == [ending.seats[0].name, f"{ending.seats[0].chips:+d}"]


def test_the_end_is_told_from_the_seat_in_which_the_person_sat() -> None:
    record = played(6)
    ending = ending_of(record, result(record), ("Tight", "You", "Counter"), 1)
    (own,) = (seat for seat in ending.seats if seat.you)
    assert (own.name, own.chips, ending.curve[-1]) == ("You", record.final[1], record.final[1])


@pytest.mark.parametrize(
    ("ranks", "heading"),
    [((1, 2, 3), "You finish first"), ((3, 1, 2), "You finish last"), ((2, 1, 2), "You share second place")],
)
def test_the_heading_tells_the_place(ranks: tuple[int, ...], heading: str) -> None:
    seats = tuple(EndingSeat(name, 0, rank, name == "You") for name, rank in zip(NAMES, ranks, strict=True))
    assert Ending(seats, 1, 0, (0,)).heading == heading


def test_the_dearest_decisions_are_those_of_the_review_and_come_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_ending, "AT_ONCE", 5)
    record = played(2)
    ending = ending_of(record, result(record), NAMES, 0)
    *steps, last = judged(ending, record)
    mistakes = worst(review_records([record], "you", 2).decisions, 100)
    assert [one.judged for one in steps] == list(range(0, last.decisions, 5))
    assert all(one.lost is None for one in steps)
    assert (last.mistakes, last.judged) == (len(mistakes), last.decisions)
    assert last.lost is not None
    assert [(one.deal, one.cost) for one in last.lost] == [(one.ask.view.deal, one.cost) for one in mistakes[:3]]
    first = last.lost[0]
    assert first.situation.startswith(f"pot {mistakes[0].ask.view.pot}, ")
    assert first.chips == mistakes[0].chips
    told = list(lost_lines(last))
    assert told[0] == "Where it was lost, as the champion judges it:"
    assert f"Better: {first.better}, by {first.cost:.1f} ± {first.error:.1f} chips." in told[2]
    assert list(lost_lines(replace(last, lost=()))) == ["The champion finds no mistake of yours."]


def test_without_the_champion_the_end_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ModuleNotFoundError("no lab", name="bourre_lab")

    monkeypatch.setattr(game_ending, "open_lab", missing)
    record = played(1)
    (only,) = judged(ending_of(record, result(record), NAMES, 0), record)
    assert list(lost_lines(only)) == [f"To see where it was lost, install the champion: {install_command('champion')}"]
