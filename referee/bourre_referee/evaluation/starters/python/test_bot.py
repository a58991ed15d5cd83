"""Tests that any bot must pass. Run them with `python -m pytest`, and add tests of how yours should play."""

from bot import MyBot
from bourre.testing import assert_fast, assert_legal, view


def test_it_answers_a_hand_written_in_a_line() -> None:
    asked = view("play hand='4H KH 2S' trick=3H trump=S")
    assert MyBot().play(asked) in asked.legal  # for a bot that plays high: ... == Card("KH")


def test_every_answer_is_legal() -> None:
    assert_legal(MyBot, deals=200, seed=7)


def test_no_answer_takes_long() -> None:
    assert_fast(MyBot)
