"""The tasks of a Dask worker: to examine itself, and to play. It returns errors as values; Dask raises its own."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

from dask.typing import Key
from distributed import Worker, get_worker

from bourre.messages import PROTOCOL
from bourre.rules.house import HouseRules
from bourre_referee.contest.bot_permissions import check_environment
from bourre_referee.model.build import name_build
from bourre_referee.model.errors import ContestError
from bourre_referee.model.site import Site, program_path
from bourre_referee.model.spec import BotEntry, BotSpec, Clock, Isolation, MatchSpec, RoomSpec
from bourre_referee.runner.cluster.bot_files import BotBundle, Contents
from bourre_referee.runner.cluster.room_processes import RoomProcesses, WorkerRoomAnswer
from bourre_referee.runner.worker import Failed
from bourre_referee.sandbox.levels import find_exposing_folder, unavailable_reason
from bourre_referee.sandbox.socket_folder import socket_problem
from bourre_referee.server.host_check import REFERENCE_BOT, REFERENCE_NAMES, last_words


@dataclass(frozen=True, slots=True)
class Unfit:
    """The reason why a worker cannot play. No bot is at fault."""

    reason: str


@dataclass(frozen=True, slots=True)
class Installation:
    """The versions that all machines of a contest must share."""

    bourre: str
    protocol: str
    build: str
    """Whether the code is compiled, which affects no result but the bots' time."""

    def difference(self, worker: Mapping[str, str]) -> Unfit | None:
        """Compares a worker's installation with this one. `worker` may come from any version."""
        for part, ours in asdict(self).items():
            if (theirs := worker.get(part)) != ours:
                name = "bourre" if part == "bourre" else f"bourre's {part}"
                return Unfit(
                    f"{name} is {theirs or 'unknown'} there, and {ours} here.\n"
                    "hint: install the same bourre on both machines"
                )
        return None


def own_installation() -> Installation:
    """Returns the versions on this machine."""
    return Installation(version("bourre"), str(PROTOCOL), name_build())


def find_unfitness(bots: Sequence[BotSpec], isolation: Isolation, site: Site) -> Unfit | None:
    """Tries whether a site can start these bots at their isolation, by making each sandbox."""
    entries: dict[Isolation, list[BotEntry]] = {isolation: []}
    for bot in bots:
        entry = site.entry(bot)
        if bot.command and program_path(bot.command[0], entry.folder, entry.venv, site.python) is None:
            missing = entry.venv or bot.command[0]
            return Unfit(f"bot {bot.name}: no {missing} there.\nhint: install it, or play without this machine")
        entries.setdefault(bot.isolation.over(isolation), []).append(entry)
    try:
        check_environment([entry for same in entries.values() for entry in same], os.environ)
    except ContestError as error:
        return Unfit(str(error))
    for isolated, same in entries.items():
        if reason := unavailable_reason(isolated, same):
            return Unfit(f'isolation level = "{isolated.level}" is not available there: {reason}')
        if holder := find_exposing_folder(isolated, site.logs):
            return Unfit(
                f"every bot could read {site.logs}, because sandboxes contain {holder}.\n"
                "hint: set TMPDIR to another folder"
            )
    return None


def reference_room(isolation: Isolation, clock: Clock) -> RoomSpec:
    """Returns a room of one deal between two reference bots, with ample time to start."""
    command = ("python", "-c", REFERENCE_BOT)
    return RoomSpec(
        room="reference",
        entries=tuple(BotSpec(name, command) for name in REFERENCE_NAMES),
        matches=(MatchSpec("reference", REFERENCE_NAMES, HouseRules(), 1, bytes(32)),),
        tables=1,
        clock=Clock(start_ms=max(clock.start_ms, Clock().start_ms)),
        max_faults=1,
        isolation=isolation,
    )


_KEPT_AS = "bourre"


def introduce() -> dict[str, str]:
    """Returns versions, host and process, in a form that any version understands."""
    return {**asdict(own_installation()), "host": socket.gethostname(), "process": get_worker().id}


def find_missing(process: str, bundles: Sequence[BotBundle]) -> list[str]:
    """Returns the names of the bundles that this worker lacks."""
    crew = _crew(process)
    return [bundle.sha256 for bundle in bundles if crew.files.lacks(bundle)]


def unpack(process: str, bundle: BotBundle, contents: Contents) -> None:
    """Stores a bundle."""
    _crew(process).files.unpack(bundle, contents)


def examine(
    process: str, bots: Sequence[BotSpec], bundles: Sequence[BotBundle], isolation: Isolation, clock: Clock
) -> Unfit | None:
    """Tries everything that a room with these bots needs, including a deal between reference bots."""
    crew = _crew(process)
    if problem := _bundle_problem(crew, bundles) or socket_problem(crew.temp):
        return Unfit(problem)
    if unfit := find_unfitness(bots, isolation, crew.site):
        return unfit
    for isolated in dict.fromkeys([isolation, *(bot.isolation.over(isolation) for bot in bots)]):
        played = crew.play(reference_room(isolated, clock))
        if isinstance(played.answer, Failed):
            return Unfit(f"a reference bot cannot play there: {played.answer.reason}")
        if played.answer.outcomes[0].faults:
            why = last_words(b"\n".join(played.logs.values()).decode(errors="replace"))
            return Unfit(f"a reference bot cannot play there ({why}).\nhint: install bourre for {crew.site.python}")
    return None


def play(process: str, room: RoomSpec, bundles: Sequence[BotBundle]) -> WorkerRoomAnswer | Unfit:
    """Plays a room. Returns Unfit if another process was examined, or if a bot's file has changed by its end."""
    worker = get_worker()
    crew, key = _crew(process), worker.get_current_task()
    if problem := _bundle_problem(crew, bundles):
        return Unfit(problem)
    answer = crew.play(room, lambda: _is_wanted(worker, key))
    if problem := _bundle_problem(crew, bundles):
        return Unfit(problem)
    return answer


def _bundle_problem(crew: RoomProcesses, bundles: Sequence[BotBundle]) -> str:
    """Returns the problem with the fetched files; empty if there is none."""
    return next(filter(None, map(crew.files.problem, bundles)), "")


class AnotherProcess(Exception):
    """Raised in a task for a worker that is gone. Without it, Dask would replay the room on its own."""


def _crew(process: str) -> RoomProcesses:
    worker = get_worker()
    if worker.id != process:
        raise AnotherProcess(f"the worker {process} is gone")
    crew = worker.extensions.get(_KEPT_AS)
    if crew is None:
        crew = worker.extensions.setdefault(_KEPT_AS, RoomProcesses())
    assert isinstance(crew, RoomProcesses)
    return crew


def _is_wanted(worker: Worker, key: Key) -> bool:
    """Whether the task is still wanted: nobody cancelled it, and its client is connected."""
    task = worker.state.tasks.get(key)
    return task is not None and task.state == "executing"
