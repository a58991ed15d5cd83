"""A bot can ask how long the referee will wait for its answer."""

from __future__ import annotations

import asyncio
from math import inf

import pytest

from bourre.bot import Bot
from bourre.connection.bot_tables import Tables
from bourre.messages import Ask, Bundle, Seating, Welcome
from bourre.practice import practice
from bourre.rules.cards import Card
from bourre.rules.view import View
from bourre.testing import view

SEEN = view("play hand='AS KH 9C' trump=S trick='3D' seats=3")


class Watching(Bot):
    """Remembers how much time it had."""

    left: list[float]

    def play(self, view: View) -> Card:
        self.left.append(self.seconds_left())
        return view.legal[0]


@pytest.fixture(autouse=True)
def _none_seen() -> None:
    Watching.left = []


@pytest.mark.parametrize(
    ("bank_ms", "match_ms", "seconds"), [(0, 0, 100), (50_000, 0, 150), (50_000, 500_000, 150), (50_000, 30_000, 30)]
)
def test_the_time_is_that_of_decision_and_bank_within_the_match(bank_ms: int, match_ms: int, seconds: int) -> None:
    tables = Tables(Watching)
    seating = Seating(1, "m0001", SEEN.seat, SEEN.seats, SEEN.deals, SEEN.house)
    tables.follow(Bundle(welcome=Welcome("ada", "room", 100_000, 50_000), seatings=[seating]))
    asyncio.run(tables.answers(Ask(1, 1, SEEN, bank_ms, match_ms=match_ms)))
    (left,) = Watching.left
    assert seconds - 10 < left <= seconds


def test_practice_has_no_clock() -> None:
    practice([Watching, "loose", "loose"], deals=4)
    assert set(Watching.left) == {inf}
