"""What the bot should do, on hands written in a line. `python -m pytest` runs it."""

from bot import MyBot
from bourre.testing import assert_fast, assert_legal, view


def test_it_plays_with_two_trumps_and_passes_with_a_low_one() -> None:
    assert MyBot().declare(view("declare hand='4C 9H QD 2S 7S' trump=S"))
    assert not MyBot().declare(view("declare hand='4C 9H QD AH 7S' trump=S"))


def test_every_answer_is_legal() -> None:
    assert_legal(MyBot, deals=200, seed=7)


def test_no_answer_takes_long() -> None:
    assert_fast(MyBot)
