"""Boards become matches, wherever their luck is computed."""

from __future__ import annotations

from concurrent.futures import Future, ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from os import _exit

from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre_referee.model.duplicate import boards, combine_boards, luck_task
from bourre_referee.model.luck import BASELINE
from bourre_referee.model.spec import Clock, MatchOutcome, MatchSpec, RoomSpec
from bourre_referee.runner.board_collector import BoardCollector
from bourre_referee.runner.room_reports import RoomPlayed
from tests.referee.server.test_remark_log import play

BOTS = ("a", "b", "c")


@cache
def reports(match: str) -> tuple[RoomPlayed, ...]:
    """The rooms of a match: one for each seating."""
    spec = MatchSpec(match, BOTS, HouseRules.preset("limit"), 5, master_seed(len(match)))
    rooms = [
        RoomSpec(room=f"{match}.{number}", matches=seating, tables=1, clock=Clock(), max_faults=9, entries=())
        for number, seating in enumerate(boards(spec, (0,)))
    ]
    return tuple(RoomPlayed(room, 1, tuple(play(board, False, 0) for board in room.matches)) for room in rooms)


def here(match: str) -> MatchOutcome:
    """The match with its luck computed in this process."""
    played = [both for one in reports(match) for both in zip(one.room.matches, one.outcomes, strict=True)]
    return combine_boards(BOTS, played, luck_task(played, BASELINE).compute())


class Delayed(ProcessPoolExecutor):
    """A process that computes nothing before it is told to."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[Future[object]] = []

    def submit(self, *_: object, **__: object) -> Future[object]:  # type: ignore[override]
        self.asked.append(Future())
        return self.asked[-1]


def test_another_process_computes_the_same_luck() -> None:
    with BoardCollector(BASELINE) as collector:
        for report in reports("m1"):
            assert not list(collector.collect(report))
        assert list(collector.wait()) == [here("m1")]
    assert any(any(block.luck) for block in here("m1").result.blocks)


def test_nobody_waits_for_a_match_whose_luck_is_not_computed() -> None:
    pool = Delayed()
    with BoardCollector(BASELINE, lambda: pool) as collector:
        for report in (*reports("m1"), *reports("m22")):
            assert not list(collector.collect(report))
            assert not list(collector.finished())
        first, second = pool.asked
        for future, match in ((second, "m22"), (first, "m1")):
            assert not list(collector.finished())  # in the order in which their boards came
            played = [both for one in reports(match) for both in zip(one.room.matches, one.outcomes, strict=True)]
            future.set_result(luck_task(played, BASELINE).compute())
        assert list(collector.finished()) == [here("m1"), here("m22")]
        assert not list(collector.wait())


def die_at_once() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=_exit, initargs=(1,))


def refuse() -> ProcessPoolExecutor:
    raise OSError("no more processes")


def test_a_process_that_dies_or_cannot_start_costs_no_match() -> None:
    for make_pool in (die_at_once, refuse):
        with BoardCollector(BASELINE, make_pool) as collector:
            for report in reports("m1"):
                assert not list(collector.collect(report))
            assert list(collector.wait()) == [here("m1")]


def test_whole_matches_pass_at_once() -> None:
    spec = MatchSpec("m1", BOTS, HouseRules.preset("limit"), 3, master_seed(1))
    room = RoomSpec(room="m1", matches=(spec,), tables=1, clock=Clock(), max_faults=9, entries=())
    outcome = play(spec, False, 0)
    assert list(BoardCollector(None).collect(RoomPlayed(room, 1, (outcome,)))) == [outcome]
