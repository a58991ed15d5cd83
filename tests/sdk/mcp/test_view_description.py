"""Views in words, and as data."""

from __future__ import annotations

import pytest

from bourre.rules.cards import Card
from bourre.testing import view, view_text
from bourre_seats.mcp.tools import QuestionData, TrickData, ViewData, question_data
from bourre_seats.question_queue.question import QueuedQuestion
from bourre_seats.question_queue.view_description import describe_view

CARD = "play hand='AS KH 2C' trick=QH trump=S"


def test_a_view_in_words_names_everything_but_the_legal_cards() -> None:
    words = describe_view(view(f"{CARD} pot=24 balances='-6 -6 -6 -6'"))
    assert words.startswith("Deal 1 of 50: you are seat 0 of 4, and seat 2 deals.\n")
    assert "The pot holds 24; going bourré costs 20." in words
    assert "Your hand: 2C KH AS\n" in words
    assert "Trick 3, in progress: seat 3 QH" in words
    assert "legal" not in words
    assert ", and you deal." in describe_view(view("play hand='AS KH' trump=S dealer=0 leader=0"))


@pytest.mark.parametrize(
    ("policy", "costs"),
    [
        ("prompt", "Corrected, it still costs you this pot and your next turn to deal."),
        ("retract", "Corrected, it costs you nothing."),
        ("retract_renege", "Corrected, it still costs what a renege costs."),
    ],
)
def test_after_a_renege_the_words_name_rule_cost_and_the_one_correction(policy: str, costs: str) -> None:
    words = describe_view(view(f"{CARD} correcting='2C R5.2 4' pot=4 renege_policy={policy}"))
    assert "Your 2C broke R5.2, follow suit if you can. You may correct it once, with another card." in words
    assert f" {costs} " in words
    assert "Another illegal card costs 4 chips and this pot." in words


def test_legal_cards_are_shown_only_on_request_and_only_for_a_card() -> None:
    play, declare = view(CARD), view("declare hand='AS KH 2C 3C 4C' trump=S")
    shown = [
        question_data(QueuedQuestion(1, "m1", asked), None, show_legal).data.legal
        for asked in (play, declare)
        for show_legal in (False, True)
    ]
    assert shown == [None, ["KH"], None, None]


def test_each_figure_of_a_view_has_its_own_place_in_the_data() -> None:
    known = "pot=24 balances='-3 -5 -7 -9' deal=3 deals=9 barred=2 owed_turns='0 1 0 0' discarded='3C 4C'"
    seen = view(f"{CARD} {known} drawn='2 1 0 3' tricks='3:5D 6D 7D 8D / 2:9D KD TD JD'")
    data = ViewData(
        decision="play",
        deal=3,
        deals=9,
        seat=0,
        dealer=2,
        hand=["2C", "KH", "AS"],
        trump="S",
        turned="2S",
        dead=None,
        pot=24,
        bourre_costs=20,
        max_discards=5,
        balances=[-3, -5, -7, -9],
        plays=[True] * 4,
        drawn=[2, 1, 0, 3],
        tricks_won=[0, 0, 1, 1],
        discarded=["3C", "4C"],
        leader=3,
        trick=["QH"],
        tricks=[TrickData(3, ["5D", "6D", "7D", "8D"], 2), TrickData(2, ["9D", "KD", "TD", "JD"], 3)],
        barred=[2],
        owed_turns=[0, 1, 0, 0],
        legal=["KH"],
    )
    words, notation = describe_view(seen), view_text(seen)
    asked = QueuedQuestion(7, "m3", seen)
    whole = QuestionData(7, "m3", "play", "one card of your hand: 2C KH AS.", words, data, notation, 12.5)
    assert question_data(asked, 12.5, True) == whole
    assert question_data(QueuedQuestion(7, "m3", seen, Card("2C")), None, True).asked == "recall"
