"""Where rooms are played: `--executor` and `--scheduler` of every command that plays a contest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.exit_codes import BadUsage

if TYPE_CHECKING:
    from bourre_referee.runner.executor import MakeExecutor


class ExecutorName(StrEnum):
    """What plays the rooms."""

    LOCAL = "local"
    DASK = "dask"


ExecutorChoice = Annotated[
    ExecutorName,
    typer.Option(
        metavar="NAME", help="What plays the rooms: local, or dask for a cluster; the results do not depend on it."
    ),
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        show_default="a cluster of this machine alone",
        help="With --executor dask: the scheduler of a cluster, such as tls://host:8786.",
    ),
]


@dataclass(frozen=True, slots=True)
class ExecutorOptions:
    """Who plays the rooms, and how many at a time."""

    executor: ExecutorName
    scheduler: str | None
    jobs: int | None

    def __post_init__(self) -> None:
        """Raises BadUsage if the options contradict each other."""
        if self.scheduler is None:
            return
        if self.executor is not ExecutorName.DASK:
            raise BadUsage("--scheduler is for --executor dask: give both, or neither")
        if self.jobs:
            raise BadUsage(
                "--jobs is for this machine: leave it out, as each worker of a cluster plays as many rooms as it has "
                "threads"
            )

    @property
    def options(self) -> dict[str, object]:
        """The options by their names, None where they have their defaults."""
        executor = None if self.executor is ExecutorName.LOCAL else self.executor
        return {"--jobs": self.jobs, "--executor": executor, "--scheduler": self.scheduler}

    @contextmanager
    def make(self) -> Iterator[MakeExecutor]:
        """Yields what makes the executor; a cluster is connected to, or runs, meanwhile."""
        from bourre_referee.storage.files.process_pool import usable_cores

        if self.executor is ExecutorName.LOCAL:
            from bourre_referee.runner.local_executor import local_rooms

            yield local_rooms(self.jobs or usable_cores())
            return
        from bourre_referee.runner.cluster.dask_link import open_link
        from bourre_referee.runner.dask_executor import dask_rooms

        with open_link(self.scheduler, self.jobs or usable_cores()) as link:
            yield dask_rooms(link)
