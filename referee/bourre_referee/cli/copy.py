"""`bourre copy`: a run in another folder, or in a database."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import RunArgument
from bourre_referee.cli.exit_codes import tell
from bourre_referee.storage.files.address_text import is_address

if TYPE_CHECKING:
    from bourre_referee.storage.run.run_location import RunLocation


def copy(
    where: RunArgument,
    to: Annotated[str, typer.Option(metavar="PLACE", help="A new folder, or postgresql://USER@HOST/DATABASE.")],
) -> None:
    """Copy a contest to another folder or to PostgreSQL.

    The copy has the same digest. Logs, tokens and archived bots stay where they are. PostgreSQL does not take the calls
    of language models (model_calls.db) either. If the contest is unfinished, the copy has the secret seed: continue
    only one of the two.
    """
    if is_address(to):
        target = _copy_to_database(where, to)
    else:
        copy_to_folder(where, Path(to))
        target = to
    tell(f"Copied to {target}. To check the copy:\n  bourre verify {quote(target)}")


def copy_to_folder(where: RunLocation, place: Path) -> None:
    """Copies a run to a new folder."""
    from bourre_referee.storage.files.atomic import new_folder
    from bourre_referee.storage.run.copy_run import copy_run
    from bourre_referee.storage.run.folder_location import FolderLocation
    from bourre_referee.storage.run.run import Run

    run = Run.open(where)
    with new_folder(place) as folder:
        copy_run(run.place, FolderLocation(folder))


def _copy_to_database(where: RunLocation, address: str) -> str:
    from bourre_referee.storage.run.copy_run import copy_run
    from bourre_referee.storage.run.run import Run
    from bourre_referee.storage.run.run_location import place_in_database

    target = place_in_database(address, Run.open(where).manifest.contest)
    target.make()
    with target.hold() as held:
        copy_run(where, held)
    return str(target)
