"""`bourre import`: moves a run folder into a database."""

from shlex import quote
from typing import Annotated

import typer

from bourre_referee.cli.arguments import RunArgument
from bourre_referee.cli.exit_codes import tell


def import_run(
    where: RunArgument,
    db: Annotated[str, typer.Option(metavar="URL", help="The database: postgresql://USER@HOST/DATABASE.")],
) -> None:
    """Copy a run into a PostgreSQL database, finished or not.

    It has the same digest there. Logs, tokens and archived bots stay where they are. `bourre export --format run` makes
    a run folder of it again. Of an unfinished run, continue only one copy.
    """
    from bourre_referee.storage.copy_run import copy_run
    from bourre_referee.storage.run import Run
    from bourre_referee.storage.run_location import place_in_database

    run = Run.open(where)
    target = place_in_database(db, run.manifest.contest)
    target.make()
    with target.hold() as held:
        copy_run(where, held)
    tell(f"copied to {target}; bourre verify {quote(str(target))} checks it")
