"""What one worker is asked and sent, each once, and what its answers mean."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, cast

import pytest

from bourre_referee.model.errors import ContestError
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec, Isolation, Level, RoomSpec, SeatTiming
from bourre_referee.runner.cluster.crew import RoomAnswer
from bourre_referee.runner.cluster.dask_link import DaskLink, Seat
from bourre_referee.runner.cluster.station import BotPacker, Gone, Station, WorkerShares
from bourre_referee.runner.cluster.worker_tasks import AnotherProcess, Unfit, own_installation
from bourre_referee.runner.worker import Played
from tests.referee.rooms import played


def test_rooms_time_faults_and_losses_are_told_by_host(rooms: tuple[RoomSpec, ...]) -> None:
    shares = WorkerShares()
    first = played(rooms[0].matches[0])
    shares.add("beta", [replace(first, timings=2 * (SeatTiming(1, 1.0, 1.0, cpu_ms=2_500.0),))], 3.0)
    shares.add("beta", [played(rooms[1].matches[0])], 4.0)
    shares.add_lost("alpha")
    assert (shares.lost("alpha"), shares.lost("beta"), shares.lost("gamma")) == (1, 0, 0)
    assert shares.lines() == (
        "alpha played 0 rooms in 0 s of room time, with 0 s of the bots' processors, 0 faults of bots and 1 lost "
        "attempts",
        "beta played 2 rooms in 7 s of room time, with 5 s of the bots' processors, 4 faults of bots and 0 lost "
        "attempts",
    )


HERE = Seat("tls://alpha", "/scratch", "10.0.0.5", 1)
INSTALLED = asdict(own_installation())


class FakeLink:
    """A worker that answers at once."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.given: list[tuple[Any, ...]] = []
        self.answers: dict[str, object] = {"introduce": {**INSTALLED, "host": "alpha", "process": "Worker-1"}}
        self.errors: dict[str, Exception] = {}

    async def ask(self, address: str, task: Callable[..., object], *arguments: Any) -> object:
        assert address == "tls://alpha"
        await asyncio.sleep(0)
        name = task.__name__
        self.asked.append(name)
        self.given.append(arguments)
        if name in self.errors:
            raise self.errors[name]
        if name == "find_missing":
            return [bundle.sha256 for bundle in arguments[1]]
        return self.answers.get(name)

    def arguments(self, task: str) -> list[tuple[Any, ...]]:
        """What came with each question of this kind, apart from the process."""
        found = [given for name, given in zip(self.asked, self.given, strict=True) if name == task]
        assert {process for process, *_ in found} <= {"Worker-1"}
        return [given[1:] for given in found]


@pytest.fixture
def link() -> FakeLink:
    return FakeLink()


@pytest.fixture
def packer(rooms: tuple[RoomSpec, ...], tmp_path: Path) -> BotPacker:
    return BotPacker(Site(tmp_path / "contest", tmp_path / "logs"))


@pytest.fixture
def station(link: FakeLink, packer: BotPacker) -> Station:
    return Station(cast("DaskLink", link), HERE, packer)


def examined(station: Station, *rooms: RoomSpec) -> Unfit | Gone | None:
    return asyncio.run(station.examine(rooms))


async def examined_at_once(station: Station, room: RoomSpec) -> tuple[object, object]:
    """Two rooms begin at once on a worker of two threads."""
    first, second = await asyncio.gather(station.examine([room]), station.examine([room, room]))
    return first, second


def test_a_worker_is_asked_nothing_twice_and_sent_each_bundle_once(
    rooms: tuple[RoomSpec, ...], link: FakeLink, station: Station
) -> None:
    ada, *others = rooms[0].entries
    room = replace(rooms[0], entries=(ada, replace(ada, name="twin"), *others))
    assert station.name == "10.0.0.5"
    assert examined(station) is None
    assert asyncio.run(examined_at_once(station, room)) == (None, None)
    assert station.name == "alpha"
    assert Counter(link.asked) == {"introduce": 1, "find_missing": 1, "unpack": len(room.entries) - 1, "examine": 1}
    ((specs, bundles, isolation, clock),) = link.arguments("examine")
    assert [spec.name for spec in specs] == [bot.name for bot in room.entries]
    assert [spec.sha256 for spec in specs] == [bundle.sha256 for bundle in bundles]
    assert (isolation, clock) == (room.isolation, room.clock)
    for bundle, contents in link.arguments("unpack"):
        assert set(contents) == {file.sha256 for file in bundle.files}
    new = BotSpec("new", ("python", "ada.py", "2"), files=("ada.py",))
    assert examined(station, replace(room, entries=(ada, new))) is None
    assert [spec.name for spec in link.arguments("examine")[1][0]] == ["new"]
    link.asked.clear()
    link.given.clear()
    link.answers["play"] = answer = RoomAnswer(Played(()), {}, 1.0)
    assert asyncio.run(station.play(room)) == answer
    assert link.asked == ["play"]
    ((sent, sent_bundles),) = link.arguments("play")
    assert sent == replace(room, entries=tuple(specs))
    assert sent_bundles == bundles


