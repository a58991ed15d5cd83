"""The pauses before a bot reconnects: longer and longer, and by chance where many bots may come back together."""

from __future__ import annotations

from itertools import takewhile

from bourre.connection.backoff import SECONDS, Backoff, random_share


def test_a_bot_of_one_room_pauses_so_often_and_then_gives_up() -> None:
    pauses = Backoff(lambda: 0.0)
    assert [pauses.take(is_remote=False) for _ in range(len(SECONDS) + 1)] == [*SECONDS, None]
    pauses.start_over()
    assert pauses.take(is_remote=False) == SECONDS[0]


def test_a_bot_that_stays_pauses_from_half_to_all_of_it_and_never_gives_up() -> None:
    shortest, longest = Backoff(lambda: 0.0), Backoff(lambda: 1.0)
    for pause in (*SECONDS, SECONDS[-1], SECONDS[-1]):
        assert (shortest.take(is_remote=True), longest.take(is_remote=True)) == (pause / 2, pause)


def test_chance_is_between_0_and_1_and_changes() -> None:
    drawn = [random_share() for _ in range(100)]
    assert list(takewhile(lambda number: 0 <= number <= 1, drawn)) == drawn
    assert len(set(drawn)) > 1
