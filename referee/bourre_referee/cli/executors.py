"""Where matches are played: `--jobs` and `--cluster` of every command that plays a contest; `--grace` of services."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.exit_codes import BadUsage
from bourre_referee.cli.former_options import HERE

if TYPE_CHECKING:
    from bourre_referee.runner.executor import MakeExecutor


Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        metavar="[ADDRESS]",
        show_default=False,
        help="Play on a Dask cluster, at the address of its scheduler, such as tls://host:8786. Without an address: "
        "on a cluster of this machine alone. The results do not depend on it.",
    ),
]
GRACE_S = 5
"""The usual grace period. Docker, for example, kills what has not ended after ten seconds."""
Grace = Annotated[
    int,
    typer.Option(
        metavar="SECONDS", min=0, max=3600, help="How long matches in play may go on after SIGTERM. Others wait."
    ),
]


@dataclass(frozen=True, slots=True)
class ExecutorOptions:
    """Who plays the matches, and how many at a time."""

    cluster: str | None
    """The address of a scheduler, or `HERE`; None means no cluster."""
    jobs: int | None

    def __post_init__(self) -> None:
        """Raises BadUsage if the options contradict each other."""
        if self.jobs and self.cluster not in (None, HERE):
            raise BadUsage(
                "--jobs is for this machine. Each worker of a cluster plays one match per thread.\nhint: remove --jobs"
            )

    @property
    def options(self) -> dict[str, object]:
        """The options by their names, None where they have their defaults."""
        return {"--jobs": self.jobs, "--cluster": self.cluster}

    def shared_by(self, tasks: int) -> tuple[int, ExecutorOptions]:
        """Returns how many of these tasks this machine does at a time, and the options for each of them.

        With a cluster it does one after the other.
        """
        from bourre_referee.storage.files.process_pool import usable_cores

        if self.cluster:
            return 1, self
        jobs = self.jobs or usable_cores()
        together = max(1, min(jobs, tasks))
        return together, replace(self, jobs=jobs // together)

    @contextmanager
    def make(self) -> Iterator[MakeExecutor]:
        """Yields what makes the executor, connected to the cluster if there is one."""
        from bourre_referee.storage.files.process_pool import usable_cores

        if self.cluster is None:
            from bourre_referee.runner.local_executor import local_rooms

            yield local_rooms(self.jobs or usable_cores())
            return
        from bourre_referee.runner.cluster.dask_link import open_link
        from bourre_referee.runner.dask_executor import dask_rooms

        with open_link(None if self.cluster == HERE else self.cluster, self.jobs or usable_cores()) as link:
            yield dask_rooms(link)
