"""Boards become matches, wherever their luck is computed."""

from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache

import pytest

from bourre.rules.deck import master_seed
from bourre.rules.house import HouseRules
from bourre_referee.contest.duplicate import boards, combine_boards, luck_task
from bourre_referee.luck import BASELINE
from bourre_referee.model.spec import Clock, MatchOutcome, MatchSpec, RoomSpec
from bourre_referee.runner import board_collector
from bourre_referee.runner.board_collector import BoardCollector, make_pool
from bourre_referee.runner.room_reports import RoomPlayed
from tests.referee.server.test_remark_log import play

BOTS = ("a", "b", "c")
DIED = "a process that computes luck died, so this one computes one match and others take over"


@cache
def reports(match: str) -> tuple[RoomPlayed, ...]:
    """The rooms of a match: one for each seating."""
    spec = MatchSpec(match, BOTS, HouseRules.preset("limit"), 5, master_seed(len(match)))
    rooms = [
        RoomSpec(room=f"{match}.{number}", matches=seating, tables=1, clock=Clock(), max_faults=9, entries=())
        for number, seating in enumerate(boards(spec, (0,)))
    ]
    return tuple(RoomPlayed(room, 1, tuple(play(board, False, 0) for board in room.matches)) for room in rooms)


def played(match: str) -> list[tuple[MatchSpec, MatchOutcome]]:
    return [both for one in reports(match) for both in zip(one.room.matches, one.outcomes, strict=True)]


@cache
def luck_of(match: str) -> list[tuple[int, ...]]:
    """The luck of a match, computed in this process."""
    return luck_task(played(match), BASELINE).compute()


def here(match: str) -> MatchOutcome:
    return combine_boards(BOTS, played(match), luck_of(match))


def give(collector: BoardCollector, *matches: str) -> None:
    """Gives it all boards of these matches."""
    for match in matches:
        for report in reports(match):
            assert not list(collector.collect(report))


class Pool(ProcessPoolExecutor):
    """Processes that compute nothing before they are told to; those that are dead refuse more."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[Future[object]] = []
        self.dead = False
        self.ends: list[dict[str, object]] = []

    def submit(self, *_: object, **__: object) -> Future[object]:  # type: ignore[override]
        if self.dead:
            raise BrokenProcessPool("a process died")
        self.asked.append(Future())
        return self.asked[-1]

    def die(self) -> None:
        self.dead = True
        for future in self.asked:
            future.set_exception(BrokenProcessPool("a process died"))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self.ends.append({"wait": wait, "cancel_futures": cancel_futures})
        super().shutdown(wait, cancel_futures=cancel_futures)


def test_another_process_computes_the_same_luck() -> None:
    with BoardCollector(BASELINE) as collector:
        give(collector, "m1")
        assert list(collector.wait()) == [here("m1")]
    assert any(any(block.luck) for block in here("m1").result.blocks)


def test_nobody_waits_for_a_match_whose_luck_is_not_computed() -> None:
    pool = Pool()
    with BoardCollector(BASELINE, lambda: pool) as collector:
        give(collector, "m1", "m22")
        first, second = pool.asked
        for future, match in ((second, "m22"), (first, "m1")):
            assert not list(collector.finished())  # in the order in which their boards came
            future.set_result(luck_of(match))
        assert list(collector.finished()) == [here("m1"), here("m22")]
        assert not list(collector.wait())


def refuse() -> ProcessPoolExecutor:
    raise OSError("no more processes")


def test_processes_that_die_or_cannot_start_cost_no_match_and_are_told() -> None:
    pools, told = [Pool(), Pool()], list[str]()
    fresh = iter(pools)
    with BoardCollector(BASELINE, lambda: next(fresh), told.append) as collector:
        give(collector, "m1")
        pools[0].die()
        give(collector, "m22", "m333")
        assert [len(pool.asked) for pool in pools] == [1, 2], "the others take its place"
        pools[1].asked[0].set_result(luck_of("m22"))
        assert list(collector.finished()) == [here("m1"), here("m22")]
        assert told == [DIED]
        pools[1].asked[1].set_result(luck_of("m333"))
        assert list(collector.wait()) == [here("m333")]
    assert [pool.ends for pool in pools] == [[], [{"wait": True, "cancel_futures": True}]]
    told.clear()
    with BoardCollector(BASELINE, refuse, told.append) as collector:
        give(collector, "m1")
        give(collector, "m1")
        assert list(collector.wait()) == [here("m1")] * 2, "a match may be played twice"
    assert told == [DIED] * 2


@pytest.mark.parametrize(("cores", "processes"), [(1, 1), (7, 1), (8, 2), (16, 3)])
def test_few_cores_compute_and_many_play(cores: int, processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_collector, "usable_cores", lambda: cores)
    with make_pool() as pool:
        assert pool._max_workers == processes  # type: ignore[attr-defined]


def test_whole_matches_pass_at_once() -> None:
    spec = MatchSpec("m1", BOTS, HouseRules.preset("limit"), 3, master_seed(1))
    room = RoomSpec(room="m1", matches=(spec,), tables=1, clock=Clock(), max_faults=9, entries=())
    outcome = play(spec, False, 0)
    assert list(BoardCollector(None).collect(RoomPlayed(room, 1, (outcome,)))) == [outcome]
