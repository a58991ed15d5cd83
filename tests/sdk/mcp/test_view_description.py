"""Views in words."""

from __future__ import annotations

from bourre.desk.question import Question
from bourre.desk.view_description import describe_view
from bourre.mcp.view_data import question_data
from bourre.testing import view


def test_a_view_in_words_names_everything_but_the_legal_cards() -> None:
    words = describe_view(view("play hand='AS KH 2C' trick=QH trump=S pot=4 balances='-1 -1 -1 -1'"))
    assert "The pot holds 4; going bourré costs 4." in words
    assert "Your hand: 2C KH AS\n" in words
    assert "Trick 3, in progress: seat 3 QH" in words
    assert "legal" not in words


def test_after_a_renege_the_words_name_rule_cost_and_the_one_correction() -> None:
    words = describe_view(view("play hand='AS KH 2C' trick=QH trump=S correcting='2C R5.2 4' pot=4"))
    assert "Your 2C broke R5.2, follow suit if you can. You may correct it once, with another card." in words
    assert "Corrected, it still costs you this pot and your next turn to deal." in words
    assert "Another illegal card costs 4 chips and this pot." in words


def test_legal_cards_are_shown_only_on_request_and_only_for_a_card() -> None:
    play, declare = view("play hand='AS KH 2C' trick=QH trump=S"), view("declare hand='AS KH 2C 3C 4C' trump=S")
    shown = [
        question_data(Question(1, "m1", asked), None, show_legal).data.legal
        for asked in (play, declare)
        for show_legal in (False, True)
    ]
    assert shown == [None, ["KH"], None, None]
