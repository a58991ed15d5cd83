"""`bourre ladder start`: plays a ladder, and shows it in a browser, for as long as it runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import Jobs
from bourre_referee.cli.executors import Cluster, ExecutorOptions
from bourre_referee.cli.exit_codes import tell
from bourre_referee.cli.ladder.ladder_arguments import LadderPath
from bourre_referee.runner.interrupt import Stop

if TYPE_CHECKING:
    from bourre_referee.ladder.host.ladder_folder import LadderFolder


def start(
    folder: LadderPath,
    jobs: Jobs = None,
    cluster: Cluster = None,
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="The address of the pages. 0.0.0.0 means all.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The port of the pages. 0 means any free port.")
    ] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A host name that browsers may use. Repeatable."),
    ] = None,
    pages: Annotated[bool, typer.Option(help="Show the ladder in a browser.")] = True,
    published: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HASH|FILE", help="A published head of the log, or a status as JSON. An older log is refused."
        ),
    ] = None,
) -> None:
    """Run the ladder: matches, ratings, pages and remote bots.

    Ctrl-C ends it. The same command then continues it. Matches that were interrupted are played again, with the same
    cards.
    """
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.host.ladder_host import serve_ladder

    def announce(address: str, notices: tuple[str, ...]) -> None:
        for notice in notices:
            tell(notice)
        tell(f"Serving {folder}. Remote bots connect to {address} (Ctrl-C ends it)")

    ladder = LadderFolder(folder.absolute())
    _check_not_behind(ladder, published or [])
    shown = _pages(ladder, host, port, allow_host or []) if pages and find_spec("fastapi") else nullcontext()
    execution = ExecutorOptions(cluster, jobs)
    with Stop() as stop:
        try:
            with execution.make() as make_executor:
                serve_ladder(ladder, make_executor, stop, announce, tell=tell, pages=shown)
        except KeyboardInterrupt:
            tell("Stopped. Nothing is lost. The same command continues.")
            raise typer.Exit from None


def _check_not_behind(ladder: LadderFolder, published: list[str]) -> None:
    if published:
        from bourre_referee.ladder.host.administration import check_not_behind
        from bourre_referee.verify.published import read_published

        check_not_behind(ladder, {head for given in published for head in read_published(given).values()})


@contextmanager
def _pages(ladder: LadderFolder, host: str, port: int, names: list[str]) -> Iterator[None]:
    """Serves the pages inside the block, from a process of their own."""
    from bourre_referee.web.ladder.ladder_app import serve_pages

    with serve_pages(ladder, host, port, tell, names) as url:
        tell(f"Pages: {url}")
        yield
