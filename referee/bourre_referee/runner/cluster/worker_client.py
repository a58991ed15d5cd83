"""The executor's view of a cluster's workers: examines them, gives them rooms, and counts by host."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bourre.rules.errors import BourreError
from bourre_referee.model.site import Site
from bourre_referee.model.spec import BotSpec, Clock, Isolation, MatchOutcome, RoomSpec
from bourre_referee.runner.cluster import worker_tasks as tasks
from bourre_referee.runner.cluster.bot_files import PackedBot, pack
from bourre_referee.runner.cluster.dask_link import LOST, DaskLink, WorkerAddress
from bourre_referee.runner.cluster.room_processes import WorkerRoomAnswer
from bourre_referee.runner.cluster.worker_tasks import Unfit, own_installation


@dataclass(frozen=True, slots=True)
class Gone:
    """The worker, or the connection to it, was lost during a task."""

    reason: str


class BotPacker:
    """Packs each bot of a contest or ladder once, because its files do not change during play."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._packed: dict[BotSpec, PackedBot] = {}

    def pack(self, bot: BotSpec) -> PackedBot:
        """Packs a bot. Raises ContestError if one of its files cannot be read."""
        if bot not in self._packed:
            self._packed[bot] = pack(bot, self._site.folder_of(bot))
        return self._packed[bot]


class WorkerClient:
    """A worker. Its coroutines run in Dask's thread."""

    def __init__(self, link: DaskLink, seat: WorkerAddress, packer: BotPacker) -> None:
        self.seat = seat
        self.name = seat.host
        """The host's name, which the worker itself reports once it is connected."""
        self.is_examined = False
        self._link = link
        self._packer = packer
        self._process: str | None = None
        self._tried: set[tuple[BotSpec, Isolation]] = set()
        self._turn = asyncio.Lock()

    async def examine(self, rooms: Sequence[RoomSpec]) -> Unfit | Gone | None:
        """Checks that the worker can play these rooms, or without rooms, that it can play at all."""
        try:
            return await self._introduce() or await self._examine_rooms(rooms)
        except LOST as error:
            return Gone(_in_words(error))
        except BourreError:
            raise  # about a bot's files on this machine
        except Exception as error:  # raised on the worker: no disk, no memory, another version
            return Unfit(f"it cannot be examined ({_in_words(error)}).\nhint: repair it, and start it again")

    async def play(self, room: RoomSpec) -> WorkerRoomAnswer | Unfit | Gone:
        """Lets the worker play a room, after an examination."""
        if (failure := await self.examine([room])) is not None:
            return failure
        packed = [self._packer.pack(bot) for bot in room.entries]
        sent = replace(room, entries=tuple(each.bot for each in packed))
        bundles = [each.bundle for each in packed]
        try:
            return await self._link.ask(self.seat.address, tasks.play, self._process, sent, bundles)
        except Exception as error:  # raised on the worker, or by Dask
            return Gone(_in_words(error))

    async def _introduce(self) -> Unfit | None:
        if self._process is not None:
            return None
        if not self.seat.is_private:
            return Unfit("its connection is not encrypted.\nhint: start scheduler and workers with TLS")
        try:
            worker = await self._link.ask(self.seat.address, tasks.introduce)
        except LOST:
            raise
        except Exception as error:  # such as an import error
            return Unfit(f"it cannot load bourre ({_in_words(error)}).\nhint: install 'bourre[cluster]' there")
        self.name, self._process = worker["host"], worker["process"]
        return own_installation().difference(worker)

    async def _examine_rooms(self, rooms: Sequence[RoomSpec]) -> Unfit | None:
        async with self._turn:
            for isolation in dict.fromkeys(room.isolation for room in rooms):
                clock = rooms[0].clock
                bots = dict.fromkeys(bot for room in rooms if room.isolation == isolation for bot in room.entries)
                new = [bot for bot in bots if (bot, isolation) not in self._tried]
                if new and (unfit := await self._examine_bots(new, isolation, clock)):
                    return unfit
                self._tried.update((bot, isolation) for bot in new)
        return None

    async def _examine_bots(self, bots: Sequence[BotSpec], isolation: Isolation, clock: Clock) -> Unfit | None:
        packed = [self._packer.pack(bot) for bot in bots]
        bundles, address = [each.bundle for each in packed], self.seat.address
        missing = await self._link.ask(address, tasks.find_missing, self._process, bundles)
        for bot in {each.bundle.sha256: each for each in packed if each.bundle.sha256 in missing}.values():
            await self._link.ask(address, tasks.unpack, self._process, bot.bundle, bot.contents())
        specs = [each.bot for each in packed]
        return await self._link.ask(address, tasks.examine, self._process, specs, bundles, isolation, clock)


def _in_words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".partition("\n")[0]


@dataclass(slots=True)
class _Share:
    rooms: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    faults: int = 0
    lost: int = 0


class WorkerShares:
    """Counts rooms and lost attempts by host."""

    def __init__(self) -> None:
        self._shares: defaultdict[str, _Share] = defaultdict(_Share)

    def add(self, host: str, outcomes: Sequence[MatchOutcome], seconds: float) -> None:
        """Counts a room that a host played in this many seconds."""
        share = self._shares[host]
        share.rooms += 1
        share.seconds += seconds
        share.cpu_seconds += sum(seat.cpu_ms for outcome in outcomes for seat in outcome.timings) / 1000
        share.faults += sum(fault.times for outcome in outcomes for fault in outcome.faults)

    def add_lost(self, host: str) -> None:
        """Counts a lost attempt at a room."""
        self._shares[host].lost += 1

    def lost(self, host: str) -> int:
        """Returns the number of attempts that a host lost."""
        return self._shares[host].lost if host in self._shares else 0

    def lines(self) -> tuple[str, ...]:
        """Returns a sentence for each host, by name."""
        return tuple(
            f"{host} played {share.rooms} rooms in {share.seconds:.0f} s of room time, with {share.cpu_seconds:.0f} s "
            f"of the bots' processors, {share.faults} faults of bots and {share.lost} lost attempts"
            for host, share in sorted(self._shares.items())
        )
