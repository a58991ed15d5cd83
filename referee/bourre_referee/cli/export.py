"""`bourre export`: writes a run out for other programs, or as pages."""

from pathlib import Path
from typing import Annotated

import typer

from bourre_referee.cli.completion import forms
from bourre_referee.cli.ending import BadUsage, tell


def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A run folder, as runs/demo.")],
    form: Annotated[
        str,
        typer.Option(
            "--format",
            autocompletion=forms,
            help="jsonl: everything; csv: for a spreadsheet; parquet: typed, for programs; site: pages.",
        ),
    ],
    out: Annotated[Path | None, typer.Option(metavar="DIR", show_default="DIR-FORMAT", help="A new folder.")] = None,
    table: Annotated[
        list[str] | None, typer.Option(metavar="NAME", show_default="all", help="This table; give it several times.")
    ] = None,
) -> None:
    """Write a run out, finished or not.

    Every format but site has the same tables: matches, seats, blocks, deals, decisions, ratings. A folder of format
    jsonl has the records besides, and can be verified like the run itself, by anyone. One of format site has pages
    for any host, or for none: open its index.html.
    """
    from bourre_referee.contest.folder import RunFolder
    from bourre_referee.export.columns import TABLES
    from bourre_referee.export.write import FORMS, export

    if form not in FORMS:
        known = f"write {', '.join(list(FORMS)[:-1])} or {list(FORMS)[-1]}"
        raise BadUsage(f"--format {form!r}: {known}")
    if form == "site" and table:
        raise BadUsage("--table: a site has pages and no tables; leave it out, or take --format csv, jsonl or parquet")
    if strangers := {*(table or ())} - TABLES.keys():
        raise BadUsage(f"--table {min(strangers)!r}: there are {', '.join(TABLES)}")
    place = out or folder.with_name(f"{folder.absolute().name}-{form}")
    export(RunFolder.open(folder), form, place, [name for name in TABLES if name in (table or TABLES)])
    tell(f"written to {place}; its README.txt says what is what")
