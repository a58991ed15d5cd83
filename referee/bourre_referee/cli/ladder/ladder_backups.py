"""`bourre ladder backup` and `restore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.exit_codes import tell
from bourre_referee.cli.ladder.ladder_arguments import LadderPath

if TYPE_CHECKING:
    from bourre_referee.ladder.host.ladder_folder import LadderFolder


def backup(
    folder: LadderPath, target: Annotated[Path, typer.Argument(metavar="TARGET", help="A new folder for the copy.")]
) -> None:
    """Copy a ladder's folder, also while it is served.

    The ladder waits for a moment. If its log is in a database, dump the database first. The copy has the secret seeds
    of the open epochs, so nobody else may read it.
    """
    from bourre_referee.ladder.host.backup import back_up
    from bourre_referee.ladder.host.ladder_folder import LadderFolder
    from bourre_referee.ladder.host.ladder_storage import DATABASE

    ladder = LadderFolder(folder.absolute())
    made = back_up(ladder, target.absolute())
    print(f"{target}: a log of {made.events} events, {made.rooms} rooms in play, head {made.head}")
    if (ladder.path / DATABASE).exists():
        tell("The log and the epochs are not in it: they are in the database, which pg_dump copies.")


def restore(
    folder: LadderPath,
    later: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A later copy of the log. Only prints what the backup lacks."),
    ] = None,
) -> None:
    """Prepare a restored backup, whose seeds may be known.

    Abandons the open epochs, because their seeds may have been published since the backup. Unfinished matches are void,
    and finished ones stay. The next `bourre ladder start` opens an epoch with new seeds.
    """
    from bourre_referee.ladder.host.administration import abandon_epochs
    from bourre_referee.ladder.host.ladder_folder import LadderFolder

    ladder = LadderFolder(folder.absolute())
    if later:
        _print_missing(ladder, later)
        return
    abandoned = abandon_epochs(ladder)
    for epoch in abandoned:
        print(f"epoch {epoch} is abandoned. `bourre ladder start` opens another one")
    if not abandoned:
        print("no epoch is open, so none was abandoned")


def _print_missing(ladder: LadderFolder, later: Path) -> None:
    from bourre_referee.ladder.host.backup import later_events
    from bourre_referee.ladder.log.event_log import log_line

    missing = later_events(ladder, later)
    for logged in missing:
        print(log_line(logged))
    tell(f"The backup lacks these {len(missing)} events." if missing else "The backup lacks nothing of this log.")
