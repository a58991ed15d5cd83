"""`bourre export`: writes a run out for other programs."""

from pathlib import Path
from typing import Annotated

import typer

from bourre_referee.cli.ending import BadUsage, tell

LATER = ("parquet", "site")


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, as runs/demo.")],
    form: Annotated[str, typer.Option("--format", help="jsonl: everything; csv: results for a spreadsheet.")],
    out: Annotated[Path | None, typer.Option(metavar="DIR", show_default="DIR-FORMAT", help="A new folder.")] = None,
) -> None:
    """Write a run out, finished or not.

    A folder of format jsonl can be verified like the run itself, by anyone.
    """
    from bourre_referee.contest.folder import RunFolder
    from bourre_referee.export.write import FORMS, export

    if form not in FORMS:
        known = f"write {' or '.join(FORMS)}"
        raise BadUsage(f"--format {form} is not built yet: {known}" if form in LATER else f"--format {form!r}: {known}")
    place = out or folder.with_name(f"{folder.absolute().name}-{form}")
    export(RunFolder.open(folder), form, place)
    tell(f"written to {place}; its README.txt says what is what")