def test_each_isolation_is_examined_with_its_own_bots(
    rooms: tuple[RoomSpec, ...], link: FakeLink, station: Station
) -> None:
    boxed = replace(rooms[1], isolation=Isolation(Level.BWRAP))
    assert examined(station, rooms[0], boxed) is None
    assert [
        ([spec.name for spec in specs], isolation.level) for specs, _, isolation, _ in link.arguments("examine")
    ] == [
        ([bot.name for bot in rooms[0].entries], Level.NONE),
        ([bot.name for bot in boxed.entries], Level.BWRAP),
    ]


def test_bots_that_a_worker_could_not_start_are_examined_again(
    rooms: tuple[RoomSpec, ...], link: FakeLink, station: Station
) -> None:
    link.answers["examine"] = Unfit("no box")
    assert asyncio.run(station.play(rooms[0])) == examined(station, rooms[0]) == Unfit("no box")
    assert Counter(link.asked) == {"introduce": 1, "find_missing": 2, "unpack": 6, "examine": 2}


@pytest.mark.parametrize(
    ("task", "error", "meaning"),
    [
        ("introduce", AnotherProcess("gone"), Gone("AnotherProcess: gone")),
        (
            "introduce",
            ImportError("no bourre\nat all"),
            Unfit("it cannot load bourre (ImportError: no bourre): install 'bourre[cluster]' there"),
        ),
        ("unpack", AnotherProcess("gone"), Gone("AnotherProcess: gone")),
        (
            "examine",
            MemoryError("no memory"),
            Unfit("it cannot be examined (MemoryError: no memory): repair it, and start it again"),
        ),
        ("play", MemoryError("no memory"), Gone("MemoryError: no memory")),
    ],
)
def test_what_goes_wrong_is_told_apart(
    rooms: tuple[RoomSpec, ...], link: FakeLink, station: Station, task: str, error: Exception, meaning: object
) -> None:
    link.errors = {task: error}
    assert asyncio.run(station.play(rooms[0])) == meaning
    assert link.asked[-1] == task


def test_a_worker_that_is_another_or_may_be_overheard_is_sent_nothing(
    rooms: tuple[RoomSpec, ...], link: FakeLink, packer: BotPacker, station: Station
) -> None:
    far = Station(cast("DaskLink", link), replace(HERE, address="tcp://10.0.0.5:1"), packer)
    assert examined(far, rooms[0]) == Unfit("its connection is not encrypted: start scheduler and workers with TLS")
    assert link.asked == []
    link.answers["introduce"] = {**INSTALLED, "bourre": "9.9", "host": "alpha", "process": "Worker-1"}
    found = examined(station, rooms[0])
    assert isinstance(found, Unfit)
    assert found.reason.startswith("bourre is 9.9 there")
    assert link.asked == ["introduce"]


def test_a_bot_is_packed_once_and_one_that_is_gone_here_is_no_fault_of_the_worker(
    rooms: tuple[RoomSpec, ...], packer: BotPacker, station: Station, tmp_path: Path
) -> None:
    ada, bob, *_ = (bot for room in rooms for name in ("ada", "bob") for bot in room.entries if bot.name == name)
    before, other = packer.pack(ada), packer.pack(replace(ada, name="other"))
    (tmp_path / "contest" / "ada.py").write_text("print('changed')\n")
    assert packer.pack(ada) is before
    assert (other.bot.name, other.bundle) == ("other", before.bundle)
    (tmp_path / "contest" / "bob.py").unlink()
    with pytest.raises(ContestError, match=r"bot bob: .*bob\.py: No such file or directory: correct its files"):
        examined(station, replace(rooms[0], entries=(bob,)))
