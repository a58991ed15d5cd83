"""What a Dask worker is asked to do. Questions and answers are values, never exceptions: those are Dask's own."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from dataclasses import asdict

from dask.typing import Key
from distributed import Worker, get_worker

from bourre_referee.model.spec import BotSpec, Clock, Isolation, RoomSpec
from bourre_referee.runner.cluster.bot_files import Bundle, Contents
from bourre_referee.runner.cluster.crew import Crew, RoomAnswer
from bourre_referee.runner.cluster.fitness import (
    Unfit,
    find_unfitness,
    last_words,
    own_installation,
    reference_room,
)
from bourre_referee.runner.worker import Failed
from bourre_referee.sandbox.socket_folder import socket_problem

_KEPT_AS = "bourre"


def introduce() -> dict[str, str]:
    """Says what is installed here, on which host, in which process; in words that any version understands."""
    return {**asdict(own_installation()), "host": socket.gethostname(), "process": get_worker().id}


def find_missing(process: str, bundles: Sequence[Bundle]) -> list[str]:
    """Returns the names of the bundles that this worker has to be sent."""
    crew = _crew(process)
    return [bundle.sha256 for bundle in bundles if crew.files.lacks(bundle)]


def unpack(process: str, bundle: Bundle, contents: Contents) -> None:
    """Stores what was fetched."""
    _crew(process).files.unpack(bundle, contents)


def examine(
    process: str, bots: Sequence[BotSpec], bundles: Sequence[Bundle], isolation: Isolation, clock: Clock
) -> Unfit | None:
    """Tries everything that a room with these bots needs, down to a deal between reference bots."""
    crew = _crew(process)
    for bundle in bundles:
        if problem := crew.files.problem(bundle):
            return Unfit(problem)
    if problem := socket_problem(crew.temp):
        return Unfit(problem)
    if unfit := find_unfitness(bots, isolation, crew.site):
        return unfit
    for isolated in dict.fromkeys([isolation, *(bot.isolation.over(isolation) for bot in bots)]):
        played = crew.play(reference_room(isolated, clock))
        if isinstance(played.answer, Failed):
            return Unfit(f"a reference bot cannot play there: {played.answer.reason}")
        if played.answer.outcomes[0].faults:
            why = last_words(played.logs)
            return Unfit(f"a reference bot cannot play there ({why}): install bourre for {crew.site.python}")
    return None


def play(process: str, room: RoomSpec, bundles: Sequence[Bundle]) -> RoomAnswer | Unfit:
    """Plays a room, unless this is another process than was examined, or a bot's file has changed by its end."""
    worker = get_worker()
    crew, key = _crew(process), worker.get_current_task()
    for bundle in bundles:
        if problem := crew.files.problem(bundle):
            return Unfit(problem)
    answer = crew.play(room, lambda: _is_wanted(worker, key))
    for bundle in bundles:
        if problem := crew.files.problem(bundle):
            return Unfit(problem)
    return answer


class AnotherProcess(Exception):
    """This task was meant for a worker that is gone: Dask would play a room again, which is ours to decide."""


def _crew(process: str) -> Crew:
    worker = get_worker()
    if worker.id != process:
        raise AnotherProcess(f"the worker {process} is gone")
    crew = worker.extensions.get(_KEPT_AS)
    if crew is None:
        crew = worker.extensions.setdefault(_KEPT_AS, Crew())
    assert isinstance(crew, Crew)
    return crew


def _is_wanted(worker: Worker, key: Key) -> bool:
    """Whether the task is still asked for: it is not when it was cancelled, or who asked is gone."""
    task = worker.state.tasks.get(key)
    return task is not None and task.state == "executing"
