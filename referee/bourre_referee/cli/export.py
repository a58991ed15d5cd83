"""`bourre export`: a run as tables, pages or plots."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bourre_referee.cli.arguments import PLOTS, RUN, SITE, PublicUrl, RunArgument, beside, formats, forms
from bourre_referee.cli.copy import copy_to_folder
from bourre_referee.cli.exit_codes import BadUsage, tell

if TYPE_CHECKING:
    from bourre_referee.storage.run.run import Run


WITHOUT_TABLES = (RUN, SITE, PLOTS)
"""The formats that take no `--table`."""


def export(
    where: RunArgument,
    form: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            autocompletion=forms,
            help="jsonl: everything. csv: for a spreadsheet. parquet: with types, for programs. site: web pages. "
            "plots: pictures as SVG and PNG.",
        ),
    ],
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", show_default="RUN-FORMAT", help="A new folder.")] = None,
    table: Annotated[
        list[str] | None, typer.Option(metavar="NAME", show_default="all", help="Only this table. Repeatable.")
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, show_default="as many as help", help="How many processes make the tables."),
    ] = None,
    public_url: PublicUrl = None,
) -> None:
    """Export a contest as tables, web pages or plots.

    The formats csv, jsonl and parquet have the same tables: matches, seats, blocks, deals, decisions, notes, usage,
    ratings. The format jsonl also has the records, and anyone can verify it like the run itself. The format site has
    pages for any web host. Without a host, open its index.html. The plots need the extra export.
    """
    from bourre.rules.errors import unknown
    from bourre_referee.storage.run.run import Run

    if form not in (known := formats()) and form != RUN:
        raise BadUsage(unknown("format", form, known))
    tables = _tables(form, table or ())
    if public_url and form != SITE:
        raise BadUsage("--public-url is for pages.\nhint: remove it, or use --format site")
    run = Run.open(where)
    place = out or beside(where, form)
    if form == RUN:
        tell("`export --format run` is now `copy RUN --to FOLDER`")
        copy_to_folder(where, place)
    else:
        _write(run, form, place, tables, jobs, public_url or "")
    tell(f"Written to {place}. {_CONTENTS.get(form, 'Its README.txt explains the files.')}")


_CONTENTS = {
    PLOTS: "It has chips, rating, cross and course, each as .svg and .png.",
    RUN: "It is a results folder.",
}


def _tables(form: str, chosen: Sequence[str]) -> list[str]:
    """Returns the tables in their order, all if none is chosen; raises BadUsage for others."""
    from bourre.rules.errors import unknown
    from bourre_referee.export.export_tables import TABLES

    if chosen and form in WITHOUT_TABLES:
        raise BadUsage(f"The format {form!r} has no tables to choose from.\nhint: remove --table")
    for name in chosen:
        if name not in TABLES:
            raise BadUsage(unknown("table", name, TABLES))
    return [name for name in TABLES if name in (chosen or TABLES)]


def _write(run: Run, form: str, place: Path, tables: list[str], jobs: int | None, public: str) -> None:
    if form == SITE:
        from bourre_referee.web.site_writer import write_site

        write_site(run, place, public)
    elif form == PLOTS:
        from bourre_referee.export.plots.contest_plots import draw

        draw(run, place)
    else:
        from bourre_referee.cli.progress_meter import steps
        from bourre_referee.export.export_tables import Work
        from bourre_referee.export.export_writer import export

        with steps(only_in_terminal=True) as advance:
            export(run, form, place, tables, Work(jobs, advance))
