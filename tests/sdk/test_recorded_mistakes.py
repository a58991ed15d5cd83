"""The mistakes that a record shows are told in the words of practice, whoever played."""

from __future__ import annotations

import re

import pytest

from bourre.bot import Bot
from bourre.practice import practice, practice_duplicate
from bourre.practice.recorded_mistakes import objection_to, recorded_mistakes
from bourre.record import Record, Recorder, chance_of, read
from bourre.rules.actions import Fault, Missing, Play, Recall
from bourre.rules.cards import Card
from bourre.rules.house import PRESETS, HouseRules
from bourre.rules.match import Match
from bourre.testing import view
from tests.sdk.bots import Keen, Wild


@pytest.mark.parametrize("preset", PRESETS)
def test_a_record_tells_of_illegal_answers_as_practice_did(preset: str) -> None:
    result = practice([Wild, Keen, Wild, Bot], deals=30, seed=7, house=HouseRules.preset(preset), strict=False)
    (match,) = result.matches
    told = [mistake.in_one_line(place) for mistake, place in recorded_mistakes(read(match.record), "7")]
    assert told == list(match.problems)
    assert told


def with_missing(fault: Fault) -> Record:
    """The record of a deal whose first answer did not come."""
    header = read(practice([Bot] * 3, deals=1, seed=7).matches[0].record).header
    match, recorder = Match(3, 1, header.house, chance_of(header)), Recorder(header)
    recorder.note(None, None, match.start())
    first = True
    while not match.over:
        seat, forced = match.deal.to_act, match.deal.forced
        action = forced if forced is not None else Missing(fault if first else Fault.ERROR)
        first = first and forced is not None
        recorder.note(seat, action, match.apply(seat, action))
    return read(recorder.text())


def test_a_missing_answer_is_told_with_its_fault_unless_the_bot_said_why() -> None:
    ((late, place),) = recorded_mistakes(with_missing(Fault.LATE), "7")
    text = late.in_full(place)
    assert text.startswith(f"{late.bot}: declare got no usable answer: late (match 1, deal 1, seat ")
    assert "\n  in a contest: it passes" in text
    assert '\n  as a test: view("declare hand=' in text
    assert [*recorded_mistakes(with_missing(Fault.ERROR), "7")] == []


def test_a_card_taken_back_for_an_illegal_one_is_told() -> None:
    asked = view("play hand='AS KH 2C' trick=QH trump=S")
    said, why = objection_to(Play(Card("KH")), Recall(Card("2C")), asked)
    assert (said, str(why)[:33]) == (Recall(Card("2C")), "recall returned 2C, which breaks ")
    assert objection_to(Play(Card("KH")), None, asked) == (None, None)


LINE_UPS = ((0, 1, 2), (1, 2, 0), (2, 0, 1))


def test_of_a_duplicate_match_the_seating_is_told_too() -> None:
    text = practice_duplicate([Wild, Keen, Bot], 20, lambda seats, deal: LINE_UPS, seed=7, strict=False)
    told = [(mistake.bot, place.partition(", ")[2]) for mistake, place in recorded_mistakes(read(text), "7")]
    seats = {re.sub(r"deal \d+", "deal", place) for _, place in told}
    assert {bot for bot, _ in told} == {"Wild"}
    assert seats == {f"deal, seating {number}, seat {seat}, seed 7" for number, seat in ((1, 0), (2, 2), (3, 1))}
