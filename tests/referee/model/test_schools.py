"""The schools of the baseline `bot styles 2`: what a bot's first matches teach, and when that ends."""

from __future__ import annotations

import pytest

from bourre_referee.luck import BotLessons, PlayedBoard, Schools, luck_of_match, schools, style_luck
from bourre_referee.luck.style_luck import luck_after
from tests.referee.model.test_style_luck import LIMIT, SEED, seated_deals

BOTS = ("counter", "drawer", "tight")
BOARDS = seated_deals(LIMIT, 3, 12)


def of_deals(first: int, last: int) -> list[PlayedBoard]:
    return [board for board in BOARDS if first <= board.deal <= last]


def luck_with(taught: Schools, boards: list[PlayedBoard]) -> list[tuple[int, ...]]:
    return luck_of_match(boards, LIMIT, SEED, "bot styles 2", taught.lessons(BOTS))


def test_the_first_match_has_the_luck_of_version_1() -> None:
    assert luck_with(Schools(), of_deals(1, 6)) == style_luck(of_deals(1, 6), LIMIT, SEED)


def test_a_later_match_goes_on_as_if_it_were_the_same() -> None:
    taught = Schools()
    taught.add(BOTS, of_deals(1, 6), LIMIT)
    found = luck_with(taught, of_deals(7, 12))
    assert found == style_luck(BOARDS, LIMIT, SEED)[-len(found) :]
    assert found != style_luck(of_deals(7, 12), LIMIT, SEED)


def test_the_luck_of_a_match_teaches_nothing_about_another() -> None:
    """Its lessons are its own: the school hears of it only when it is added."""
    taught = Schools()
    once = luck_with(taught, of_deals(1, 6))
    assert luck_with(taught, of_deals(1, 6)) == once


def test_lessons_are_about_the_bot_in_whatever_seats_and_company() -> None:
    taught, turned = Schools(), Schools()
    taught.add(BOTS, of_deals(1, 6), LIMIT)
    turned.add((*BOTS[1:], BOTS[0]), of_deals(1, 6), LIMIT)
    found = [
        luck_after(lessons, of_deals(7, 12), LIMIT, SEED)
        for lessons in (taught.lessons(BOTS), turned.lessons((*BOTS[1:], BOTS[0])), [BotLessons() for _ in BOTS])
    ]
    assert found[0] == found[1] != found[2]


def test_a_school_ends_with_the_match_that_completes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schools, "SCHOOL_DEALS", 4)
    taught, short = Schools(), Schools()
    taught.add(BOTS, of_deals(1, 3), LIMIT)
    assert taught.pupils(BOTS) == [*BOTS]
    for each in (taught, short):
        each.add(BOTS, of_deals(4, 6), LIMIT)
    assert taught.pupils(BOTS) == []
    assert short.pupils((*BOTS, "new")) == [*BOTS, "new"]
    before = luck_with(taught, of_deals(7, 12))
    taught.add(BOTS, of_deals(1, 6), LIMIT)
    assert luck_with(taught, of_deals(7, 12)) == before
